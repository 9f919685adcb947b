import type { Clock } from '../lib/clock.ts'
import type { Database } from './database.ts'

// Clocks that are in step differ by less, and far less than the grace of a hold or the lease of a job is long.
const IN_STEP_MS = 1_000
const LOOK_EVERY_MS = 5_000

export type DatabaseClock = {
  /** The process's own clock, shifted by as much as it is astray. */
  readonly now: Clock
  /** Compares the clocks again. What was found before stays while the database is away. */
  look(): Promise<void>
  close(): void
}

/**
 * The time that all processes of an installation share: that of their database. Deadlines, leases and windows that one process
 * sets are judged by others, and one whose machine is an hour ahead would end what is still under way elsewhere. `onShift`
 * hears by how much the own clock is ahead whenever that has changed.
 */
export async function openDatabaseClock(database: Pick<Database, 'query'>, own: Clock, onShift: (aheadMs: number) => void): Promise<DatabaseClock> {
  let aheadMs = 0

  async function look(): Promise<void> {
    const askedMs = own()
    const { rows } = await database.query<{ now_ms: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms')
    const halfWayMs = (own() - askedMs) / 2
    const foundMs = Math.round(askedMs + halfWayMs - (rows[0]?.now_ms ?? askedMs))
    // The database read its clock at some moment between question and answer.
    if (Math.abs(foundMs - aheadMs) <= IN_STEP_MS + Math.abs(halfWayMs)) return
    aheadMs = Math.abs(foundMs) <= IN_STEP_MS ? 0 : foundMs
    onShift(aheadMs)
  }

  await look()
  const timer = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS)
  timer.unref()
  return { now: () => own() - aheadMs, look, close: () => clearInterval(timer) }
}
