/** What the gateway's own routes answer, as JSON Schema: keys, balance and transactions. */
import type { Balance, Lot } from '../../../accounts/balance.ts'
import type { Spending, SpendingOfDays } from '../../../history/read-spending.ts'
import { TRANSACTION_KINDS, TRANSACTION_STATUSES } from '../../../history/transaction-filter.ts'
import type { TransactionRecord } from '../../../history/transaction-record.ts'
import type { KeyRecord } from '../../../keys/key-record.ts'
import { SCOPES } from '../../../lib/owner.ts'

type Fields = Readonly<Record<string, object>>

/** An object that always has all of these fields. */
export const record = (properties: Fields, description?: string) => ({
  type: 'object',
  ...(description === undefined ? {} : { description }),
  required: Object.keys(properties),
  properties,
})

const text = { type: 'string' }
const textOrNull = { type: ['string', 'null'] }
const time = { type: 'string', format: 'date-time' }
const timeOrNull = { type: ['string', 'null'], format: 'date-time' }
const amount = { type: 'integer' }
const amountOrNull = { type: ['integer', 'null'] }
const mode = { enum: ['live', 'test'] }

/** An amount twice: in whole cents and, exactly, in micro-dollars. */
const twice = <Name extends string>(name: Name, schema: object) =>
  ({ [`${name}_cents`]: schema, [`${name}_micros`]: schema }) as Readonly<
    Record<`${Name}_cents` | `${Name}_micros`, object>
  >

/** A schema of all that such a record has, and of nothing else. */
type FieldsOf<Told> = Readonly<Record<keyof Told, object>>

const keyFields: FieldsOf<KeyRecord> = {
  id: { type: 'string', pattern: '^agk_' },
  label: textOrNull,
  external_id: textOrNull,
  mode,
  status: { enum: ['active', 'paused', 'revoked'] },
  primary: { type: 'boolean', description: 'Only the primary key may change keys.' },
  scope: {
    enum: [...SCOPES],
    description:
      '"own": the key sees and touches only what it made itself; "account": everything of its account.',
  },
  key_prefix: { type: 'string', description: 'The beginning of the secret, to recognise it by.' },
  former_key_valid_until: {
    ...timeOrNull,
    description:
      'Until when the secret before this one works, after a rotation; null: it does not.',
  },
  ceiling_cents: { ...amountOrNull, description: 'Null: no ceiling.' },
  ceiling_period: { enum: ['day', 'week', 'month'] },
  ...twice('spent', { ...amount, description: 'In this window.' }),
  ...twice('held', { ...amount, description: 'By calls in progress.' }),
  ...twice('remaining', {
    ...amountOrNull,
    description: 'What the ceiling leaves; null without a ceiling.',
  }),
  window_started_at: time,
  window_resets_at: time,
  last_used_at: timeOrNull,
  created_at: time,
}

const secret = {
  key: {
    type: 'string',
    pattern: '^tg_(live|test)_',
    description: 'The secret. It is in this answer and nowhere else.',
  },
}

const lotFields: FieldsOf<Lot> = {
  transaction_id: { type: 'string', pattern: '^tx_' },
  source: { enum: ['grant', 'topup', 'refund', 'adjustment'] },
  ...twice('amount', amount),
  ...twice('remaining', amount),
  expires_at: timeOrNull,
  created_at: time,
}

const modelHop = {
  metering: {
    enum: ['reported', 'estimated'],
    description:
      'Of a language model: whether the upstream reported the tokens, or they were counted here.',
  },
  usage: {
    type: 'object',
    description: 'The tokens that were billed.',
    additionalProperties: amount,
  },
}

export const receipt = record(
  { merchant: text, method: text, reference: text, challenge_id: text, amount_micros: amount },
  'What a merchant was paid for it.',
)

const hop = {
  type: 'object',
  required: ['provider', 'action', 'ok', 'charged_cents', 'charged_micros', 'latency_ms'],
  properties: {
    provider: text,
    action: text,
    ok: { type: 'boolean' },
    ...twice('charged', amount),
    latency_ms: amount,
    skipped: text,
    ...modelHop,
  },
}

const transactionFields: FieldsOf<TransactionRecord> = {
  id: { type: 'string', pattern: '^tx_' },
  created_at: time,
  kind: { enum: TRANSACTION_KINDS },
  status: { enum: TRANSACTION_STATUSES },
  service: textOrNull,
  action: textOrNull,
  agent_id: { ...textOrNull, description: 'Id of the key that made the call.' },
  external_id: textOrNull,
  request_id: textOrNull,
  job_id: textOrNull,
  held_micros: amount,
  ...twice('charged', amount),
  amount_micros: {
    ...amount,
    description: 'What the balance moved by: below zero for a charge, above for credit.',
  },
  balance_after_micros: {
    ...amountOrNull,
    description:
      'When the money moved. Null while the call is running, and for a key of scope "own".',
  },
  hops: { type: 'array', items: hop, description: 'The vendor calls that it took, in order.' },
  latency_ms: amountOrNull,
  error_code: textOrNull,
  sequence: {
    ...amountOrNull,
    description:
      'The place in the order in which the money of the account moved, which balance_after_micros follows: rows are listed by when calls began, and a job outlasts calls that began after it. Null as balance_after_micros is.',
  },
}

const balanceFields: FieldsOf<Balance> = {
  mode,
  ...twice('balance', amount),
  ...twice('held', { ...amount, description: 'By calls in progress.' }),
  ...twice('available', {
    ...amount,
    description:
      'Balance less what is held; what the calling key may spend where its scope is "own".',
  }),
  ...twice('spent_today', {
    ...amount,
    description:
      'By all keys of the account in this mode since 00:00 UTC; by the calling key alone where its scope is "own".',
  }),
  ...twice('spent_month', { ...amount, description: 'The same since the first of the month.' }),
  lots: {
    type: 'array',
    items: record(lotFields),
    description:
      'Credit that is left, in the order in which it is spent; empty for a key of scope "own".',
  },
}

const spendingFields: FieldsOf<Spending> = {
  calls: {
    ...amount,
    description: 'Calls that ended. Calls in progress and calls of free actions are not counted.',
  },
  released: { ...amount, description: 'Those of them that cost nothing, because they failed.' },
  ...twice('charged', amount),
}

const spendingOfDaysFields: FieldsOf<SpendingOfDays> = {
  since: time,
  complete: {
    type: 'boolean',
    description:
      'False when there are too many calls to count: then only those from `since` on are in here.',
  },
  total: record(spendingFields),
  days: {
    type: 'array',
    items: record({ date: { type: 'string', format: 'date' }, ...spendingFields }),
    description: 'Days (UTC) with calls, the newest first.',
  },
  actions: {
    type: 'array',
    items: record({ service: text, action: text, ...spendingFields }),
    description: 'By action, the dearest first, 200 at most.',
  },
  keys: {
    type: 'array',
    items: record({ agent_id: { type: 'string', pattern: '^agk_' }, ...spendingFields }),
    description: 'By key, the dearest first, 200 at most.',
  },
}

const file = record({
  file_id: { type: 'string', pattern: '^file_' },
  filename: text,
  mime: text,
  size: { ...amount, description: 'In bytes.' },
  sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  tags: { type: 'array', items: text },
  note: textOrNull,
  source: { ...text, description: '"upload", "url", or the action whose output it is.' },
  created_at: time,
  get_url: text,
  expires_at: {
    ...time,
    description: 'Until when get_url works. The file stays until it is deleted.',
  },
})

export const answerSchemas = {
  Key: record(keyFields),
  OwnKey: record({
    ...keyFields,
    ...twice('spendable', {
      ...amount,
      description: 'The lesser of what the ceiling and the balance leave; 0 for a paused key.',
    }),
  }),
  KeyWithSecret: record({ ...keyFields, ...secret }),
  Balance: record(balanceFields),
  Transaction: record(transactionFields),
  Spending: record(spendingOfDaysFields),
  File: file,
  Healthy: record({ ok: { const: true } }),
}
