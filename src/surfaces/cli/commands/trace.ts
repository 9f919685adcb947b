import type { TransactionRecord } from '../../../history/transaction-record.ts'
import { findTransaction, type FoundTransaction } from '../../../history/find-transaction.ts'
import { readCallArtifacts, type CallArtifacts } from '../../../calls/call-artifacts.ts'
import type { Hop } from '../../../catalog/vocabulary/handlers.ts'
import type { Entry } from '../../../catalog/index.ts'
import { allActions } from '../all-actions.ts'
import { billingSentences } from '../../../catalog/published/billing-block.ts'
import { AppError } from '../../../errors/app-error.ts'
import { parsePublicId, type Id } from '../../../lib/ids.ts'
import { formatDollars } from '../../../lib/money.ts'
import { UsageError, type Command } from '../command.ts'
import { columns, facts } from '../show.ts'

export const trace: Command = {
  name: 'trace',
  summary: 'show the outcome of one call and the rule by which it was charged',
  operand: { value: '<id>', about: 'req_…, tx_… or job_… (all three identify the same call)' },
  flags: {},
  example: './tollgate trace req_0199e0c2b1f07000a1b2c3d4e5f60718',
  async run({ operand }, tools) {
    const id = idIn(operand)
    const database = await tools.database()
    const found = await findTransaction(database, id)
    if (found === null) {
      throw new AppError('not_found', `No transaction has the ID "${operand}".`, {
        fix: 'Free calls and calls rejected before their hold (invalid input, a spending limit, no credit) leave no transaction. Faults of the gateway or a vendor are in the log, in lines with this ID.',
      })
    }
    const artifacts = await readCallArtifacts(
      database,
      { accountId: found.accountId, mode: found.mode, keyId: null, scope: 'account' },
      id,
    )
    const rule = ruleOf(found.transaction, await allActions(tools))
    const { account, mode, keyLabel: key_label, transaction } = found
    return {
      data: { account, mode, key_label, transaction, rule, ...artifacts },
      text: [facts(linesOf(found, artifacts)), hopsOf(transaction), rule]
        .filter((part) => part !== null)
        .join('\n\n'),
    }
  },
}

function idIn(text: string): Id {
  const id = (['request', 'transaction', 'job'] as const)
    .map((kind) => parsePublicId(kind, text))
    .find((parsed) => parsed !== null)
  if (id === undefined)
    throw new UsageError('A call ID is req_, tx_ or job_ followed by 32 hexadecimal digits.')
  return id
}

function appLine({
  app_title: title,
  http_referer: address,
}: TransactionRecord): [string, string][] {
  const names = [title, address].filter((name) => name !== null)
  return names.length === 0 ? [] : [['app', names.join(' ')]]
}

function linesOf(
  { transaction, account, mode, keyLabel }: FoundTransaction,
  { job, answer, payments }: CallArtifacts,
): (readonly [string, string])[] {
  const { agent_id: keyId, external_id: externalId } = transaction
  return [
    ['account', `${account.id} (${account.email}), ${mode}`],
    ...(keyId === null
      ? []
      : [
          [
            'key',
            [
              keyId,
              ...(keyLabel === null ? [] : [`"${keyLabel}"`]),
              ...(externalId === null ? [] : [`external ID "${externalId}"`]),
            ].join(' '),
          ] as const,
        ]),
    [
      transaction.kind,
      transaction.service === null ? '–' : `${transaction.service}/${transaction.action}`,
    ],
    ...appLine(transaction),
    [
      'at',
      `${transaction.created_at}${transaction.latency_ms === null ? '' : `, ${transaction.latency_ms} ms`}`,
    ],
    [
      'status',
      `${transaction.status}${transaction.error_code === null ? '' : `: ${transaction.error_code}`}`,
    ],
    ['held', formatDollars(BigInt(transaction.held_micros))],
    ['charged', formatDollars(BigInt(transaction.charged_micros))],
    ...(job === null
      ? []
      : [
          [
            'job',
            [
              `${job.status}, attempt ${job.attempt}`,
              ...(job.cancelled ? ['cancelled by its caller'] : []),
              ...(job.error === null ? [] : [`${job.error.code}: ${job.error.message}`]),
            ].join(', '),
          ] as const,
        ]),
    ...(answer === null && (job !== null || transaction.request_id === null)
      ? []
      : [
          [
            'answer',
            answer === null
              ? 'not stored: the request had no Idempotency-Key'
              : `stored until ${answer.kept_until}: status ${answer.status}, ${answer.bytes} bytes`,
          ] as const,
        ]),
    ...payments.map(
      (payment) =>
        [
          'paid',
          `${formatDollars(BigInt(payment.amount_micros))} to ${payment.merchant} by ${payment.method}: ${payment.status}`,
        ] as const,
    ),
  ]
}

function hopsOf({ hops }: TransactionRecord): string | null {
  if (hops.length === 0) return null
  // Hops are stored as the answer had them. Metered use has no latency.
  const rows = (
    hops as readonly (Omit<Hop, 'latency_ms'> & { readonly latency_ms: number | null })[]
  ).map(({ provider, action, ok, charged_micros: charged, latency_ms: latency, skipped }) => [
    `${provider}/${action}`,
    skipped ?? (ok ? 'delivered' : 'no result'),
    formatDollars(BigInt(charged)),
    latency === null ? '' : `${latency} ms`,
  ])
  return columns(['vendor', 'result', 'charged', 'duration'], rows)
}

/** The current billing rule in plain words; null for a transaction without an action of the catalog. */
function ruleOf({ service, action }: TransactionRecord, actions: readonly Entry[]): string | null {
  const entry = actions.find(({ service: { id }, name }) => id === service && name === action)
  return entry === undefined ? null : billingSentences(entry.action).join(' ')
}
