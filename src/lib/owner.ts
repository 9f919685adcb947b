import type { Id } from './ids.ts'
import type { Mode } from './mode.ts'

/** What a key sees and touches: what it made itself, or everything of its account. */
export const SCOPES = ['own', 'account'] as const
export type Scope = (typeof SCOPES)[number]

/** Who makes things, and whose things are meant. `keyId`: the key that makes them; null where none does. */
export type Owner = {
  readonly accountId: Id
  readonly mode: Mode
  readonly keyId: Id | null
  readonly scope: Scope
}

/** The one key whose things the owner sees; null: those of every key of the account. As SQL: `($n::uuid is null or key_id = $n)`. */
export function onlyMaker({ scope, keyId }: Pick<Owner, 'scope' | 'keyId'>): Id | null {
  return scope === 'own' ? keyId : null
}

/** Under which the answers to a key's idempotent requests are stored. Those of a key with scope "own" neither replay nor meet those of other keys. */
export function ownRoute(owner: Pick<Owner, 'scope' | 'keyId'>, route: string): string {
  const maker = onlyMaker(owner)
  return maker === null ? route : `${ownRoutesOf(maker)}${route}`
}

/** How the routes of one key begin: as many characters for every key. */
export function ownRoutesOf(keyId: Id): string {
  return `key/${keyId}/`
}
