import { html, type Html } from '../../html/html.ts'
import { submitButton } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { checkField, field } from '../../html/components/field.ts'
import { moneyText } from '../account/account-components.ts'
import { amountText, errorOf, valueOf, type CreditView } from './credit-view.ts'

const MICROS_PER_CENT = 10_000
/** The value of the choice that names another amount. */
export const OTHER_AMOUNT = 'other'

/** Credit packs and a custom amount. The style sheet shows the sum of the chosen pack on the button. */
export function buyCard(view: CreditView, cards: NonNullable<CreditView['cards']>): Html {
  const { packs, range } = cards
  const { rejected } = view
  const usual = packs[Math.floor(packs.length / 2)] ?? range[0]
  const chosen = valueOf(rejected, 'buy', 'pack', String(usual))
  const isOther = chosen === OTHER_AMOUNT
  const saves = view.settings?.topup.isOn === true && view.settings.topup.card === null
  return card({
    title: 'Add credit',
    id: 'add',
    aside: html`<span class="muted">Available now <strong class="num">${moneyText(view.balance.available_micros)}</strong></span>`,
    content: html`<form class="buy" action="/credit/buy" method="post" data-buy>
<fieldset class="packs"><legend class="visually-hidden">Amount</legend>
${packs.map((cents) => html`<label class="pack"><input type="radio" name="pack" value="${cents}"${chosen === String(cents) && html` checked`}><span>${packText(cents)}</span></label>`)}
<label class="pack"><input type="radio" name="pack" value="${OTHER_AMOUNT}"${isOther && html` checked`}><span>Other</span></label>
</fieldset>
<div class="other-amount">${field({
      label: 'Another amount',
      name: 'amount',
      unit: '$',
      inputMode: 'decimal',
      maxLength: 20,
      autocomplete: 'off',
      value: valueOf(rejected, 'buy', 'amount', ''),
      hint: `From $${amountText(range[0])} to $${amountText(range[1])}.`,
      error: errorOf(rejected, 'buy', 'amount'),
    })}</div>
${view.settings !== null && checkField({ label: 'Save this card for automatic top-up', name: 'save', checked: saves, hint: 'Stripe stores the card. It is charged only as you set under Automatic top-up, and you can remove it at any time.' })}
${submitButton(html`Pay ${packs.map((cents) => html`<span class="sum">${moneyText(cents * MICROS_PER_CENT)}</span>`)}<span class="sum other" data-sum>this amount</span>`, { size: 'large', block: true })}
<p class="hint center">You pay on a page of Stripe and return here. Bought credit does not expire.</p>
</form>`,
  })
}

/** Whole dollars without cents. */
function packText(cents: number): string {
  return moneyText(cents * MICROS_PER_CENT).replace(/\.00$/, '')
}
