import { setTimeout as delay } from 'node:timers/promises'
import { readStanding, type Standing } from '../../accounts/standing.ts'
import { countWelcomeCredits } from '../../accounts/welcome-credit.ts'
import { readOutflow, type Outflow } from '../../calls/payments/queue.ts'
import { countUnknownSales } from '../../calls/selling/sales.ts'
import type { Database } from '../../db/database.ts'
import { readClockAhead } from '../../db/database-clock.ts'
import { isRecent, type Clock } from '../../lib/clock.ts'
import type { Mode } from '../../lib/mode.ts'

/** Totals over all processes, from the database. */
export type Figures = {
  readonly standing: Readonly<Record<Mode, Standing>>
  readonly outflow: Outflow
  readonly salesWaiting: number
  readonly welcomeCredits: number
  readonly clockAheadMs: number
}

/** How long figures are reused, however often they are scraped. */
const REUSED_MS = 5_000
/** A scrape must not fail because the database does not answer. */
const TIMEOUT_MS = 2_000

/** Reads the figures, with at most one read at a time. Returns null when the database does not answer in time. */
export function createFigures({
  database,
  now,
  timeoutMs = TIMEOUT_MS,
}: {
  readonly database: Database
  readonly now: Clock
  readonly timeoutMs?: number
}): () => Promise<Figures | null> {
  let cached: { readonly atMs: number; readonly figures: Figures } | null = null
  let reading: Promise<Figures | null> | null = null

  async function readAll(): Promise<Figures> {
    // One query after another on a single connection, because calls need the others.
    const standing = await readStanding(database.query, now())
    const outflow = await readOutflow(database, now())
    const salesWaiting = await countUnknownSales(database)
    const welcomeCredits = await countWelcomeCredits(database, now())
    return {
      standing,
      outflow,
      salesWaiting,
      welcomeCredits,
      clockAheadMs: await readClockAhead(database),
    }
  }

  async function readFresh(): Promise<Figures | null> {
    try {
      const figures = await readAll()
      cached = { atMs: now(), figures }
      return figures
    } catch {
      return null
    } finally {
      reading = null
    }
  }

  return async () => {
    if (cached !== null && isRecent(cached.atMs, REUSED_MS, now())) return cached.figures
    reading ??= readFresh()
    const over = new AbortController()
    try {
      return await Promise.race([
        reading,
        delay(timeoutMs, null, { signal: over.signal, ref: false }),
      ])
    } finally {
      over.abort()
    }
  }
}
