import type { Id } from './ids.ts'
import type { Mode } from './mode.ts'

/** A key sees and uses either its own resources or everything in its account. */
export const SCOPES = ['own', 'account'] as const
export type Scope = (typeof SCOPES)[number]

/** The owner of resources. `keyId` is the key that created them, or null. */
export type Owner = {
  readonly accountId: Id
  readonly mode: Mode
  readonly keyId: Id | null
  readonly scope: Scope
}

/** Whether many buyers share the account: those without an account, whose calls have its id instead of a key. */
export function isSharedAccount({ accountId, keyId }: Pick<Owner, 'accountId' | 'keyId'>): boolean {
  return keyId === accountId
}

/** The one key whose resources the owner sees; null for those of every key in the account. As SQL: `($n::uuid is null or key_id = $n)`. */
export function onlyMaker({ scope, keyId }: Pick<Owner, 'scope' | 'keyId'>): Id | null {
  return scope === 'own' ? keyId : null
}

/** The route under which responses to idempotent requests are stored. Keys with scope "own" have separate ones. */
export function ownRoute(owner: Pick<Owner, 'scope' | 'keyId'>, route: string): string {
  const maker = onlyMaker(owner)
  return maker === null ? route : `${ownRoutesOf(maker)}${route}`
}

/** The prefix of a key's own routes; the same length for every key. */
export function ownRoutesOf(keyId: Id): string {
  return `key/${keyId}/`
}
