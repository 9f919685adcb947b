/**
 * Holds and resolutions that belong to a larger change: they happen in the caller's transaction, so that a job and its
 * hold, or its result and its charge, are one commit. Wallets and budgets are locked until that transaction ends: to be
 * kept short. Everything else goes through the group commit.
 */
import type { Transaction } from '../db/database.ts'
import { invariant } from '../errors/app-error.ts'
import { flushWithin, type FlushClient } from './flush.ts'
import type {
  HoldRequest,
  HoldVerdict,
  Resolution,
  ResolutionVerdict,
  WalletState,
} from './hold.ts'

/** Takes room for `request`. Unless the verdict is "opened" nothing was taken. */
export async function holdWithin(
  tx: Transaction,
  request: HoldRequest,
  nowMs: number,
): Promise<HoldVerdict> {
  invariant(request.amount > 0n, 'a hold is for more than nothing')
  const { opened } = await flushWithin(clientOf(tx), { nowMs, resolutions: [], holds: [request] })
  const [verdict] = opened
  invariant(verdict !== undefined, 'a hold gets a verdict')
  return verdict
}

/** Ends a hold. "gone": it had ended before, and nothing was charged now. `wallet`: as it stands after that. */
export async function resolveWithin(
  tx: Transaction,
  resolution: Resolution,
  nowMs: number,
): Promise<{ readonly verdict: ResolutionVerdict; readonly wallet: WalletState | null }> {
  const { resolved, wallets } = await flushWithin(clientOf(tx), {
    nowMs,
    resolutions: [resolution],
    holds: [],
  })
  const [verdict] = resolved
  invariant(verdict !== undefined, 'a resolution gets a verdict')
  return { verdict, wallet: wallets.get(resolution.hold.walletId) ?? null }
}

function clientOf(tx: Transaction): FlushClient {
  return { query: ({ name, text, values }) => tx.query(text, values, name) }
}
