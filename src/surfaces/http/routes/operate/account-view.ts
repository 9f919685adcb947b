import type { AccountDetails } from '../../../../operate/accounts/read-account.ts'
import type { Rejection } from './console.ts'

export type AccountView = {
  readonly details: AccountDetails
  readonly rejection: Rejection | undefined
  /** Email addresses of the operators in the changes, by account id. */
  readonly names: ReadonlyMap<string, string>
}
