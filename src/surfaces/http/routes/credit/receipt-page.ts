import type { Payment, Reversal } from '../../../../accounts/cards/list-payments.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { publicId } from '../../../../lib/ids.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { facts } from '../../html/components/card.ts'
import { table } from '../../html/components/table.ts'
import { code } from '../../html/components/text.ts'
import { moneyText } from '../account/account-components.ts'
import { CREDIT_PATH } from './credit-view.ts'
import { brandText } from './settings-cards.ts'

export type ReceiptView = {
  readonly visitor: Visitor
  readonly payment: Payment
  /** The name of the operator. */
  readonly seller: string
}

/** One payment, to print or to save as a PDF file. */
export function receiptPage(site: Site, { visitor, payment, seller }: ReceiptView): string {
  const { amountMicros: amount, reversedMicros: reversed, reversals } = payment
  const account = publicId('account', visitor.caller.accountId)
  return layout(site, {
    path: CREDIT_PATH,
    title: `Receipt ${payment.number}`,
    description: 'The receipt of a payment.',
    unlisted: true,
    viewer: visitor,
    crumbs: [{ label: 'Credit', href: CREDIT_PATH }, { label: `Receipt ${payment.number}` }],
    islands: ['credit'],
    main: html`<article class="card receipt">
<header class="row between"><div><h1>Receipt</h1><p class="muted">${payment.number}</p></div><div class="receipt-seller"><strong><bdi>${seller}</bdi></strong><br><span class="muted">${new URL(site.publicUrl).host}</span></div></header>
${facts([
  ['Date', dateText(payment.at)],
  [
    'Account',
    visitor.email === null ? code(account) : html`<bdi>${visitor.email}</bdi><br>${code(account)}`,
  ],
  ['Paid by', paidBy(payment)],
  ['Payment reference', code(payment.reference)],
  ['Transaction', code(payment.id)],
])}
${table(
  'Items',
  ['Item', { figures: 'Amount' }],
  [
    [
      payment.source === 'automatic' ? 'Tollgate credit, automatic top-up' : 'Tollgate credit',
      moneyText(amount),
    ],
    ...reversals.map((reversal) => [
      reversalText(reversal),
      `-${moneyText(reversal.amountMicros)}`,
    ]),
    [html`<strong>Total paid</strong>`, html`<strong>${moneyText(amount - reversed)}</strong>`],
  ],
)}
<p class="muted">${reversed > 0 ? 'Refunded and disputed amounts were taken from the credit of the account.' : 'Paid in full. Amounts are in US dollars.'}</p>
<p class="calls-to-action no-print"><button class="button quiet needs-script" type="button" data-print>Print or save as PDF</button> <a class="button plain" href="${CREDIT_PATH}">Back to Credit</a></p>
</article>`,
  })
}

function paidBy({ card, source }: Payment): Html | string {
  const by = source === 'automatic' ? 'Saved card' : 'Card'
  return card === null ? by : html`${brandText(card.brand)} ending ${card.last4}`
}

function reversalText({ reason, at }: Reversal): string {
  const name = reason === 'refund' ? 'Refund to the card' : 'Disputed by the cardholder'
  return at === null ? name : `${name}, ${dateText(at)}`
}

/** A receipt names the day, also on paper and without scripts. */
function dateText(rfc3339: string): string {
  return `${rfc3339.slice(0, 10)} ${rfc3339.slice(11, 16)} UTC`
}
