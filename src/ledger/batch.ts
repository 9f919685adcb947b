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
}

/** Verdicts in the order of the batch, and the wallets after the commit. */
export type BatchResult = {
  readonly resolved: readonly ResolutionVerdict[]
  readonly opened: readonly HoldVerdict[]
  readonly wallets: ReadonlyMap<number, WalletState>
}
