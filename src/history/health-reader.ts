import type { Database } from '../db/database.ts'
import { readServiceHealth, type HealthOfServices } from './read-service-health.ts'
import type { Clock } from '../lib/clock.ts'

const STORED_MS = 60_000

/** `atMs`: when the figures were read. */
export type HealthReader = () => Promise<{
  readonly value: HealthOfServices
  readonly atMs: number
}>

/** Reads the database at most once a minute; concurrent callers share one read. */
export function createHealthReader(database: Pick<Database, 'query'>, now: Clock): HealthReader {
  let stored: ReturnType<HealthReader> | undefined
  let storedAtMs = 0
  return () => {
    if (stored !== undefined && now() - storedAtMs < STORED_MS) return stored
    const atMs = now()
    storedAtMs = atMs
    const reading = readServiceHealth(database, atMs).then((value) => ({ value, atMs }))
    stored = reading
    // A failed read is not stored.
    reading.catch(() => {
      if (stored === reading) stored = undefined
    })
    return reading
  }
}
