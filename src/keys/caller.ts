import type { Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'

/** Who calls: what a key stands for. */
export type Caller = {
  readonly keyId: Id
  readonly accountId: Id
  readonly mode: Mode
  readonly walletId: number
  /** The ledger's budget of the key; it has the key's own id. */
  readonly budgetId: Id
  readonly externalId: string | null
  readonly primary: boolean
  readonly label: string | null
}
