import { AppError } from '../../../../errors/app-error.ts'
import { DEFAULT_PERIOD, DEFAULT_SCOPE } from '../../../../keys/key-fields.ts'
import { LONGEST_EXTERNAL_ID, LONGEST_LABEL } from '../../../../keys/key-input.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import type { Scope } from '../../../../lib/owner.ts'
import {
  dollars as microsOf,
  formatDollars,
  toCentsRoundedDown,
  wholeCents,
} from '../../../../lib/money.ts'
import { html, type Html } from '../../html/html.ts'
import { choice } from '../account/account-pieces.ts'
import { fieldOf } from '../visitor/forms.ts'

/** What somebody typed about a key, as text. */
export type TypedKey = {
  readonly label: string
  readonly ceiling: string
  readonly period: string
  readonly externalId: string
  readonly scope: string
}

export const NOTHING_TYPED: TypedKey = {
  label: '',
  ceiling: '',
  period: DEFAULT_PERIOD,
  externalId: '',
  scope: DEFAULT_SCOPE,
}

export function typedIn(body: unknown): TypedKey {
  const [label = '', ceiling = '', period = '', externalId = '', scope = ''] = [
    'label',
    'ceiling',
    'period',
    'external_id',
    'scope',
  ].map((name) => fieldOf(body, name).trim())
  return { label, ceiling, period, externalId, scope }
}

export function typedOf(key: KeyRecord): TypedKey {
  return {
    label: key.label ?? '',
    ceiling:
      key.ceiling_cents === null ? '' : formatDollars(wholeCents(key.ceiling_cents)).slice(1),
    period: key.ceiling_period,
    externalId: key.external_id ?? '',
    scope: key.primary ? '' : key.scope,
  }
}

/** The same as a program sends it, still to be checked. An empty field is none; the form of a primary key has no scope. Throws AppError invalid_params for a ceiling that is no amount. */
export function keyInputOf({ label, ceiling, period, externalId, scope }: TypedKey) {
  return {
    label: orNull(label),
    ceiling_cents: ceilingCents(ceiling),
    ceiling_period: orNull(period),
    external_id: orNull(externalId),
    ...(scope === '' ? {} : { scope }),
  }
}

// Thousands may stand apart, as the pages show them.
const AMOUNT = /^\$? ?((?:\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.\d{1,2})?)$/

function ceilingCents(text: string): number | null {
  if (text === '') return null
  const amount = AMOUNT.exec(text)?.[1]
  if (amount === undefined)
    throw new AppError('invalid_params', 'The ceiling is not an amount in dollars.', {
      param: 'ceiling_cents',
      fix: 'Write it as 5 or 5.00, or leave it empty for no ceiling.',
    })
  return toCentsRoundedDown(microsOf(amount.replaceAll(',', '')))
}

function orNull(text: string): string | null {
  return text === '' ? null : text
}

const NAMES = {
  label: 'label',
  ceiling: 'ceiling',
  period: 'period',
  externalId: 'external id',
  scope: 'scope',
} as const satisfies Record<keyof TypedKey, string>

/** What somebody typed that the key does not have, in words; null where there is nothing of the kind. */
export function typedBeside(typed: TypedKey, present: TypedKey): string | null {
  const others = (['label', 'ceiling', 'period', 'externalId', 'scope'] as const).filter(
    (field) => typed[field] !== present[field] && !(field === 'scope' && typed.scope === ''),
  )
  if (others.length === 0) return null
  return others
    .map((field) => `${NAMES[field]} ${typed[field] === '' ? 'empty' : `“${typed[field]}”`}`)
    .join(', ')
}

const PERIODS = [
  ['day', 'a day'],
  ['week', 'a week'],
  ['month', 'a month'],
] as const

export function periodWords(period: string): string {
  return PERIODS.find(([name]) => name === period)?.[1] ?? period
}

const SCOPE_WORDS = [
  ['own', 'its own data'],
  ['account', 'whole account'],
] as const satisfies readonly (readonly [Scope, string])[]

export function scopeWords(scope: Scope): string {
  return SCOPE_WORDS.find(([name]) => name === scope)?.[1] ?? scope
}

export function keyFields({ label, ceiling, period, externalId, scope }: TypedKey): Html {
  return html`<div><label for="label">Label</label><input id="label" name="label" value="${label}" maxlength="${LONGEST_LABEL}" autocomplete="off"></div>
<div><label for="ceiling">Ceiling in dollars</label><input id="ceiling" name="ceiling" value="${ceiling}" inputmode="decimal" maxlength="20" placeholder="none" autocomplete="off"></div>
${choice('period', 'Counted over', PERIODS, period)}
${scope !== '' && choice('scope', 'Sees', SCOPE_WORDS, scope)}
<div><label for="external_id">External id</label><input id="external_id" name="external_id" value="${externalId}" maxlength="${LONGEST_EXTERNAL_ID}" autocomplete="off"></div>`
}
