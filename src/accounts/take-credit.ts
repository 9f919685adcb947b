import type { Database } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { moveCredit, type Moved, type Movement } from './move-credit.ts'

export type Taking = Pick<Movement, 'accountId' | 'mode' | 'amount' | 'reference'>

/** Takes available credit back, for example after a refund elsewhere. Throws AppError credits_required when there is too little. */
export function takeCredit(
  deps: { database: Database; now: Clock },
  taking: Taking,
): Promise<Moved> {
  return moveCredit(deps, { ...taking, kind: 'adjustment', amount: -taking.amount })
}
