import type { CallAnswer } from '../../calls/call.ts'
import type { Caller } from '../../keys/caller.ts'
import { toCentsRoundedDown } from '../../lib/money.ts'

/**
 * The available credit after a call, in cents. Null without a wallet, and for a key of scope "own", which
 * reads its remaining limit at /api/v1/agents/me.
 */
export function remainingCents(
  caller: Pick<Caller, 'scope'>,
  wallet: CallAnswer['wallet'],
): number | null {
  return wallet === null || caller.scope === 'own'
    ? null
    : toCentsRoundedDown(wallet.balance - wallet.held)
}
