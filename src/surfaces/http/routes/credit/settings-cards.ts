import type { TopupSettings } from '../../../../accounts/cards/topup-settings.ts'
import { html, type Html } from '../../html/html.ts'
import { actionForm, submitButton } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { badge } from '../../html/components/badge.ts'
import { checkField, field } from '../../html/components/field.ts'
import { note } from '../../html/components/note.ts'
import { moneyText } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'
import { amountText, errorOf, valueOf, type CreditView } from './credit-view.ts'

type Settings = NonNullable<CreditView['settings']>

const REPLACE_CARD = 'Add credit and save a card to replace it, then turn it on again.'
const TURN_ON = 'Turn it on again to charge the saved card when the balance is low.'

const OFF_BECAUSE: Readonly<Record<string, string>> = {
  declined: `The card was declined three times, so automatic top-up is off. ${REPLACE_CARD}`,
  authentication_required: `The bank wants you to confirm payments of this card, so automatic top-up is off. ${REPLACE_CARD}`,
  rejected: `The card processor rejected three payments, so automatic top-up is off. ${REPLACE_CARD}`,
  refund: `A card payment was refunded, so automatic top-up is off. ${TURN_ON}`,
  dispute: `A card payment was disputed at the bank, so automatic top-up is off. ${TURN_ON}`,
}

const MICROS_PER_CENT = 10_000
const BAR_WIDTH = 100

/** Automatic top-up: the card, when it is charged, and the most for a month. */
export function topupCard({ rejected }: CreditView, { topup }: Settings): Html {
  const amountField = (name: string, label: string, cents: number, hint?: string): Html =>
    field({
      label,
      name,
      unit: '$',
      inputMode: 'decimal',
      maxLength: 20,
      autocomplete: 'off',
      required: true,
      value: valueOf(rejected, 'top-up', name, amountText(cents)),
      error: errorOf(rejected, 'top-up', name),
      ...(hint === undefined ? {} : { hint }),
    })
  return card({
    title: 'Automatic top-up',
    id: 'top-up',
    aside: stateBadge(topup),
    content: html`${topup.offBecause !== null && note('warn', OFF_BECAUSE[topup.offBecause] ?? `Automatic top-up is off. ${REPLACE_CARD}`)}
<form class="stacked full" action="/credit/top-up" method="post">
${checkField({ label: 'Add credit when the balance is low', name: 'on', checked: rejected?.form === 'top-up' ? rejected.values['on'] === 'on' : topup.isOn, look: 'switch' })}
<div class="pair">${amountField('threshold', 'When below', topup.threshold)}${amountField('topup_amount', 'Add', topup.amount)}</div>
${amountField('monthly', 'At most a month', topup.monthly)}
${topup.usedThisMonth > 0 && monthBar(topup)}
<div class="row between"><span class="muted">${cardText(topup)}</span>${submitButton('Save', { kind: 'quiet', size: 'small' })}</div>
</form>
${topup.card !== null && actionForm('/credit/card', 'Remove card', { kind: 'plain', size: 'small' })}`,
  })
}

function stateBadge({ isOn, card: saved, isPaying }: TopupSettings): Html {
  if (isPaying) return badge('pending', 'Payment in progress')
  if (!isOn) return badge('free', 'Off')
  return saved === null ? badge('pending', 'Waiting for a card') : badge('live', 'On')
}

function cardText({ card: saved, isOn }: TopupSettings): Html | string {
  if (saved !== null) return html`${brandText(saved.brand)} ending ${saved.last4}`
  return isOn
    ? 'Starts when you add credit and save the card.'
    : 'No saved card. Save one when you add credit.'
}

export function brandText(brand: string): string {
  return brand.slice(0, 1).toUpperCase() + brand.slice(1)
}

function monthBar({ usedThisMonth: used, monthly }: TopupSettings): Html {
  const width = Math.min(BAR_WIDTH, Math.round((used / monthly) * BAR_WIDTH))
  return html`<div><svg class="limit-bar" viewBox="0 0 ${BAR_WIDTH} 1" preserveAspectRatio="none" aria-hidden="true"><rect class="whole" width="${BAR_WIDTH}" height="1"/><rect class="spent" width="${width}" height="1"/></svg><p class="hint">${moneyText(used * MICROS_PER_CENT)} of ${moneyText(monthly * MICROS_PER_CENT)} used this month</p></div>`
}

/** The amount below which balance.low is written, and its email. */
export function alertCard({ rejected, visitor }: CreditView, settings: Settings): Html {
  const { lowBalanceCents, emails, sendsEmail } = settings
  return card({
    title: 'Low balance',
    id: 'alerts',
    content: html`<form class="stacked full" action="${accountUrl('/credit/alerts', visitor)}" method="post">
${field({ label: 'Notify when below', name: 'low', unit: '$', inputMode: 'decimal', maxLength: 20, autocomplete: 'off', required: true, value: valueOf(rejected, 'alerts', 'low', amountText(lowBalanceCents)), error: errorOf(rejected, 'alerts', 'low') })}
${sendsEmail ? checkField({ label: 'Email me', name: 'email', checked: rejected?.form === 'alerts' ? rejected.values['email'] === 'on' : emails }) : html`<p class="hint">This gateway sends no email.</p>`}
<div class="row between"><a href="${accountUrl('/webhooks', visitor)}">Send it to a server or to Slack</a>${submitButton('Save', { kind: 'quiet', size: 'small' })}</div>
</form>`,
  })
}
