import { HOUR_MS, isRecent, type Clock } from '../../lib/clock.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import type { ExtractData } from './extraction.ts'

type Tally = { readonly startMs: number; micros: Micros }

/** Of one account within an hour, in a process. */
export const MOST_UNPAID = cents('50')
const ACCOUNTS = 10_000
const REASON =
  'This account had too many extractions without data within an hour. Send a schema that the pages can fill.'

/**
 * Limits what failed extractions of an account cost the operator: their pages are not charged, and
 * the caller chooses the schema, such as one that nothing fits. Extracted data pays for as much.
 */
export function limitUnpaid(extractData: ExtractData, now: Clock): ExtractData {
  const tallies = new RecentMap<string, Tally>(ACCOUNTS)

  function tallyOf(accountId: string): Tally {
    const known = tallies.get(accountId)
    if (known !== undefined && isRecent(known.startMs, HOUR_MS, now())) return known
    const tally = { startMs: now(), micros: 0n as Micros }
    tallies.set(accountId, tally)
    return tally
  }

  return async (request) => {
    const { mode, mostMicros, visitor } = request
    if (mode === 'test') return extractData(request)
    const tally = tallyOf(visitor.accountId)
    const add = (micros: bigint): void => {
      tally.micros = tally.micros + micros > 0n ? tally.micros + micros : 0n
    }
    if (tally.micros + mostMicros > MOST_UNPAID) return { kind: 'failed', reason: REASON }
    add(mostMicros)
    // An interrupted extraction counts: the model may have answered.
    const found = await extractData(request)
    if (found.kind === 'data') add(-2n * mostMicros)
    else if (found.isAnswered !== true) add(-mostMicros)
    return found
  }
}
