/** The billing rule of an action, the same that decides what a call is charged. */
import type { Action } from '../vocabulary/define.ts'
import { isCapped } from '../vocabulary/tariff.ts'
import { amountText, centsNumber, priceText, priceUnit } from './price-block.ts'

export type BillingBlock = {
  readonly charge_when: 'never' | 'result' | 'success'
  readonly on_miss: 'free' | 'charged'
  readonly on_failure: 'free'
  readonly on_partial: 'free' | 'delivered_units' | 'full_price'
  readonly unit: string | null
  readonly rounding: 'none' | 'whole_cent'
  /** Cents per poll of a job. */
  readonly poll_price: number
}

export function billingBlock(action: Action): BillingBlock {
  const { billing, price } = action
  const free = price.kind === 'free'
  return {
    charge_when: free ? 'never' : billing.chargeWhen,
    on_miss: free ? 'free' : billing.onMiss,
    on_failure: 'free',
    on_partial: free ? 'free' : billing.onPartial,
    unit: priceUnit(price),
    rounding: price.kind === 'unit' && price.rounding !== undefined ? price.rounding : 'none',
    poll_price: centsNumber(billing.pollPrice ?? 0n),
  }
}

/** The same rule for people, one sentence each. */
export function billingSentences(action: Action): string[] {
  const { price } = action
  if (price.kind === 'free')
    return ['This action is free. A call holds nothing and charges nothing.']
  return [
    `Price: ${priceText(action)}.`,
    chargedWhen(action),
    'A call that fails, is refused or times out is never charged.',
    ...(price.kind === 'unit' || isCapped(price) || price.kind === 'budget'
      ? [partialSentence(action)]
      : []),
    ...(action.kind === 'job' ? [pollSentence(action)] : []),
    holdSentence(action),
    ...ceilingSentence(action),
  ]
}

function chargedWhen({ billing }: Action): string {
  if (billing.onMiss === 'charged')
    return 'The price is charged whenever the vendor answers, even when it found nothing.'
  if (billing.chargeWhen === 'success')
    return 'The price is charged when the call succeeds. An answer that found nothing is free.'
  return 'The price is charged only when something useful came back. An answer that found nothing is free.'
}

function partialSentence({ billing, price }: Action): string {
  if (price.kind === 'budget')
    return 'Each step that delivered is charged at its own price; the rest of the budget is given back when the job finishes.'
  if (isCapped(price))
    return 'What the vendor really charged is settled; the rest of the hold is given back.'
  if (billing.onPartial === 'full_price')
    return 'When only a part could be delivered, the full price is charged.'
  return 'When only a part could be delivered, only that part is charged.'
}

function pollSentence({ billing }: Action): string {
  const poll = billing.pollPrice ?? 0n
  return poll === 0n
    ? 'Asking for the result is free.'
    : `Asking for the result costs ${amountText(poll)} each time.`
}

function holdSentence(action: Action): string {
  const { price } = action
  const most =
    price.kind === 'unit'
      ? 'the most that this input can cost'
      : isCapped(price)
        ? 'the cap'
        : price.kind === 'budget'
          ? 'the budget'
          : 'the price'
  const end =
    price.kind === 'budget' || action.kind === 'job' ? 'when the job ends' : 'with the answer'
  return `Before the call, ${most} is held from your balance; what is not charged is released ${end}.`
}

/** What a ceiling below the hold does, where that depends on what counts. */
function ceilingSentence({ price }: Action): string[] {
  if (price.kind !== 'unit') return []
  switch (price.counted.by) {
    case 'number':
      return [
        `A max_cost_cents below that lowers ${price.counted.field} to what it pays for; the answer names the number under lowered.`,
      ]
    case 'list':
      return ['A max_cost_cents below that is refused: nothing is cut from a list.']
    case 'vendor':
      return ['A max_cost_cents below that is held in its place, and the charge stays within it.']
  }
}
