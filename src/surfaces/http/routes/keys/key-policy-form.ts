/** The part of the key form that restricts the key. */
import { AppError } from '../../../../errors/app-error.ts'
import { DEFAULT_BREAKER, type Breaker } from '../../../../keys/policy/breaker.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { formatDollars, wholeCents } from '../../../../lib/money.ts'
import { fieldOf } from '../visitor/forms.ts'
import { limitCents } from './amount-field.ts'

/** The fields as text. Lists have one item per line. */
export type PolicyFormValues = {
  readonly allow: string
  readonly deny: string
  readonly maxCall: string
  readonly expires: string
  readonly rate: string
  readonly ips: string
  readonly breaker: string
}

export const EMPTY_POLICY_FORM: PolicyFormValues = {
  allow: '',
  deny: '',
  maxCall: '',
  expires: '',
  rate: '',
  ips: '',
  breaker: DEFAULT_BREAKER,
}

export const POLICY_NAMES = {
  allow: 'allowed actions',
  deny: 'denied actions',
  maxCall: 'limit per call',
  expires: 'expiry',
  rate: 'requests per minute',
  ips: 'allowed addresses',
  breaker: 'loops',
} as const satisfies Record<keyof PolicyFormValues, string>

export const BREAKER_WORDS = [
  ['warn', 'Add advice to answers'],
  ['stop', 'Stop the calls, then pause the key'],
  ['off', 'Ignore'],
] as const satisfies readonly (readonly [Breaker, string])[]

export function readPolicyForm(body: unknown): PolicyFormValues {
  const read = (name: string): string => fieldOf(body, name).trim()
  return {
    allow: linesOf(read('allow')).join('\n'),
    deny: linesOf(read('deny')).join('\n'),
    maxCall: read('max_call'),
    expires: read('expires_at'),
    rate: read('rate_limit'),
    ips: linesOf(read('allowed_ips')).join('\n'),
    breaker: read('breaker'),
  }
}

export function policyValuesOfKey(key: KeyRecord): PolicyFormValues {
  return {
    allow: (key.allow ?? []).join('\n'),
    deny: (key.deny ?? []).join('\n'),
    maxCall:
      key.max_call_cents === null ? '' : formatDollars(wholeCents(key.max_call_cents)).slice(1),
    expires: key.expires_at === null ? '' : key.expires_at.replace(/\.000Z$/, 'Z'),
    rate: key.rate_limit_per_minute === null ? '' : String(key.rate_limit_per_minute),
    ips: (key.allowed_ips ?? []).join('\n'),
    breaker: key.breaker,
  }
}

/**
 * Converts the fields to settings of an API request. Empty fields become null. Throws AppError
 * invalid_params for an amount or a number that cannot be read.
 */
export function policyInputOf(values: PolicyFormValues) {
  const { allow, deny, maxCall, expires, rate, ips, breaker } = values
  return {
    allow: listOf(allow),
    deny: listOf(deny),
    max_call_cents: limitCents(maxCall, 'max_call_cents', 'The limit per call'),
    expires_at: expires === '' ? null : expires,
    rate_limit_per_minute: rateOf(rate),
    allowed_ips: listOf(ips),
    ...(breaker === '' ? {} : { breaker }),
  }
}

/**
 * Leaves out the lists that the reader did not change. The field of an empty list, which allows nothing, looks like
 * that of no list, which allows everything.
 */
export function changedLists<Input extends ReturnType<typeof policyInputOf>>(
  input: Input,
  typed: PolicyFormValues,
  key: KeyRecord,
): Omit<Input, 'allow' | 'deny' | 'allowed_ips'> &
  Partial<Pick<Input, 'allow' | 'deny' | 'allowed_ips'>> {
  const { allow, deny, allowed_ips: ips, ...others } = input
  const shown = policyValuesOfKey(key)
  return {
    ...others,
    ...(typed.allow === shown.allow ? {} : { allow }),
    ...(typed.deny === shown.deny ? {} : { deny }),
    ...(typed.ips === shown.ips ? {} : { allowed_ips: ips }),
  }
}

function rateOf(text: string): number | null {
  if (text === '') return null
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new AppError('invalid_params', 'The requests per minute are not a whole number.', {
    param: 'rate_limit_per_minute',
    fix: 'Enter a number such as 60, or leave it empty.',
  })
}

function listOf(text: string): readonly string[] | null {
  return text === '' ? null : linesOf(text)
}

function linesOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((line) => line !== '')
}
