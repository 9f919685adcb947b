import { AppError } from '../errors/app-error.ts'
import { toRfc3339 } from '../lib/clock.ts'
import { idTimeMs, publicId, type Id } from '../lib/ids.ts'
import { onlyMaker, ownRoutesOf, type Owner } from '../lib/owner.ts'
import type { HistoryDatabase } from './histories.ts'
import { listTransactions } from './list-transactions.ts'
import { seenBy } from './transaction-filter.ts'
import type { TransactionRecord } from './transaction-record.ts'

/** A call by its id, or by the idempotency key that its caller sent. */
export type CallName = { readonly id: Id } | { readonly idempotencyKey: string }

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

type StoredRow = {
  readonly call_id: Id
  readonly status: number | null
  readonly body: string | null
  readonly expires_ms: bigint
}

type Reader = {
  readonly database: HistoryDatabase
  readonly owner: Owner
  readonly walletId: number
}

/**
 * The state of a call of the reader, free of charge. With a key that was used for several actions,
 * the newest call. Throws AppError unknown_transaction for an id that is no paid call of the reader.
 */
export async function findCall(reader: Reader, name: CallName): Promise<CallState> {
  const stored = await readStored(reader, name)
  const id = 'id' in name ? name.id : stored?.call_id
  const booked = id === undefined ? undefined : await readBooked(reader, id)
  if (id !== undefined && (stored !== undefined || booked !== undefined))
    return stateOf(id, stored, booked)
  if (!('id' in name)) return UNKNOWN
  throw new AppError('unknown_transaction', 'This account has no paid call with this id.', {
    fix: 'Send the X-Request-Id or transaction_id of a response. Calls that were rejected before they held credit are not stored.',
  })
}

function stateOf(
  id: Id,
  stored: StoredRow | undefined,
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

// Responses that contain a secret are stored encrypted, under routes with a space such as
// "POST /api/v1/agents". `base` is the route without the prefix of a key's own routes.
const STORED = `
  select call_id, status, body, expires_ms from answers
    cross join lateral (select case when route like 'key/%' then substr(route, 38) else route end as base) as own
    where account_id = $1 and base not like '% %' and starts_with(base, 'test:') = $3
      and ($4::text is null or starts_with(route, $4))`

async function readStored(
  { database, owner }: Reader,
  name: CallName,
): Promise<StoredRow | undefined> {
  const maker = onlyMaker(owner)
  const isById = 'id' in name
  const { rows } = await database.query<StoredRow>(
    `${STORED} and ${isById ? 'call_id' : 'idempotency_key'} = $2 order by call_id desc limit 1`,
    [
      owner.accountId,
      isById ? name.id : name.idempotencyKey,
      owner.mode === 'test',
      maker === null ? null : ownRoutesOf(maker),
    ],
  )
  return rows[0]
}

/** The hold or transaction of the call. A grant or top-up is no call. */
async function readBooked(
  { database, owner, walletId }: Reader,
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
