/** The flags of a key's restrictions. */
import type { KeyRecord } from '../../../keys/key-record.ts'
import { BREAKERS, DEFAULT_BREAKER } from '../../../keys/policy/breaker.ts'
import type { PolicyInput } from '../../../keys/policy/policy-input.ts'
import { formatDollars, wholeCents } from '../../../lib/money.ts'
import { readChoice, readMoment, readWholeNumber } from '../read-value.ts'

export const policyFlags = {
  allow: {
    value: '<patterns>',
    about: 'the only actions, such as "core/*,llm/core/cheap"; "none" removes the restriction',
  },
  deny: { value: '<patterns>', about: 'actions that the key may not use; "none" for no patterns' },
  'max-call-cents': { value: '<cents>', about: 'the most that one call may cost, or "none"' },
  expires: { value: '<when>', about: '90d, a date or an RFC 3339 time, or "none"' },
  'rate-limit': { value: '<count>', about: 'requests per minute, or "none"' },
  'allowed-ips': { value: '<networks>', about: 'the only client addresses, or "none"' },
  breaker: { value: '<setting>', about: 'for a key that repeats itself: off, warn or stop' },
  'may-mint': { value: '<yes|no>', about: 'whether the key may create child keys' },
} as const

type Flags = Readonly<Partial<Record<keyof typeof policyFlags, string>>>

/** The restrictions of a key, and its right to create child keys. */
export type PolicyOfFlags = PolicyInput & { readonly may_mint?: boolean }

/** Absent flags are undefined, "none" is null. Throws UsageError. */
export function readPolicyFlags(flags: Flags, nowMs: number): PolicyOfFlags {
  const read = <Value>(
    name: keyof Flags,
    parse: (text: string) => Value,
  ): Value | null | undefined =>
    flags[name] === undefined ? undefined : flags[name] === 'none' ? null : parse(flags[name])
  const list = (text: string): readonly string[] =>
    text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]))
  const given = {
    allow: read('allow', list),
    deny: read('deny', list),
    max_call_cents: read('max-call-cents', (text) => readWholeNumber('max-call-cents', text)),
    expires_at: read('expires', (text) => readMoment('expires', text, nowMs).toISOString()),
    rate_limit_per_minute: read('rate-limit', (text) => readWholeNumber('rate-limit', text)),
    allowed_ips: read('allowed-ips', list),
    breaker:
      flags.breaker === undefined
        ? undefined
        : readChoice('breaker', flags.breaker, BREAKERS, 'warn'),
    may_mint:
      flags['may-mint'] === undefined
        ? undefined
        : readChoice('may-mint', flags['may-mint'], ['yes', 'no'], 'no') === 'yes',
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** The restrictions of a key, for display. */
export function policyFacts(key: KeyRecord): readonly (readonly [string, string])[] {
  const { max_call_cents: maxCall, rate_limit_per_minute: rate } = key
  const facts = [
    ['allow', key.allow?.join(', ')],
    ['deny', key.deny?.join(', ')],
    ['limit per call', maxCall === null ? null : formatDollars(wholeCents(maxCall))],
    ['expires', key.expires_at],
    ['rate limit', rate === null ? null : `${rate} requests per minute`],
    ['allowed ips', key.allowed_ips?.join(', ')],
    ['loop breaker', key.breaker === DEFAULT_BREAKER ? null : key.breaker],
    ['child keys', key.may_mint ? 'may create' : null],
  ] as const
  return facts.flatMap(([name, value]) => (value == null ? [] : [[name, value] as const]))
}
