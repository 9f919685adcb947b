import type { Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import { compileAddresses, type AddressList } from './address-list.ts'
import { compilePatterns, type Patterns } from './patterns.ts'

/** The policy of a key as stored. Null: no restriction. */
export type StoredPolicy = {
  readonly allow: readonly string[] | null
  readonly deny: readonly string[] | null
  readonly max_call_micros: Micros | null
  readonly rate_limit: number | null
  readonly allowed_ips: readonly string[] | null
}

export const POLICY_COLUMNS = 'allow, deny, max_call_micros, rate_limit, allowed_ips'

/** The compiled policy of one key. It binds the key and all keys below it. */
export type KeyPolicy = {
  readonly keyId: Id
  /** The policy is not the caller's own: it belongs to a key above. */
  readonly isInherited: boolean
  /** Null allows every action. */
  readonly allow: Patterns | null
  readonly deny: Patterns | null
  /** The most that one call may cost. */
  readonly maxCall: Micros | null
  /** Requests per minute, over all processes. */
  readonly perMinute: number | null
  readonly addresses: AddressList | null
}

/** Compiles a stored policy. Null if it restricts nothing. */
export function compilePolicy(
  keyId: Id,
  stored: StoredPolicy,
  isInherited = false,
): KeyPolicy | null {
  const { allow, deny, max_call_micros: maxCall, rate_limit: perMinute, allowed_ips: ips } = stored
  if ([allow, deny, maxCall, perMinute, ips].every((setting) => setting === null)) return null
  return {
    keyId,
    isInherited,
    allow: allow === null ? null : compilePatterns(allow),
    deny: deny === null ? null : compilePatterns(deny),
    maxCall,
    perMinute,
    addresses: ips === null ? null : compileAddresses(ips),
  }
}

/** The policies that bind a key: its own, and those of the keys above it. */
export type Bound = { readonly policies: readonly KeyPolicy[] }
