import type { Lot } from '../../../../accounts/balance.ts'
import type { Payment } from '../../../../accounts/cards/list-payments.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { badge } from '../../html/components/badge.ts'
import { card } from '../../html/components/card.ts'
import { emptyState, note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { table } from '../../html/components/table.ts'
import { time } from '../../html/components/text.ts'
import { moneyText } from '../account/account-components.ts'
import { accountUrl, TRANSACTIONS_PATH } from '../account/account-url.ts'
import { buyCard } from './buy-card.ts'
import { confirmationOf, CREDIT_PATH, type CreditView } from './credit-view.ts'
import { alertCard, brandText, topupCard } from './settings-cards.ts'

export function creditPage(site: Site, view: CreditView): string {
  const { visitor, cards, settings, rejected } = view
  const confirmation = confirmationOf(view.done)
  return layout(site, {
    path: CREDIT_PATH,
    title: 'Credit',
    description: 'Add credit, and see payments and receipts.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    islands: ['credit'],
    ...(confirmation === undefined ? {} : { confirmation }),
    main: html`${pageHeader({ title: 'Credit', lead: 'Calls that fail are not charged. Credit bought by card does not expire.' })}
${rejected !== undefined && rejected.field === null && note('bad', rejected.message)}
<div class="split credit"><div class="stack">
${cards === null || !view.mayBuy ? noSale(view) : buyCard(view, cards)}
${lotsCard(view)}
${view.payments.length > 0 && paymentsCard(view.payments)}
</div>
<div class="stack">${settings !== null && html`${cards !== null && topupCard(view, settings)}${alertCard(view, settings)}`}</div></div>`,
  })
}

/** The page of a key that sees only its own calls. */
export function noCreditPage(site: Site, visitor: CreditView['visitor']): string {
  return layout(site, {
    path: CREDIT_PATH,
    title: 'Credit',
    description: 'Credit of the account.',
    unlisted: true,
    viewer: visitor,
    main: html`${pageHeader({ title: 'Credit' })}
${emptyState('card', 'This key sees only its own calls and its limit. Sign in with the primary key or by email to see the credit of the account.')}`,
  })
}

function noSale({ balance, mayBuy }: CreditView): Html {
  return card({
    title: 'Add credit',
    id: 'add',
    content: html`<p>${balance.mode === 'test' ? 'Test credit cannot be bought. Simulated calls spend it.' : mayBuy ? 'The operator of this gateway can add credit.' : 'Owners and billing members of this account can add credit.'}</p>`,
  })
}

const SOURCES = {
  grant: 'Grant',
  topup: 'Top-up',
  refund: 'Refund',
  adjustment: 'Adjustment',
} as const

function lotsCard({ balance, payments, visitor }: CreditView): Html {
  const { lots } = balance
  const bought = new Map(payments.map((payment) => [payment.id, payment]))
  const rows = lots.map((lot) => [
    sourceOf(lot, bought.get(lot.transaction_id)),
    moneyText(lot.remaining_micros),
    moneyText(lot.amount_micros),
    time(lot.created_at),
    lot.expires_at === null ? 'Never' : time(lot.expires_at),
  ])
  return card({
    title: 'Your credit',
    id: 'credit',
    aside: html`<span class="muted">Used in this order</span>`,
    content:
      lots.length === 0
        ? html`<p>No credit remaining.</p>`
        : table(
            'Credit',
            ['Source', { figures: 'Remaining' }, { figures: 'Amount' }, 'Added', 'Expires'],
            rows,
          ),
    foot: html`<span>Failed calls are never charged.</span><a href="${accountUrl(TRANSACTIONS_PATH, visitor)}">All transactions</a>`,
  })
}

function sourceOf(lot: Lot, payment: Payment | undefined): string {
  return payment === undefined ? SOURCES[lot.source] : paymentText(payment)
}

/** "Visa ending 4242", or the kind of the payment. */
function paymentText({ source, card: paid }: Payment): string {
  const kind = source === 'automatic' ? 'Automatic top-up' : 'Card payment'
  return paid === null ? kind : `${kind}, ${brandText(paid.brand)} ${paid.last4}`
}

function paymentsCard(payments: readonly Payment[]): Html {
  return card({
    title: 'Payments',
    id: 'payments',
    content: table(
      'Payments',
      ['Date', 'Payment', { figures: 'Amount' }, { figures: 'Refunded' }, 'Receipt'],
      payments.map((payment) => [
        time(payment.at),
        paymentText(payment),
        moneyText(payment.amountMicros),
        payment.reversedMicros === 0
          ? '–'
          : html`${moneyText(payment.reversedMicros)} ${badge('free', reasonText(payment))}`,
        html`<a href="${CREDIT_PATH}/receipts/${payment.id}" aria-label="Receipt ${payment.number}">Receipt</a>`,
      ]),
    ),
  })
}

function reasonText({ reversals }: Payment): string {
  return reversals.some(({ reason }) => reason === 'dispute') ? 'Disputed' : 'Refunded'
}
