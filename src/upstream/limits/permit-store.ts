import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Allowance } from './allowance.ts'

export type TakeRequest = {
  readonly label: string
  readonly allowance: Allowance
  /** Waiting calls, with at least one permit each. */
  readonly wanted: number
  /** How long permits are valid after the request. */
  readonly validMs: number
  /** How long an unreleased request counts as in progress. */
  readonly busyMs: number
  /** Released places of finished requests. */
  readonly done: readonly number[]
  /** Days since 1970-01-01, in UTC. */
  readonly day: number
  /** Unused permits of that day. */
  readonly dayBack: number
}

export type Shortage = 'pause' | 'day' | 'rate' | 'busy' | 'turn'

/** `waitMs` is 0 if unknown. `why` is null if all requested permits were granted. */
export type Taken = {
  readonly given: number
  readonly validMs: number
  readonly busyUntilMs: number | null
  readonly waitMs: number
  readonly why: Shortage | null
}

/** Permits shared by all processes. Throws AppError `overloaded` if the database is unavailable. */
export type PermitStore = {
  take(request: TakeRequest): Promise<Taken>
  /** Makes every process pause requests to the vendor. */
  pause(label: string, ms: number): Promise<void>
  /** The active pauses with their remaining time. */
  pauses(): Promise<readonly { readonly label: string; readonly ms: number }[]>
}

export const PAUSES_CHANNEL = 'vendor_pauses'

export type PermitStoreDeps = {
  readonly database: Database
  /** Identifies this process: permits alternate between processes. */
  readonly process: string
  /** The clock that all processes share. The database's own clock may jump. */
  readonly now: Clock
}

export function createPermitStore({ database, process, now }: PermitStoreDeps): PermitStore {
  return {
    async take({ label, allowance, wanted, validMs, busyMs, done, day, dayBack }) {
      const { rate, windowMs, concurrent, perDay, spare, spareValidMs } = allowance
      const { rows } = await database.query<{
        given: number
        valid_ms: number
        busy_until_ms: bigint | null
        wait_ms: bigint | null
        why: Shortage | null
      }>(
        'select * from vendor_take_at($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)',
        [
          now(),
          label,
          process,
          wanted,
          spare,
          spareValidMs,
          Math.ceil(validMs),
          rate,
          windowMs,
          concurrent,
          Math.ceil(busyMs),
          done,
          perDay,
          day,
          dayBack,
        ],
        'vendor_take_at',
      )
      const [row] = rows
      if (row === undefined) return { given: 0, validMs, busyUntilMs: null, waitMs: 0, why: 'turn' }
      return {
        given: row.given,
        validMs: row.valid_ms,
        busyUntilMs: row.busy_until_ms === null ? null : Number(row.busy_until_ms),
        waitMs: Number(row.wait_ms ?? 0n),
        why: row.why,
      }
    },
    async pause(label, ms) {
      await database.query(
        `with paused as (
           insert into vendor_turns (label, paused_until_ms) values ($1, $2)
           on conflict (label) do update set paused_until_ms = greatest(vendor_turns.paused_until_ms, excluded.paused_until_ms)
           returning label
         ) select pg_notify('${PAUSES_CHANNEL}', $3) from paused`,
        [label, now() + Math.ceil(ms), `${process} ${Math.ceil(ms)} ${label}`],
      )
    },
    async pauses() {
      const { rows } = await database.query<{ label: string; ms: bigint }>(
        'select label, paused_until_ms - $1 as ms from vendor_turns where paused_until_ms > $1',
        [now()],
      )
      return rows.map(({ label, ms }) => ({ label, ms: Number(ms) }))
    },
  }
}

export type AnnouncedPause = {
  readonly process: string
  readonly label: string
  readonly ms: number
}

export function parsePause(payload: string): AnnouncedPause | null {
  const [, process, ms, label] = /^(\S+) (\d+) (.+)$/.exec(payload) ?? []
  return process === undefined || ms === undefined || label === undefined
    ? null
    : { process, label, ms: Number(ms) }
}
