import type { Id } from '../lib/ids.ts'
import type { Micros } from '../lib/money.ts'
import type { Role } from '../lib/permissions.ts'
import type { Owner } from '../lib/owner.ts'
import type { Breaker } from './policy/breaker.ts'
import type { Expiry } from './policy/expiry.ts'
import type { KeyPolicy } from './policy/key-policy.ts'

/** The account, mode and rights behind a key. */
export type Caller = Owner & {
  readonly keyId: Id
  readonly walletId: number
  /** The ledger's budget of the key; it has the key's own id. */
  readonly budgetId: Id
  /** The keys above it, the topmost first, and their budgets. Empty for most keys. */
  readonly ancestorIds: readonly Id[]
  readonly externalId: string | null
  readonly primary: boolean
  readonly label: string | null
  /** The policies that bind the key. Empty for most keys. */
  readonly policies: readonly KeyPolicy[]
  /** The strictest setting of the key and the keys above it. */
  readonly breaker: Breaker
  /** The spending limit of the key itself; null: none. */
  readonly limit: Micros | null
  /** Null: the key does not expire. */
  readonly expiry: Expiry | null
  /** The only resource at which an access token works (RFC 8707). Null for all other keys. */
  readonly audience: string | null
  /** The person behind a browser session, which has the rights of the primary key. Absent for keys. */
  readonly member?: Member
  /** The account stores the requests and responses of its calls. */
  readonly storesBodies?: true
}

/** A signed-in person and their role in the account. */
export type Member = { readonly personId: Id; readonly role: Role }

/**
 * The actor: the calling key, or a person or operator with the rights of the account's primary key.
 */
export type Actor = Pick<Caller, 'accountId' | 'mode' | 'primary' | 'scope'> &
  Partial<Pick<Caller, 'keyId' | 'member'>>

/** The caller as the owner of what it creates. */
export function ownerOf({ accountId, mode, keyId, scope }: Caller): Owner {
  return { accountId, mode, keyId, scope }
}
