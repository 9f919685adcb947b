import { AppError } from '../errors/app-error.ts'
import { toRfc3339 } from '../lib/clock.ts'
import { idTimeMs, parsePublicId, publicId, type Id } from '../lib/ids.ts'
import { listTransactions } from './list-transactions.ts'
import {
  readStoredAnswer,
  type AnswerReader,
  type CallName,
  type StoredAnswerRow,
} from './stored-answers.ts'
import { seenBy } from './transaction-filter.ts'
import type { TransactionRecord } from './transaction-record.ts'

/** The outcome of a call, for a caller who lost its response. */
export type CallState = {
  /**
   * "unknown": no call with this key is running or has an answer, so it charged nothing, and the
   * same request may be sent again.
   */
  readonly state: 'in_progress' | 'answered' | 'uncharged' | 'unknown'
  readonly request_id: string | null
  readonly transaction_id: string | null
  readonly created_at: string | null
  readonly charged_micros: number | null
  readonly error_code: string | null
  /** The response, while it is stored. Only calls with an idempotency key and media calls store it. */
  readonly answer: { readonly status: number; readonly body: unknown } | null
  readonly answer_stored_until: string | null
}

const UNKNOWN: CallState = {
  state: 'unknown',
  request_id: null,
  transaction_id: null,
  created_at: null,
  charged_micros: null,
  error_code: null,
  answer: null,
  answer_stored_until: null,
}

export type CallReader = AnswerReader & { readonly walletId: number }

/**
 * The state of a call of the reader, free of charge. With a key that was used for several actions,
 * the newest call. Throws AppError unknown_transaction for an id that is no paid call of the reader.
 */
export async function findCall(reader: CallReader, name: CallName): Promise<CallState> {
  const stored = await readStoredAnswer(reader, name)
  const id = 'id' in name ? name.id : stored?.call_id
  const booked = id === undefined ? undefined : await readBooked(reader, id)
  if (id !== undefined && (stored !== undefined || booked !== undefined))
    return stateOf(id, stored, booked)
  if (!('id' in name)) return UNKNOWN
  throw new AppError('unknown_transaction', 'This account has no paid call with this id.', {
    fix: 'Send the X-Request-Id or transaction_id of a response. GET /api/v1/calls lists calls that held no credit, such as rejected ones, for some days.',
  })
}

function stateOf(
  id: Id,
  stored: StoredAnswerRow | undefined,
  booked: TransactionRecord | undefined,
): CallState {
  const hasAnswer = stored !== undefined && stored.status !== null && stored.body !== null
  const isRunning = booked?.status === 'held' || (booked === undefined && !hasAnswer)
  return {
    state: isRunning ? 'in_progress' : booked?.status === 'released' ? 'uncharged' : 'answered',
    request_id: publicId('request', id),
    transaction_id: booked?.id ?? null,
    created_at: toRfc3339(idTimeMs(id)),
    charged_micros: booked?.charged_micros ?? null,
    error_code: booked?.error_code ?? null,
    answer: hasAnswer ? { status: stored.status, body: readBody(stored.body ?? '') } : null,
    answer_stored_until: hasAnswer ? toRfc3339(Number(stored.expires_ms)) : null,
  }
}

/** Streams are stored as text, everything else as JSON. */
function readBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** The hold or transaction of the call. A grant or top-up is no call. */
async function readBooked(
  { database, owner, walletId }: CallReader,
  id: Id,
): Promise<TransactionRecord | undefined> {
  const { transactions } = await listTransactions(database, {
    walletId,
    filter: { id, ...seenBy(owner) },
    cursor: null,
    limit: 1,
  })
  return transactions.find(({ service }) => service !== null)
}

/** The id of a call from its request id or transaction id. Throws AppError unknown_transaction. */
export function readCallId(text: string): string {
  const id = parsePublicId('request', text) ?? parsePublicId('transaction', text)
  if (id !== null) return id
  throw new AppError('unknown_transaction', 'This is no id of a call.', {
    fix: 'Send an id such as req_… from the X-Request-Id header of a response, or tx_….',
  })
}
