/** The pages after a checkout: paid, being confirmed, and cancelled. */
import type { Checkout } from '../../../../accounts/cards/checkouts.ts'
import type { Balance } from '../../../../accounts/balance.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { linkButton } from '../../html/components/button.ts'
import { icon } from '../../html/components/icon.ts'
import { emptyState, note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { code, time } from '../../html/components/text.ts'
import { toRfc3339 } from '../../../../lib/clock.ts'
import { moneyText } from '../account/account-components.ts'
import { CREDIT_PATH } from './credit-view.ts'

/** Payments take this long at most, except bank transfers. */
const USUAL_MS = 60_000
const REFRESH_SECONDS = 3

export type PaymentView = {
  readonly visitor: Visitor
  readonly balance: Balance
  readonly checkout: Checkout
  readonly nowMs: number
}

export function paymentPage(site: Site, view: PaymentView): string {
  const { visitor, checkout } = view
  const { receipt, status } = checkout
  const isWaiting = receipt === null && status !== 'expired'
  return layout(site, {
    path: CREDIT_PATH,
    title: receipt === null ? 'Confirming your payment' : 'Payment received',
    description: 'The state of a payment.',
    unlisted: true,
    viewer: visitor,
    crumbs: [{ label: 'Credit', href: CREDIT_PATH }, { label: 'Payment' }],
    islands: ['refresh'],
    ...(isWaiting ? { refreshSeconds: REFRESH_SECONDS } : {}),
    main: html`${pageHeader({ title: 'Credit' })}
<div id="payment"${isWaiting && html` data-refresh="${REFRESH_SECONDS}"`}>${receipt === null ? unpaid(view) : paid(view, receipt)}</div>`,
  })
}

function paid({ balance, checkout }: PaymentView, receipt: string): Html {
  const amount = moneyText(checkout.amountMicros)
  return html`<section class="card payment paid"><div class="payment-main"><span class="payment-mark">${icon('check')}</span><div>
<div role="status"><h2>Payment received, ${amount} added</h2></div>
<p class="muted">You can use the credit now.</p>
<p class="calls-to-action">${linkButton('/balance', 'Back to Home')} ${linkButton(`${CREDIT_PATH}/receipts/${receipt}`, 'Receipt', { kind: 'quiet', icon: 'receipt' })}</p></div></div>
<dl class="payment-sum"><dt>Available</dt><dd>${moneyText(balance.available_micros)}</dd><dd class="added">+${amount}</dd></dl>
${steps([
  ['Checkout opened', toRfc3339(checkout.createdMs)],
  ['Payment confirmed', checkout.creditedMs === null ? null : toRfc3339(checkout.creditedMs)],
  ['Credit added', checkout.creditedMs === null ? null : toRfc3339(checkout.creditedMs)],
])}</section>`
}

function unpaid(view: PaymentView): Html {
  const { checkout, balance, nowMs } = view
  if (checkout.status === 'expired')
    return note(
      'warn',
      html`<p><strong>This checkout has expired.</strong> No payment arrived, so nothing was added. <a href="${CREDIT_PATH}">Start a new payment</a>.</p>`,
    )
  const amount = moneyText(checkout.amountMicros)
  const isLong = nowMs - checkout.createdMs > USUAL_MS
  return html`<section class="card payment waiting"><div class="payment-main"><span class="payment-mark">${icon('history')}</span><div>
<div role="status"><h2>Confirming your payment of ${amount}…</h2></div>
<p>Stripe confirms most payments within seconds. You can leave this page: the credit is added without it.</p>
<p class="muted">This page updates by itself. <a href="">Reload</a></p></div></div>
<dl class="payment-sum"><dt>Available</dt><dd>${moneyText(balance.available_micros)}</dd><dd class="coming">+${amount} pending</dd></dl>
${steps([
  ['Checkout opened', toRfc3339(checkout.createdMs)],
  ['Payment confirmed', null],
  ['Credit added', null],
])}</section>
${isLong && note('info', html`<p><strong>Still waiting?</strong> Bank transfers can take days. If a card was charged, send the operator this id: ${code(checkout.session)}</p>`)}`
}

function steps(rows: readonly (readonly [string, string | null])[]): Html {
  return html`<ol class="payment-steps">${rows.map(([label, at]) => html`<li${at !== null && html` class="done"`}>${icon(at === null ? 'history' : 'check')}<span><strong>${label}</strong><br>${at === null ? 'Waiting' : time(at)}</span></li>`)}</ol>`
}

/** The page after a checkout that its visitor left without paying. */
export function cancelledPage(site: Site, visitor: Visitor): string {
  return layout(site, {
    path: CREDIT_PATH,
    title: 'Payment cancelled',
    description: 'The payment was cancelled.',
    unlisted: true,
    viewer: visitor,
    crumbs: [{ label: 'Credit', href: CREDIT_PATH }, { label: 'Payment' }],
    main: html`${pageHeader({ title: 'Payment cancelled' })}
${emptyState('card', 'You left the checkout, so nothing was paid and no credit was added.', linkButton(CREDIT_PATH, 'Back to Credit'))}`,
  })
}
