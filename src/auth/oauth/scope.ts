import { MOST_PATTERNS, LONGEST_PATTERN, PATTERN } from '../../keys/policy/patterns.ts'
import { EVERY_ACTION } from './authorization-server.ts'
import { OAuthError } from './oauth-error.ts'

const ACTION_PATTERN = new RegExp(PATTERN)

/**
 * The actions that a scope requests, as patterns of a key; null for every action. Other scopes, such as
 * "offline_access", have no meaning here and are ignored (RFC 6749, section 3.3).
 */
export function actionsOfScope(scope: string | null): readonly string[] | null {
  const names = (scope ?? '').split(' ')
  const patterns = names.filter(
    (name) => name.includes('/') && name.length <= LONGEST_PATTERN && ACTION_PATTERN.test(name),
  )
  if (names.includes(EVERY_ACTION) || patterns.length === 0) return null
  return [...new Set(patterns)].slice(0, MOST_PATTERNS)
}

/** The scope of a key's patterns. */
export function scopeOfActions(allow: readonly string[] | null): string {
  return allow === null ? EVERY_ACTION : allow.join(' ')
}

/** Throws OAuthError invalid_scope if a refresh requests actions outside the granted scope. */
export function requireGranted(granted: string, requested: string | null): void {
  if (requested === null) return
  const names = new Set(granted.split(' '))
  const foreign = requested
    .split(' ')
    .find((name) => (name === EVERY_ACTION || name.includes('/')) && !names.has(name))
  if (foreign !== undefined && !names.has(EVERY_ACTION))
    throw new OAuthError('invalid_scope', `The scope "${foreign}" was not granted.`)
}
