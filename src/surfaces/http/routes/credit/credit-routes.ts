import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBalance } from '../../../../accounts/balance.ts'
import type { CardDesk } from '../../../../accounts/card-desk.ts'
import { askForPayment, findCheckout } from '../../../../accounts/cards/checkouts.ts'
import { findPayment } from '../../../../accounts/cards/list-payments.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { requires } from '../../guards/requires.ts'
import { signInPage } from '../sign-in/sign-in-page.ts'
import { fieldOf, FORM_LIMIT_BYTES, redirectFormGet } from '../visitor/forms.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import { sendPage } from '../visitor/send-page.ts'
import { creditForms, type CreditForm } from './credit-forms.ts'
import { showCredit, type CreditDeps } from './credit-views.ts'
import { CREDIT_PATH } from './credit-view.ts'
import { cancelledPage, paymentPage } from './payment-page.ts'
import { receiptPage } from './receipt-page.ts'

/** The webhook gets these seconds before the page asks the card processor itself. */
const WEBHOOK_HEAD_START_MS = 5_000

/** /credit: adding credit, the pages after a payment, receipts, and the settings of credit. Requires `acceptForms`. */
export async function creditRoutes(app: FastifyInstance, deps: CreditDeps): Promise<void> {
  const { pages, methods } = deps
  const { site, findVisitor } = pages

  const visited =
    (
      show: (
        visitor: Visitor,
        request: FastifyRequest,
        reply: FastifyReply,
      ) => Promise<FastifyReply>,
    ) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const visitor = await findVisitor(request)
      return visitor === null
        ? sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
        : show(visitor, request, reply)
    }

  app.get(
    CREDIT_PATH,
    requires('calls.view'),
    visited((visitor, request, reply) =>
      showCredit(deps, reply, visitor, { done: fieldOf(request.query, 'done') }),
    ),
  )
  for (const form of creditForms(deps)) {
    redirectFormGet(app, form.path, CREDIT_PATH)
    registerForm(app, deps, form)
  }
  // The address of the form in earlier versions.
  redirectFormGet(app, '/balance/buy', CREDIT_PATH)
  const { cards } = deps
  if (cards === null) return
  app.get(
    '/credit/return',
    requires('credit.buy'),
    visited((visitor, request, reply) => showPayment({ ...deps, cards }, visitor, request, reply)),
  )
  app.get(
    '/credit/cancelled',
    requires('credit.buy'),
    visited(async (visitor, _request, reply) => sendPage(reply, 200, cancelledPage(site, visitor))),
  )
  app.get(
    '/credit/receipts/:id',
    requires('credit.buy'),
    visited(async (visitor, request, reply) => {
      requireAccountScope(visitor)
      const { id } = request.params as { id: string }
      const payment = await findPayment(pages.database, visitor.caller.accountId, id)
      return sendPage(reply, 200, receiptPage(site, { visitor, payment, seller: cards.seller }))
    }),
  )
}

/** The state of a checkout. If the webhook is late, it asks the processor. */
async function showPayment(
  { pages, cards }: CreditDeps & { readonly cards: CardDesk },
  visitor: Visitor,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { database, now, site } = pages
  requireAccountScope(visitor)
  const session = fieldOf(request.query, 'session_id')
  const { accountId } = visitor.caller
  let checkout = await findCheckout(database, accountId, session)
  // The visitor returns after the payment, so a new checkout has had its webhook by now.
  if (checkout.status === 'open' && now() - checkout.createdMs > WEBHOOK_HEAD_START_MS) {
    await askForPayment({ database, now, cards }, session)
    checkout = await findCheckout(database, accountId, session)
  }
  const balance = await readBalance({ database, now }, visitor.caller)
  return sendPage(reply, 200, paymentPage(site, { visitor, balance, checkout, nowMs: now() }))
}

/** A key of scope "own" does not see the credit of the account. */
function requireAccountScope({ caller }: Visitor): void {
  if (caller.scope === 'own')
    throw new AppError('not_found', 'This page does not exist for this key.', {
      fix: 'Sign in with the primary key of the account or by email.',
    })
}

function registerForm(
  app: FastifyInstance,
  deps: CreditDeps,
  { path, form, permission, work, valuesOf }: CreditForm,
): void {
  const { site, findVisitor } = deps.pages
  app.post(
    path,
    { bodyLimit: FORM_LIMIT_BYTES, ...requires(permission) },
    async (request, reply) => {
      requireOwnForm(request, site.publicUrl)
      const visitor = await findVisitor(request)
      if (visitor === null || visitor.caller.scope === 'own')
        return reply.redirect(CREDIT_PATH, 303)
      try {
        return await work({ request, reply, visitor })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return showCredit(deps, reply, visitor, {
          failed: { form, error, values: valuesOf(request.body) },
        })
      }
    },
  )
}
