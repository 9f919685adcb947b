import { toLine, toSlackText } from '../../lib/escapes.ts'
import { formatDollars } from '../../lib/money.ts'
import type { EventRecord } from '../event-record.ts'
import { EVENT_TYPES } from '../event-types.ts'

/** The body that every receiver verifies: the same bytes on every try. */
export function jsonBody({ type, timestamp, data }: EventRecord): string {
  return JSON.stringify({ type, timestamp, data })
}

/** The body for a Slack incoming webhook. */
export function slackBody(event: EventRecord): string {
  return JSON.stringify({ text: toSlackText(describeEvent(event)) })
}

export function emailOf(
  event: EventRecord,
  { to, publicUrl }: { readonly to: string; readonly publicUrl: string },
): { readonly to: string; readonly subject: string; readonly text: string } {
  return {
    to,
    subject: `Tollgate: ${EVENT_TYPES[event.type].title}`,
    text: `${describeEvent(event)}

Time: ${event.timestamp}
Event: ${event.id} (${event.type})

Sent by the Tollgate at ${publicUrl}. Change these emails on ${publicUrl}/webhooks.
`,
  }
}

/** One sentence for people, in one line. Parts of it can come from strangers. */
export function describeEvent(event: EventRecord): string {
  return toLine(sentenceOf(event))
}

function sentenceOf({ type, data }: EventRecord): string {
  const text = (name: string): string => {
    const value = data[name]
    return typeof value === 'string' ? value : ''
  }
  const money = (name: string): string => formatDollars(BigInt(Number(data[name] ?? 0)))
  switch (type) {
    case 'job.succeeded':
      return `Job ${text('job_id')} (${text('action')}) succeeded and was charged ${money('charged_micros')}.`
    case 'job.failed':
      return `Job ${text('job_id')} (${text('action')}) failed with ${text('error_code')}. It was not charged.`
    case 'job.cancelled':
      return `Job ${text('job_id')} (${text('action')}) was cancelled. It was not charged.`
    case 'key.threshold':
      return `Key ${text('key_id')} reached ${Number(data['threshold_percent'])} % of its limit: ${money('spent_micros')} of ${money('ceiling_micros')} ${text('ceiling_period') === 'total' ? 'in total' : `per ${text('ceiling_period')}`}.`
    case 'key.paused':
      return `Key ${text('key_id')} was paused.`
    case 'key.loop_suspected':
      return `Key ${text('key_id')} was paused because it repeats itself: ${Number(data['seen'])} calls of ${text('action')} for ${money('spent_micros')} (${text('rule')}). Resume it on the page of the key.`
    case 'key.expired':
      return `Key ${text('key_id')} expired.`
    case 'balance.low':
      return `The balance is ${money('balance_micros')}, below ${money('low_balance_micros')}. Add credit to avoid failed calls.`
    case 'balance.exhausted':
      return `The balance is used up: ${money('balance_micros')}. Add credit to make further calls.`
    case 'topup.succeeded':
      return `${money('amount_micros')} was added. The balance is ${money('balance_micros')}.`
    case 'inbox.message':
      return `${text('inbox_id')} received a message from ${text('from')}: ${text('subject')}`
    case 'topup.failed':
      return describeFailedTopup(text('reason'), money('amount_micros'), text('automatic_topup'))
    case 'session.closing':
      return `Compute session ${text('session_id')} (${text('service')}) closes at ${text('closes_at')} (${text('close_reason')}).`
    case 'session.closed':
      return `Compute session ${text('session_id')} (${text('service')}) closed (${text('close_reason')}) and was charged ${money('charged_micros')}.`
    case 'payment.unknown':
      return `A payment of ${money('amount_micros')} to ${text('merchant')} for ${text('request_id')} has an unknown outcome. The operator of the gateway will check it.`
    case 'price.changed':
      return `${countOf(data, 'price', 'prices')} changed: ${listActions(data)}.`
    case 'action.unavailable':
      return `${countOf(data, 'action', 'actions')} can no longer be called: ${listActions(data)}.`
    case 'webhook.test':
      return 'This is a test event of Tollgate.'
  }
}

const TOPUP_FAILURES: Readonly<Record<string, string>> = {
  declined: 'the card was declined',
  authentication_required: 'the bank wants you to confirm the payment',
  rejected: 'the card processor rejected the payment',
  monthly_maximum: 'the monthly maximum is reached',
}

function describeFailedTopup(reason: string, amount: string, state: string): string {
  const next =
    state === 'off'
      ? 'Automatic top-up is off now. Add credit and save a card to turn it on again.'
      : reason === 'monthly_maximum'
        ? 'It continues next month. Raise the maximum to continue earlier.'
        : 'The gateway tries again later.'
  return `An automatic top-up of ${amount} failed: ${TOPUP_FAILURES[reason] ?? reason}. ${next}`
}

type Data = EventRecord['data']

function countOf({ count }: Data, one: string, several: string): string {
  return `${Number(count)} ${count === 1 ? one : several}`
}

const MOST_LISTED = 5

/** The first actions of a change of the catalog, with their new prices if they have one. */
function listActions({ actions, count }: Data): string {
  if (!Array.isArray(actions)) return ''
  const named = (actions as readonly Readonly<Record<string, unknown>>[])
    .slice(0, MOST_LISTED)
    .map(({ action, before, after }) =>
      typeof after === 'string'
        ? `${String(action)} from ${String(before)} to ${after}`
        : String(action),
    )
  const more = Number(count) - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
