import { AppError } from '../../errors/app-error.ts'
import { publicId } from '../../lib/ids.ts'
import type { Bound, KeyPolicy } from './key-policy.ts'
import { OF_OWN_JOBS } from './patterns.ts'

const PATTERNS_SHOWN = 10

/**
 * Throws AppError action_not_allowed unless the policies of the calling key and of every key above
 * it allow `service/action`. Its details name the rule and the key that has it.
 */
export function requireAllowed({ policies }: Bound, service: string, action: string): void {
  if (policies.length === 0) return
  const name = `${service}/${action}`
  for (const policy of policies) {
    const denying = policy.deny?.find(name) ?? null
    if (denying !== null) throw denied(name, denying, policy)
    if (policy.allow === null || OF_OWN_JOBS.includes(name)) continue
    if (policy.allow.find(name) === null) throw notAllowed(name, policy.allow.texts, policy)
  }
}

/**
 * The members of a tier, or the one named model, that the policies allow, in their order. A policy
 * allows a member if its "allow" matches the tier or the member, and its "deny" neither. Throws
 * AppError action_not_allowed if none is left.
 */
export function allowedMembers<Member extends { readonly id: string }>(
  { policies }: Bound,
  requested: string,
  members: readonly Member[],
): readonly Member[] {
  if (policies.length === 0) return members
  let left = members
  for (const policy of policies) {
    const refusal = (names: readonly string[]): AppError | null => {
      const denying = firstMatch(policy.deny, names)
      if (denying !== null) return denied(names.at(-1) ?? '', denying, policy)
      return policy.allow === null || firstMatch(policy.allow, names) !== null
        ? null
        : notAllowed(names.at(0) ?? '', policy.allow.texts, policy)
    }
    const refusals = left.map(({ id }) =>
      refusal(id === requested ? [`llm/${id}`] : [`llm/${requested}`, `llm/${id}`]),
    )
    left = left.filter((_, place) => refusals[place] === null)
    const [first] = refusals
    if (left.length === 0 && first != null) throw first
  }
  return left
}

function firstMatch(patterns: KeyPolicy['allow'], names: readonly string[]): string | null {
  for (const name of names) {
    const found = patterns?.find(name) ?? null
    if (found !== null) return found
  }
  return null
}

function denied(name: string, pattern: string, policy: KeyPolicy): AppError {
  const keyId = publicId('key', policy.keyId)
  return new AppError(
    'action_not_allowed',
    `"${name}" is not allowed: the pattern "${pattern}" in "deny" of ${describeKey(policy, keyId)} forbids it.`,
    { details: { action: name, rule: 'deny', pattern, key_id: keyId } },
  )
}

function notAllowed(name: string, patterns: readonly string[], policy: KeyPolicy): AppError {
  const keyId = publicId('key', policy.keyId)
  const shown = patterns.slice(0, PATTERNS_SHOWN)
  return new AppError(
    'action_not_allowed',
    `"${name}" is not allowed: no pattern in "allow" of ${describeKey(policy, keyId)} matches it. The patterns are ${shown.length === 0 ? 'empty' : shown.map((text) => `"${text}"`).join(', ')}${shown.length < patterns.length ? ' and others' : ''}.`,
    { details: { action: name, rule: 'allow', allow: shown, key_id: keyId } },
  )
}

function describeKey({ isInherited }: KeyPolicy, keyId: string): string {
  return isInherited ? `the parent key ${keyId}` : `the key ${keyId}`
}
