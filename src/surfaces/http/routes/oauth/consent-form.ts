import { AppError } from '../../../../errors/app-error.ts'
import type { AuthorizationRequest } from '../../../../auth/oauth/authorization-request.ts'
import { DAY_MS } from '../../../../lib/clock.ts'
import type { Consent } from '../../../../auth/oauth/codes.ts'
import { LONGEST_PATTERN, MOST_PATTERNS, PATTERN } from '../../../../keys/policy/patterns.ts'
import {
  requireKnownPatterns,
  type NamedAction,
} from '../../../../keys/policy/require-known-patterns.ts'
import { limitCents } from '../keys/amount-field.ts'
import { fieldOf } from '../visitor/forms.ts'

/** The fields of the consent form, as text. */
export type ConsentValues = {
  readonly amount: string
  readonly period: string
  readonly days: string
  /** One pattern per line; empty: every action. */
  readonly allow: string
}

/** The fields by the parameters of errors. */
export const CONSENT_FIELD_NAMES = {
  amount: 'amount',
  period: 'period',
  days: 'days',
  allow: 'allow',
}

export const MOST_DAYS = 365
export const PERIODS = [
  ['day', 'per day'],
  ['week', 'per week'],
  ['month', 'per month'],
  ['total', 'in total'],
] as const

/** The form before the person changes it. */
export function valuesOfRequest({ allow }: Pick<AuthorizationRequest, 'allow'>): ConsentValues {
  return { amount: '5.00', period: 'day', days: '30', allow: (allow ?? []).join('\n') }
}

export function readConsentValues(body: unknown): ConsentValues {
  const read = (name: string): string => fieldOf(body, name).trim()
  return {
    amount: read('amount'),
    period: read('period'),
    days: read('days'),
    allow: read('allow'),
  }
}

/** Throws AppError invalid_params for an invalid field. */
export function readConsent(
  { amount, period, days, allow }: ConsentValues,
  actions: readonly NamedAction[],
  nowMs: number,
): Consent {
  const cents = limitCents(amount, 'amount', 'The spending limit')
  if (cents === null || cents === 0)
    throw invalid('amount', 'A client needs a spending limit.', 'Enter an amount such as 5.00.')
  const name = PERIODS.find(([one]) => one === period)?.[0]
  if (name === undefined)
    throw invalid('period', 'The period is unknown.', 'Choose one of the list.')
  if (!/^\d{1,3}$/.test(days) || Number(days) < 1 || Number(days) > MOST_DAYS)
    throw invalid(
      'days',
      'The number of days is invalid.',
      `Enter a whole number from 1 to ${MOST_DAYS}.`,
    )
  return {
    ceiling_cents: cents,
    ceiling_period: name,
    allow: readPatterns(allow, actions),
    expiresMs: nowMs + Number(days) * DAY_MS,
  }
}

const ONE_PATTERN = new RegExp(PATTERN)

function readPatterns(text: string, actions: readonly NamedAction[]): readonly string[] | null {
  if (text === '') return null
  const patterns = text.split(/[\s,]+/).filter((line) => line !== '')
  const wrong = patterns.find((one) => one.length > LONGEST_PATTERN || !ONE_PATTERN.test(one))
  if (wrong !== undefined || patterns.length > MOST_PATTERNS)
    throw invalid(
      'allow',
      wrong === undefined ? 'There are too many patterns.' : `"${wrong}" is not a pattern.`,
      `Enter up to ${MOST_PATTERNS} patterns such as core/*, one per line.`,
    )
  requireKnownPatterns({ allow: patterns }, actions)
  return patterns
}

function invalid(param: string, message: string, fix: string): AppError {
  return new AppError('invalid_params', message, { param, fix })
}
