import type { FastifyReply } from 'fastify'
import { readBalance } from '../../../../accounts/balance.ts'
import type { CardDesk } from '../../../../accounts/card-desk.ts'
import { listPayments } from '../../../../accounts/cards/list-payments.ts'
import { readTopupSettings } from '../../../../accounts/cards/topup-settings.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { AppError } from '../../../../errors/app-error.ts'
import { readBalanceAlert } from '../../../../events/alerts.ts'
import { sendsCreditEmails } from '../../../../events/webhooks/email-alert.ts'
import type { WebhookDeps } from '../../../../events/webhooks/webhook-deps.ts'
import { ownerOf } from '../../../../keys/caller.ts'
import { may } from '../../guards/requires.ts'
import type { SignInMethods } from '../sign-in/sign-in-page.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { describeError, sendErrorPage, sendPage } from '../visitor/send-page.ts'
import { creditPage, noCreditPage } from './credit-page.ts'
import type { CreditView, RejectedForm } from './credit-view.ts'

export type CreditDeps = {
  readonly pages: PageDeps
  readonly methods: SignInMethods
  readonly webhooks: WebhookDeps
  readonly cards: CardDesk | null
}

/** Shows the credit page, with the error of a form if there is one. */
export async function showCredit(
  { pages, webhooks, cards }: CreditDeps,
  reply: FastifyReply,
  visitor: Visitor,
  { done = '', failed }: { readonly done?: string; readonly failed?: FailedForm } = {},
): Promise<FastifyReply> {
  const { database, now, site } = pages
  const { caller } = visitor
  if (caller.scope === 'own') return sendPage(reply, 200, noCreditPage(site, visitor))
  const [balance, payments, settings] = await Promise.all([
    readBalance({ database, now }, caller),
    caller.mode === 'live' ? listPayments(database, caller.accountId) : [],
    may(visitor, 'topup.change') ? readSettings({ pages, webhooks }, visitor) : null,
  ])
  const markup = creditPage(site, {
    visitor,
    balance,
    payments,
    cards: caller.mode === 'live' ? cards : null,
    // A key of scope "account" may buy credit, too.
    mayBuy: visitor.role === null || may(visitor, 'credit.buy'),
    settings,
    done,
    ...(failed === undefined ? {} : { rejected: rejectedForm(failed) }),
  })
  return failed === undefined
    ? sendPage(reply, 200, markup)
    : sendErrorPage(reply, failed.error, markup)
}

async function readSettings(
  { pages: { database, now }, webhooks }: Pick<CreditDeps, 'pages' | 'webhooks'>,
  { caller }: Visitor,
): Promise<CreditView['settings']> {
  const [topup, alert, emails] = await Promise.all([
    readTopupSettings(database, caller.accountId, now()),
    readBalanceAlert(database, caller),
    sendsCreditEmails(database, ownerOf(caller)),
  ])
  return {
    topup,
    lowBalanceCents: alert.low_balance_cents,
    emails,
    sendsEmail: webhooks.sendsEmail,
  }
}

export type FailedForm = {
  readonly form: RejectedForm['form']
  readonly error: AppError
  readonly values: Readonly<Record<string, string>>
}

const FIELDS: Readonly<Record<string, string>> = { low_balance_cents: 'low' }

function rejectedForm({ form, error, values }: FailedForm): RejectedForm {
  const { param } = error
  const field = param === undefined || param === null ? null : (FIELDS[param] ?? param)
  return { form, values, field, message: describeError(error) }
}
