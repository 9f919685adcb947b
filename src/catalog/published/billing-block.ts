/**
 * The billing rule of an action, as machines and people read it. The same rule decides the charge.
 */
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

/** The billing rule in sentences. */
export function billingSentences(action: Action): string[] {
  const { price } = action
  if (price.kind === 'free')
    return [
      price.isRecorded === true
        ? 'The operator of this gateway charges nothing for this action. A call reserves one micro-dollar while it runs.'
        : 'This action is free: a call holds and charges nothing.',
    ]
  return [
    `Price: ${priceText(action)}.`,
    chargedWhen(action),
    'A call that fails, is rejected or times out is not charged.',
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
    return 'The price is charged whenever the vendor answers, even without a result.'
  if (billing.chargeWhen === 'success')
    return 'The price is charged when the call succeeds. An answer without a result is free.'
  return 'The price is charged only for a useful result. An answer without a result is free.'
}

function partialSentence({ billing, price }: Action): string {
  if (price.kind === 'budget')
    return 'Each successful step is charged at its own price. The rest of the budget is released when the job finishes.'
  if (isCapped(price))
    return 'You pay what the vendor charged, and the rest of the hold is returned.'
  if (billing.onPartial === 'full_price') return 'A partial result costs the full price.'
  return 'Only the delivered part of a partial result is charged.'
}

function pollSentence({ billing }: Action): string {
  const poll = billing.pollPrice ?? 0n
  return poll === 0n
    ? 'Polling for the result is free.'
    : `Each poll for the result costs ${amountText(poll)}.`
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
  return `The gateway holds ${most} from your balance before the call and releases the uncharged part ${end}.`
}

/** The effect of a max_cost_cents below the hold, if it depends on what counts. */
function ceilingSentence({ price }: Action): string[] {
  if (price.kind !== 'unit') return []
  switch (price.counted.by) {
    case 'number':
      return [
        `A lower max_cost_cents reduces ${price.counted.field} to the number that it covers; the answer returns that number in lowered.`,
      ]
    case 'list':
      return ['A lower max_cost_cents is rejected, because a list is never shortened.']
    case 'vendor':
      return ['A lower max_cost_cents becomes the hold, and the charge stays within it.']
  }
}
