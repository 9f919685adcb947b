/** JSON Schemas for the responses of the gateway's own routes: keys, balance, transactions and files. */
import type { Balance, Lot } from '../../../accounts/balance.ts'
import type { Spending, SpendingOfDays } from '../../../history/read-spending.ts'
import { TRANSACTION_KINDS, TRANSACTION_STATUSES } from '../../../history/transaction-filter.ts'
import type { TransactionRecord } from '../../../history/transaction-record.ts'
import { SURFACES } from '../../../lib/surface.ts'
import { keySchemas } from './key-schemas.ts'
import { memberSchemas } from './member-schemas.ts'
import { recordSchemas } from './record-schemas.ts'
import {
  amount,
  amountOrNull,
  amounts,
  mode,
  record,
  text,
  textOrNull,
  time,
  timeOrNull,
  type FieldsOf,
} from './schema-parts.ts'

const lotFields: FieldsOf<Lot> = {
  transaction_id: { type: 'string', pattern: '^tx_' },
  source: { enum: ['grant', 'topup', 'refund', 'adjustment'] },
  ...amounts('amount', amount),
  ...amounts('remaining', amount),
  expires_at: timeOrNull,
  created_at: time,
}

const modelHop = {
  generation_id: {
    ...text,
    description: "For language models: the upstream's id of the response.",
  },
  metering: {
    enum: ['reported', 'estimated'],
    description:
      'For language models: whether the upstream reported the tokens or the gateway counted them.',
  },
  usage: {
    type: 'object',
    description: 'The billed tokens.',
    additionalProperties: amount,
  },
}

export const receipt = record(
  { merchant: text, method: text, reference: text, challenge_id: text, amount_micros: amount },
  'The payment to the merchant.',
)

const hop = {
  type: 'object',
  required: ['provider', 'action', 'ok', 'charged_cents', 'charged_micros', 'latency_ms'],
  properties: {
    provider: text,
    action: text,
    ok: { type: 'boolean' },
    ...amounts('charged', amount),
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
  agent_id: { ...textOrNull, description: 'Id of the calling key.' },
  external_id: textOrNull,
  request_id: textOrNull,
  job_id: textOrNull,
  held_micros: amount,
  ...amounts('charged', amount),
  amount_micros: {
    ...amount,
    description: 'The change of the balance: negative for a charge, positive for credit.',
  },
  balance_after_micros: {
    ...amountOrNull,
    description:
      'The balance after this transaction. Null while the call runs, and for a key of scope "own".',
  },
  hops: { type: 'array', items: hop, description: 'The vendor calls, in order.' },
  latency_ms: amountOrNull,
  error_code: textOrNull,
  sequence: {
    ...amountOrNull,
    description:
      'The position in the order of balance changes, which balance_after_micros follows. Rows are listed by the start of a call, and a job may end after later calls. Null whenever balance_after_micros is null.',
  },
  http_referer: {
    ...textOrNull,
    description: 'The address of the calling app: the header HTTP-Referer of a call of the router.',
  },
  app_title: {
    ...textOrNull,
    description:
      'The name of the calling app: the header X-OpenRouter-Title or X-Title of a call of the router.',
  },
  price_id: {
    ...textOrNull,
    description:
      'The id of the price rule that applied, as in the descriptor of the action. Null for language models, for fetches and for credit.',
  },
  surface: {
    enum: [...SURFACES, null],
    description: 'Where the call arrived: the HTTP API, the router or MCP. Null for credit.',
  },
}

const balanceFields: FieldsOf<Balance> = {
  mode,
  ...amounts('balance', amount),
  ...amounts('held', { ...amount, description: 'Held by calls in progress.' }),
  ...amounts('available', {
    ...amount,
    description: 'Balance minus holds; for a key of scope "own", the amount that it can spend.',
  }),
  ...amounts('spent_today', {
    ...amount,
    description:
      'Spent since 00:00 UTC by all keys of the account in this mode; for a key of scope "own", by this key.',
  }),
  ...amounts('spent_month', { ...amount, description: 'Spent since the first of the month.' }),
  lots: {
    type: 'array',
    items: record(lotFields),
    description: 'Remaining credit in the order of use; empty for a key of scope "own".',
  },
}

const spendingFields: FieldsOf<Spending> = {
  calls: {
    ...amount,
    description: 'Completed calls, without calls of free actions.',
  },
  released: { ...amount, description: 'Completed calls that failed and were not charged.' },
  ...amounts('charged', amount),
}

const spendingOfDaysFields: FieldsOf<SpendingOfDays> = {
  since: time,
  complete: {
    type: 'boolean',
    description: 'False if there are too many calls to count: the sums then start at `since`.',
  },
  total: record(spendingFields),
  days: {
    type: 'array',
    items: record({ date: { type: 'string', format: 'date' }, ...spendingFields }),
    description: 'Days (UTC) with calls, newest first.',
  },
  actions: {
    type: 'array',
    items: record({ service: text, action: text, ...spendingFields }),
    description: 'By action, highest spending first, at most 200.',
  },
  keys: {
    type: 'array',
    items: record({ agent_id: { type: 'string', pattern: '^agk_' }, ...spendingFields }),
    description: 'By key, highest spending first, at most 200.',
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
  source: { ...text, description: '"upload", "url", or the action that produced the file.' },
  created_at: time,
  get_url: text,
  expires_at: {
    ...time,
    description: 'When get_url expires. The file stays until it is deleted.',
  },
})

export const answerSchemas = {
  ...keySchemas,
  ...memberSchemas,
  Balance: record(balanceFields),
  Transaction: record(transactionFields),
  ...recordSchemas,
  Spending: record(spendingOfDaysFields),
  File: file,
  Healthy: record({ ok: { const: true } }),
}
