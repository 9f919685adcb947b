import type { Clock } from '../../lib/clock.ts'
import { createUnpaidWork } from '../../lib/fairness/unpaid-work.ts'
import { cents } from '../../lib/money.ts'
import type { ExtractData } from './extraction.ts'

/** Of one account within an hour, in a process. */
export const MOST_UNPAID = cents('50')
const REASON =
  'This account had too many extractions without data within an hour. Send a schema that the pages can fill.'

/**
 * Limits what failed extractions of an account cost the operator: their pages are not charged, and
 * the caller chooses the schema, such as one that nothing fits. Extracted data pays for as much.
 */
export function limitUnpaid(extractData: ExtractData, now: Clock): ExtractData {
  const unpaid = createUnpaidWork({ most: Number(MOST_UNPAID), now })

  return async (request) => {
    const { mode, visitor } = request
    if (mode === 'test') return extractData(request)
    const most = Number(request.mostMicros)
    if (!unpaid.fits(visitor.accountId, most)) return { kind: 'failed', reason: REASON }
    unpaid.add(visitor.accountId, most)
    // An interrupted extraction counts: the model may have answered.
    const found = await extractData(request)
    if (found.kind === 'data') unpaid.add(visitor.accountId, -2 * most)
    else if (found.isAnswered !== true) unpaid.add(visitor.accountId, -most)
    return found
  }
}
