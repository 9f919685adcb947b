import type { Balance } from '../../../../accounts/balance.ts'
import type { CardDesk } from '../../../../accounts/card-desk.ts'
import type { Payment } from '../../../../accounts/cards/list-payments.ts'
import type { TopupSettings } from '../../../../accounts/cards/topup-settings.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'

export const CREDIT_PATH = '/credit'

/** Confirmations, by the query of the page. */
const CREDIT_DONE = {
  alerts: 'Low-balance notification saved.',
  'top-up-on': 'Automatic top-up is on.',
  'top-up-off': 'Automatic top-up is off.',
  'card-removed': 'Card removed. Automatic top-up is off.',
} as const
export type CreditDone = keyof typeof CREDIT_DONE

export function confirmationOf(done: string): string | undefined {
  return Object.hasOwn(CREDIT_DONE, done) ? CREDIT_DONE[done as CreditDone] : undefined
}

/** The submitted values of a rejected form, and its error. `field`: the field at fault, if it is one. */
export type RejectedForm = {
  readonly form: 'buy' | 'alerts' | 'top-up' | 'card'
  readonly message: string
  readonly field: string | null
  readonly values: Readonly<Record<string, string>>
}

export type CreditView = {
  readonly visitor: Visitor
  readonly balance: Balance
  readonly payments: readonly Payment[]
  /** Null when the gateway sells no credit by card, or in test mode. */
  readonly cards: Pick<CardDesk, 'packs' | 'range'> | null
  readonly mayBuy: boolean
  /** Null for visitors who may not change them. */
  readonly settings: {
    readonly topup: TopupSettings
    readonly lowBalanceCents: number
    readonly emails: boolean
    /** Whether the gateway can send email. */
    readonly sendsEmail: boolean
  } | null
  readonly done: string
  readonly rejected?: RejectedForm
}

/** The error of a field, and undefined for other fields. */
export function errorOf(
  rejected: RejectedForm | undefined,
  form: RejectedForm['form'],
  field: string,
): string | undefined {
  return rejected?.form === form && rejected.field === field ? rejected.message : undefined
}

/** The submitted value of a field, or the present one. */
export function valueOf(
  rejected: RejectedForm | undefined,
  form: RejectedForm['form'],
  field: string,
  present: string,
): string {
  return rejected?.form === form ? (rejected.values[field] ?? '') : present
}

/** Cents as the text of an amount field. */
export function amountText(cents: number): string {
  return (cents / 100).toFixed(2)
}
