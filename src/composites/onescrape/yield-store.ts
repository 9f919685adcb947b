import type { Database } from '../../db/database.ts'
import { DAY_MS, type Clock } from '../../lib/clock.ts'
import { NEWEST_WEIGHT, UNKNOWN_YIELD, type KnownYield, type YieldStore } from './domain-memory.ts'

// Readings that wait while the database is slow; further ones are dropped, as the memory is a hint.
const MOST_WAITING = 1_000
const FORGOTTEN_AFTER_MS = 90 * DAY_MS

/** The memory that all processes share. `settle` waits for readings that are still being written. */
export function createYieldStore({
  database,
  now,
}: {
  readonly database: Database
  readonly now: Clock
}): YieldStore & { settle(): Promise<void> } {
  const waiting: KnownYield[] = []
  let writing: Promise<void> | null = null

  // One after the other: two statements over several hosts could wait for each other.
  async function writeAll(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await database
        .query(
          `insert into page_yields (host, provider, yield, updated_ms) values ($1, $2, $3::real + $4::real * ($5::real - $3::real), $6)
           on conflict (host, provider) do update set yield = page_yields.yield + $4::real * ($5::real - page_yields.yield), updated_ms = $6`,
          [next.host, next.provider, UNKNOWN_YIELD, NEWEST_WEIGHT, next.yield, now()],
          'page_yields_record',
        )
        .catch(() => waiting.splice(0))
    }
    writing = null
  }

  return {
    async load(hosts) {
      const { rows } = await database.query<KnownYield>(
        'select host, provider, yield from page_yields where host = any($1::text[])',
        [hosts],
        'page_yields_load',
      )
      return rows
    },
    record(reading) {
      if (waiting.length < MOST_WAITING) waiting.push(reading)
      writing ??= writeAll()
    },
    settle: async () => void (await writing),
  }
}

/** Removes hosts that nobody has read for a season. Returns how many rows went. */
export async function forgetOldYields(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query('delete from page_yields where updated_ms < $1', [
    nowMs - FORGOTTEN_AFTER_MS,
  ])
  return count
}
