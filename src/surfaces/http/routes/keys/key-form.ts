import { AppError } from '../../../../errors/app-error.ts'
import { DEFAULT_PERIOD, DEFAULT_SCOPE } from '../../../../keys/key-fields.ts'
import type { KeySetting } from '../../../../keys/key-input.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import type { Scope } from '../../../../lib/owner.ts'
import { formatDollars, wholeCents } from '../../../../lib/money.ts'
import { fieldOf } from '../visitor/forms.ts'
import { limitCents } from './amount-field.ts'
import {
  EMPTY_POLICY_FORM,
  POLICY_NAMES,
  policyInputOf,
  policyValuesOfKey,
  readPolicyForm,
  type PolicyFormValues,
} from './key-policy-form.ts'

/** The fields of the key form, as text. */
export type KeyFormValues = PolicyFormValues & {
  readonly label: string
  readonly ceiling: string
  readonly period: string
  readonly externalId: string
  readonly scope: string
  /** Empty for a primary key, which may always create child keys. */
  readonly mayMint: string
}

/** The fields of the key form, by the settings of the API. */
export const KEY_FIELD_NAMES = {
  label: 'label',
  external_id: 'external_id',
  ceiling_cents: 'ceiling',
  ceiling_period: 'period',
  scope: 'scope',
  may_mint: 'may_mint',
  allow: 'allow',
  deny: 'deny',
  max_call_cents: 'max_call',
  expires_at: 'expires_at',
  rate_limit_per_minute: 'rate_limit',
  allowed_ips: 'allowed_ips',
  breaker: 'breaker',
} as const satisfies Record<KeySetting, string>

export const EMPTY_KEY_FORM: KeyFormValues = {
  ...EMPTY_POLICY_FORM,
  label: '',
  ceiling: '',
  period: DEFAULT_PERIOD,
  externalId: '',
  scope: DEFAULT_SCOPE,
  mayMint: 'no',
}

/** Only the settings of a key in use can let it create child keys. */
export const EMPTY_CHILD_FORM: KeyFormValues = { ...EMPTY_KEY_FORM, period: 'total', mayMint: '' }

export function readKeyForm(body: unknown): KeyFormValues {
  const [label = '', ceiling = '', period = '', externalId = '', scope = ''] = [
    'label',
    'ceiling',
    'period',
    'external_id',
    'scope',
  ].map((name) => fieldOf(body, name).trim())
  const mayMint = fieldOf(body, 'may_mint')
  return { ...readPolicyForm(body), label, ceiling, period, externalId, scope, mayMint }
}

export function formValuesOfKey(key: KeyRecord): KeyFormValues {
  return {
    ...policyValuesOfKey(key),
    label: key.label ?? '',
    ceiling:
      key.ceiling_cents === null ? '' : formatDollars(wholeCents(key.ceiling_cents)).slice(1),
    period: key.ceiling_period,
    externalId: key.external_id ?? '',
    scope: key.primary ? '' : key.scope,
    mayMint: key.primary ? '' : key.may_mint ? 'yes' : 'no',
  }
}

/**
 * Converts the form to the body of an API request, which the caller validates. Empty fields become null.
 * The form of a primary key has no scope. Throws AppError invalid_params for an invalid limit.
 */
export function keyInputOf(values: KeyFormValues) {
  const { label, ceiling, period, externalId, scope, mayMint } = values
  return {
    ...policyInputOf(values),
    label: orNull(label),
    ceiling_cents: limitCents(ceiling, 'ceiling_cents', 'The spending limit'),
    ceiling_period: orNull(period),
    external_id: orNull(externalId),
    ...(scope === '' ? {} : { scope }),
    ...(mayMint === '' ? {} : { may_mint: readMayMint(mayMint) }),
  }
}

function readMayMint(text: string): boolean {
  if (MINT_WORDS.some(([value]) => value === text)) return text === 'yes'
  throw new AppError('invalid_params', 'The choice for child keys is unknown.', {
    param: 'may_mint',
    fix: 'Choose one of the list.',
  })
}

function orNull(text: string): string | null {
  return text === '' ? null : text
}

const NAMES = {
  ...POLICY_NAMES,
  label: 'label',
  ceiling: 'limit',
  period: 'period',
  externalId: 'external ID',
  scope: 'scope',
  mayMint: 'child keys',
} as const satisfies Record<keyof KeyFormValues, string>

// Absent from some forms.
const CHOICES: readonly (keyof KeyFormValues)[] = ['scope', 'mayMint', 'breaker']

/** Lists the form values that differ from the key; null if none do. */
export function describeUnsaved(typed: KeyFormValues, present: KeyFormValues): string | null {
  const others = (Object.keys(NAMES) as (keyof KeyFormValues)[]).filter(
    (field) => typed[field] !== present[field] && !(CHOICES.includes(field) && typed[field] === ''),
  )
  if (others.length === 0) return null
  return others
    .map((field) => `${NAMES[field]} ${typed[field] === '' ? 'empty' : `“${typed[field]}”`}`)
    .join(', ')
}

export const PERIODS = [
  ['day', 'Daily'],
  ['week', 'Weekly'],
  ['month', 'Monthly'],
  ['total', 'Never'],
] as const

export function periodLabel(period: string): string {
  if (period === 'total') return 'In total'
  return PERIODS.find(([name]) => name === period)?.[1] ?? period
}

export const SCOPE_WORDS = [
  ['own', 'Own data'],
  ['account', 'Whole account'],
] as const satisfies readonly (readonly [Scope, string])[]

export function scopeLabel(scope: Scope): string {
  return SCOPE_WORDS.find(([name]) => name === scope)?.[1] ?? scope
}

export const MINT_WORDS = [
  ['no', 'Not allowed'],
  ['yes', 'May create'],
] as const
