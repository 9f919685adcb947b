import type { CallAnswer } from '../../calls/call.ts'
import type { Caller } from '../../keys/caller.ts'
import { toCentsRoundedDown } from '../../lib/money.ts'

/** What the account has left after a call. Null for a key of scope "own", which reads its own limit at /api/v1/agents/me, and for a call without a wallet. */
export function remainingCents(
  caller: Pick<Caller, 'scope'>,
  wallet: CallAnswer['wallet'],
): number | null {
  return wallet === null || caller.scope === 'own'
    ? null
    : toCentsRoundedDown(wallet.balance - wallet.held)
}
