/**
 * Holds and resolutions inside the caller's transaction, so that a job and its hold, or its result
 * and its charge, are one commit. They lock wallets and budgets until the transaction ends, so keep
 * it short. All other operations use the group commit.
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

/** Opens a hold. With any verdict except "opened", no credit is held. */
export async function holdWithin(
  tx: Transaction,
  request: HoldRequest,
  nowMs: number,
): Promise<HoldVerdict> {
  invariant(request.amount > 0n, 'a hold has a positive amount')
  const { opened } = await flushWithin(clientOf(tx), { nowMs, resolutions: [], holds: [request] })
  const [verdict] = opened
  invariant(verdict !== undefined, 'a hold gets a verdict')
  return verdict
}

/**
 * Resolves a hold and returns its wallet. "gone": it was resolved before, and nothing is charged
 * now.
 */
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
