import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CardDesk } from '../../../../accounts/card-desk.ts'
import { buyCredit } from '../../../../accounts/cards/checkouts.ts'
import {
  readTopupSettings,
  removeCard,
  requireManager,
  requireTopupSettings,
  setTopupSettings,
} from '../../../../accounts/cards/topup-settings.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { setBalanceAlert } from '../../../../events/alerts.ts'
import { emailFailedTopups, setCreditEmails } from '../../../../events/webhooks/email-alert.ts'
import { ownerOf } from '../../../../keys/caller.ts'
import type { Permission } from '../../../../lib/permissions.ts'
import { accountUrl } from '../account/account-url.ts'
import { moneyText } from '../account/account-components.ts'
import { limitCents } from '../keys/amount-field.ts'
import { fieldOf } from '../visitor/forms.ts'
import { sendPage } from '../visitor/send-page.ts'
import { OTHER_AMOUNT } from './buy-card.ts'
import { checkoutPage } from './checkout-page.ts'
import type { CreditDeps } from './credit-views.ts'
import { CREDIT_PATH, type CreditDone, type RejectedForm } from './credit-view.ts'

type Sent = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly visitor: Visitor
}

export type CreditForm = {
  readonly path: string
  readonly form: RejectedForm['form']
  readonly permission: Permission
  work(sent: Sent): Promise<FastifyReply>
  /** The fields to show again when the form is rejected. */
  valuesOf(body: unknown): Readonly<Record<string, string>>
}

const MICROS_PER_CENT = 10_000

/** The forms of /credit. Those of cards exist only when the gateway sells credit. */
export function creditForms(deps: CreditDeps): readonly CreditForm[] {
  const { cards } = deps
  return [
    alerts(deps),
    ...(cards === null
      ? []
      : [purchase({ ...deps, cards }), topup({ ...deps, cards }), cardRemoval(deps)]),
  ]
}

type SellingDeps = CreditDeps & { readonly cards: CardDesk }

function purchase({ pages, cards }: SellingDeps): CreditForm {
  const { database, now, site } = pages
  return {
    path: '/credit/buy',
    form: 'buy',
    permission: 'credit.buy',
    async work({ request, reply, visitor }) {
      const pack = fieldOf(request.body, 'pack')
      const cents =
        pack === OTHER_AMOUNT
          ? amountOf(request.body, 'amount')
          : /^\d{2,8}$/.test(pack)
            ? Number(pack)
            : Number.NaN
      const savesCard = fieldOf(request.body, 'save') === 'on'
      if (savesCard) requireManager(visitor.caller)
      const checkout = await buyCredit({ database, now, cards }, visitor.caller, {
        cents,
        savesCard,
        // Stripe fills in the id of the checkout.
        successUrl: `${site.publicUrl}/credit/return?session_id={CHECKOUT_SESSION_ID}`,
        cancelUrl: `${site.publicUrl}/credit/cancelled`,
      })
      return sendPage(
        reply,
        200,
        checkoutPage(site, { checkout, amount: moneyText(cents * MICROS_PER_CENT) }),
      )
    },
    valuesOf: fieldsOf('pack', 'amount'),
  }
}

function alerts({ pages: { database }, webhooks }: CreditDeps): CreditForm {
  return {
    path: '/credit/alerts',
    form: 'alerts',
    permission: 'topup.change',
    async work({ request, reply, visitor }) {
      await setBalanceAlert(database, visitor.caller, {
        low_balance_cents: amountOf(request.body, 'low'),
      })
      if (webhooks.sendsEmail)
        await setCreditEmails(
          webhooks,
          ownerOf(visitor.caller),
          fieldOf(request.body, 'email') === 'on',
        )
      return done(reply, visitor, 'alerts')
    },
    valuesOf: fieldsOf('low', 'email'),
  }
}

function topup({ pages: { database, now }, webhooks, cards }: SellingDeps): CreditForm {
  return {
    path: '/credit/top-up',
    form: 'top-up',
    permission: 'topup.change',
    async work({ request, reply, visitor }) {
      const { body } = request
      const { caller } = visitor
      const isOn = fieldOf(body, 'on') === 'on'
      const settings = {
        isOn,
        threshold: amountOf(body, 'threshold'),
        amount: amountOf(body, 'topup_amount'),
        monthly: amountOf(body, 'monthly'),
      }
      requireTopupSettings(caller, settings, cards.range)
      // Turning it on emails failed payments to the holder. This comes first because it can be rejected.
      const before = await readTopupSettings(database, caller.accountId, now())
      if (isOn && !before.isOn && webhooks.sendsEmail)
        await emailFailedTopups(webhooks, ownerOf(caller))
      await setTopupSettings(database, caller, settings, cards.range)
      return done(reply, visitor, isOn ? 'top-up-on' : 'top-up-off')
    },
    valuesOf: fieldsOf('on', 'threshold', 'topup_amount', 'monthly'),
  }
}

function cardRemoval({ pages: { database } }: CreditDeps): CreditForm {
  return {
    path: '/credit/card',
    form: 'card',
    permission: 'topup.change',
    async work({ reply, visitor }) {
      await removeCard(database, visitor.caller)
      return done(reply, visitor, 'card-removed')
    },
    valuesOf: fieldsOf(),
  }
}

function done(reply: FastifyReply, visitor: Visitor, what: CreditDone): FastifyReply {
  return reply.redirect(accountUrl(CREDIT_PATH, visitor, { done: what }), 303)
}

/** The cents of an amount field. Throws AppError invalid_params. */
function amountOf(body: unknown, field: string): number {
  const cents = limitCents(fieldOf(body, field).trim(), field, 'This')
  if (cents === null)
    throw new AppError('invalid_params', 'Enter an amount.', {
      param: field,
      fix: 'For example 20 or 20.00.',
    })
  return cents
}

function fieldsOf(...names: readonly string[]) {
  return (body: unknown): Readonly<Record<string, string>> =>
    Object.fromEntries(names.map((name) => [name, fieldOf(body, name)]))
}
