import type {
  HoldRequest,
  HoldVerdict,
  Resolution,
  ResolutionVerdict,
  WalletState,
} from './hold.ts'

/** The operations of one commit. */
export type Batch = {
  readonly nowMs: number
  readonly resolutions: readonly Resolution[]
  readonly holds: readonly HoldRequest[]
  /** Wallets of the resolutions that `MarkedWallets` does not list. By default all. */
  readonly uncounted?: readonly number[]
}

/** The wallets that the commit must mark for the chore that counts transactions. */
export function uncountedIn({ resolutions, uncounted }: Batch): readonly number[] {
  return uncounted ?? [...new Set(resolutions.map(({ hold }) => hold.walletId))]
}

/** Verdicts in the order of the batch, and the wallets after the commit. */
export type BatchResult = {
  readonly resolved: readonly ResolutionVerdict[]
  readonly opened: readonly HoldVerdict[]
  readonly wallets: ReadonlyMap<number, WalletState>
}
