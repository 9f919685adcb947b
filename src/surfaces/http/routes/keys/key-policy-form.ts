/** The part of the key form that restricts the key. */
import { AppError } from '../../../../errors/app-error.ts'
import { DEFAULT_BREAKER, type Breaker } from '../../../../keys/policy/breaker.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { formatDollars, wholeCents } from '../../../../lib/money.ts'
import { code, time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { fieldOf } from '../visitor/forms.ts'
import { choice } from '../account/account-components.ts'
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

const BREAKER_WORDS = [
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

/** The restrictions of a key as names and values. */
export function policyFacts(key: KeyRecord): readonly (readonly [string, Html])[] {
  const { max_call_cents: maxCall, rate_limit_per_minute: rate, expires_at: expires } = key
  const patterns = (texts: readonly string[]): Html =>
    html`${texts.length === 0 ? 'None' : texts.map((text, place) => html`${place > 0 && ' '}${code(text)}`)}`
  return [
    ...(key.allow === null ? [] : [['Allowed actions', patterns(key.allow)] as const]),
    ...(key.deny === null ? [] : [['Denied actions', patterns(key.deny)] as const]),
    ...(maxCall === null
      ? []
      : [['Limit per call', html`${formatDollars(wholeCents(maxCall))}`] as const]),
    ...(rate === null ? [] : [['Rate limit', html`${rate} requests per minute`] as const]),
    ...(key.allowed_ips === null
      ? []
      : [['Allowed addresses', patterns(key.allowed_ips)] as const]),
    ...(expires === null ? [] : [['Expires', html`${time(expires)}`] as const]),
    ...(key.breaker === DEFAULT_BREAKER
      ? []
      : [['Loops', html`${BREAKER_WORDS.find(([name]) => name === key.breaker)?.[1]}`] as const]),
  ]
}

export function policyFields(values: PolicyFormValues): Html {
  const isOpen = Object.entries(values).some(
    ([name, value]) => value !== EMPTY_POLICY_FORM[name as keyof PolicyFormValues],
  )
  return html`<details class="policy"${isOpen && html` open`}><summary>Restrictions</summary>
<div class="filters">
${list('allow', 'Allowed actions', values.allow, 'core/*\nsemantic/search\nllm/core/cheap', 'One pattern per line. Empty: every action.')}
${list('deny', 'Denied actions', values.deny, '*/sandbox-*', 'Deny wins over allow.')}
<div><label for="max_call">Limit per call ($)</label><input id="max_call" name="max_call" value="${values.maxCall}" inputmode="decimal" maxlength="20" placeholder="No limit" autocomplete="off"></div>
<div><label for="rate_limit">Requests per minute</label><input id="rate_limit" name="rate_limit" value="${values.rate}" inputmode="numeric" maxlength="9" placeholder="No limit" autocomplete="off"></div>
<div><label for="expires_at">Expires (UTC)</label><input id="expires_at" name="expires_at" value="${values.expires}" maxlength="40" placeholder="Never, or 2027-01-31T00:00:00Z" autocomplete="off"></div>
${choice('breaker', 'Repeated calls', BREAKER_WORDS, values.breaker)}
${list('allowed_ips', 'Allowed client addresses', values.ips, '192.0.2.0/24', 'One address or network per line. Empty: any address.')}
</div></details>`
}

function list(name: string, label: string, value: string, example: string, hint: string): Html {
  return html`<div><label for="${name}">${label}</label><textarea id="${name}" name="${name}" rows="3" maxlength="20000" placeholder="${example}" spellcheck="false" autocomplete="off" aria-describedby="${name}-hint">
${value}</textarea><p class="muted hint" id="${name}-hint">${hint}</p></div>`
}
