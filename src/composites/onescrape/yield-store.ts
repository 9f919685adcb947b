import type { Database } from '../../db/database.ts'
import { DAY_MS, type Clock } from '../../lib/clock.ts'
import { NEWEST_WEIGHT, UNKNOWN_YIELD, type HostYield, type YieldStore } from './domain-memory.ts'

// While the database is slow, further readings are dropped: they are only hints.
const MOST_WAITING = 1_000
const FORGOTTEN_AFTER_MS = 90 * DAY_MS

/** Stores readings in the database. `settle` waits for pending writes. */
export function createYieldStore({
  database,
  now,
}: {
  readonly database: Database
  readonly now: Clock
}): YieldStore & { settle(): Promise<void> } {
  const waiting: HostYield[] = []
  let writing: Promise<void> | null = null

  // One statement per reading: statements over several hosts could deadlock.
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
      const { rows } = await database.query<HostYield>(
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

/** Deletes yields that are 90 days old. Returns the number of deleted rows. */
export async function forgetOldYields(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query('delete from page_yields where updated_ms < $1', [
    nowMs - FORGOTTEN_AFTER_MS,
  ])
  return count
}
