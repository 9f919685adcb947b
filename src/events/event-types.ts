/** Every type of event: its cause and the fields of its data. Documents and schemas come from here. */
type EventType = {
  readonly title: string
  /** The commit that writes it. */
  readonly cause: string
  readonly fields: Readonly<Record<string, string>>
}

const KEY = 'Key id (agk_…).'
const EXTERNAL_ID = 'The external_id of the key, or null.'
const JOB = {
  job_id: 'Job id (job_…). Read the result with core/result.',
  action: 'The action, such as core/onescrape-deep.',
  key_id: 'The key that submitted the job (agk_…).',
  charged_micros: 'The charge in micro-dollars; 0 for a failed job.',
  error_code: 'The error code of a failed job, or null.',
}
const BALANCE = {
  balance_micros: 'The balance in micro-dollars.',
  held_micros: 'The part of it that calls in progress hold.',
  low_balance_micros: 'The amount below which the balance is low.',
}

export const EVENT_TYPES = {
  'job.succeeded': {
    title: 'A job succeeded',
    cause:
      'A job ended with a result. A cancelled job that delivers its results so far has succeeded.',
    fields: JOB,
  },
  'job.failed': {
    title: 'A job failed',
    cause: 'A job ended without a result. It is not charged.',
    fields: JOB,
  },
  'job.cancelled': {
    title: 'A job was cancelled',
    cause: 'A job was cancelled before it had a result. It is not charged.',
    fields: JOB,
  },
  'key.threshold': {
    title: 'A key reached a part of its limit',
    cause:
      'A charge crosses 50, 80 or 100 % of the spending limit of a key. Once per key, period, limit and threshold. The spending of child keys counts for the keys above them, too.',
    fields: {
      key_id: KEY,
      external_id: EXTERNAL_ID,
      threshold_percent: 'The percentage that was crossed.',
      spent_micros: 'Spent in the current period.',
      ceiling_micros: 'The limit of the key.',
      ceiling_period: 'day, week, month or total.',
      window_start: 'The first day of the period (UTC); null for total.',
    },
  },
  'key.paused': {
    title: 'A key was paused',
    cause: 'A key was paused. It makes no paid calls until it is resumed.',
    fields: { key_id: KEY, external_id: EXTERNAL_ID },
  },
  'key.loop_suspected': {
    title: 'A key was paused because it repeats itself',
    cause:
      'The loop breaker stopped a key with breaker "stop" for the third time within an hour, and paused it.',
    fields: {
      key_id: KEY,
      external_id: EXTERNAL_ID,
      rule: 'repeated_call, fruitless_calls or steep_spending.',
      action: 'The action of the stopped call.',
      request_id: 'The stopped call (req_…).',
      seen: 'The number of calls in the loop.',
      since: 'The first of them.',
      spent_micros: 'The charges of these calls.',
    },
  },
  'key.expired': {
    title: 'A key expired',
    cause: 'The expiry of a key has passed. It makes no calls any longer.',
    fields: { key_id: KEY, external_id: EXTERNAL_ID, expired_at: 'The expiry of the key.' },
  },
  'balance.low': {
    title: 'The balance is low',
    cause:
      'A charge takes the balance below the low-balance amount, by default $1.00. Once per top-up or grant.',
    fields: BALANCE,
  },
  'balance.exhausted': {
    title: 'The balance is used up',
    cause: 'A charge takes the balance below one cent. Once per top-up or grant.',
    fields: BALANCE,
  },
  'topup.succeeded': {
    title: 'Credit was bought',
    cause: 'A payment was added to the balance.',
    fields: {
      transaction_id: 'Transaction id (tx_…).',
      amount_micros: 'The added amount.',
      balance_micros: 'The balance after it.',
    },
  },
  'topup.failed': {
    title: 'An automatic top-up failed',
    cause:
      'A saved card could not be charged, or the monthly maximum is reached. The third failure turns automatic top-ups off.',
    fields: {
      amount_micros: 'The amount of the top-up.',
      reason:
        'declined, authentication_required (the bank wants its holder to confirm), rejected or monthly_maximum.',
      automatic_topup:
        'on: the gateway tries again later. off: change the card to turn it on again.',
    },
  },
  'session.closing': {
    title: 'A compute session is about to close',
    cause:
      'A compute session cannot be paid for any longer, or reaches its longest lifetime, within a minute. With new credit, an unpaid session stays open.',
    fields: {
      session_id: 'Session id (ses_…).',
      service: 'The service of the session.',
      key_id: 'The key that opened it (agk_…).',
      close_reason: 'unpaid or lifetime.',
      closes_at: 'When it will close.',
    },
  },
  'session.closed': {
    title: 'A compute session closed',
    cause: 'A compute session ended.',
    fields: {
      session_id: 'Session id (ses_…).',
      service: 'The service of the session.',
      key_id: 'The key that opened it (agk_…).',
      close_reason: 'asked, unpaid, idle, lifetime, gone or preempted.',
      charged_micros: 'The charge of the whole session.',
    },
  },
  'inbox.message': {
    title: 'An inbox received a message',
    cause:
      'The gateway stored a message for an inbox at its own domain. Once per message. Inboxes at the vendor cause no events.',
    fields: {
      inbox_id: 'The address of the inbox.',
      message_id: 'The message. Read it with inbox/list-messages.',
      thread_id: 'The conversation that the message belongs to.',
      from: 'The sender, as the message claims it.',
      subject: 'The beginning of the subject.',
      attachment_count: 'The number of attached files.',
    },
  },
  'payment.unknown': {
    title: 'A payment has an unknown outcome',
    cause:
      'The gateway lost contact with a merchant after it signed a payment. The operator decides about it.',
    fields: {
      request_id: 'The request that needed the payment (req_…).',
      action: 'The action of the request.',
      merchant: 'The host of the merchant.',
      amount_micros: 'The amount of the payment.',
    },
  },
  'price.changed': {
    title: 'Prices changed',
    cause:
      'The gateway started with other prices. Once per start, for accounts that used a live key within 30 days.',
    fields: {
      count: 'The number of changed prices.',
      actions:
        'The first 50 of them: action (of an endpoint, with its name), and the price in words before and after.',
    },
  },
  'action.unavailable': {
    title: 'Actions were removed',
    cause:
      'The gateway started without actions or endpoints that it had before. Once per start, for accounts that used a live key within 30 days.',
    fields: {
      count: 'The number of removed actions and endpoints.',
      actions: 'The first 50 of them: action, and its former price (before).',
    },
  },
  'webhook.test': {
    title: 'Test event',
    cause: 'A caller requested a test of one webhook. Only this webhook receives it.',
    fields: { webhook_id: 'Webhook id (whk_…).' },
  },
} as const satisfies Readonly<Record<string, EventType>>

export type EventTypeName = keyof typeof EVENT_TYPES
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as readonly EventTypeName[]

/** Types and patterns that a webhook can subscribe to: "*", groups such as "job.*", and types. */
export const EVENT_PATTERNS: readonly string[] = [
  '*',
  ...new Set(EVENT_TYPE_NAMES.map((name) => `${name.split('.', 1)[0]}.*`)),
  ...EVENT_TYPE_NAMES,
]

/** Events for people. Jobs are too many for an inbox, and an email about an email could repeat for ever. */
export function isForEmail(pattern: string): boolean {
  return pattern !== '*' && !pattern.startsWith('job.') && !pattern.startsWith('inbox.')
}
