import { errorCatalog, type ErrorCode, type ErrorSpec } from '../../errors/catalog.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import { idTimeMs, publicId, type Id } from '../../lib/ids.ts'
import type { Surface } from '../../lib/surface.ts'
import type { LoggedError } from '../log/logged-call.ts'
import type { ChargeState } from '../transaction-filter.ts'
import type { TransactionRecord } from '../transaction-record.ts'

/** One call of the account, from the ledger, the call log, or both. */
export type CallRecord = {
  /** The request id (req_…); for a session the transaction id (tx_…); null for `omitted` calls. */
  readonly id: string | null
  readonly created_at: string
  readonly charge: ChargeState
  /** Null while the call is running. */
  readonly http_status: number | null
  readonly surface: Surface
  readonly service: string | null
  readonly action: string | null
  readonly agent_id: string | null
  readonly external_id: string | null
  readonly duration_ms: number | null
  readonly held_micros: number
  readonly charged_micros: number
  readonly error: LoggedError | null
  /** The answer was stored by an earlier request with the same idempotency key. */
  readonly replayed: boolean
  /** Null for calls that held no credit. */
  readonly transaction_id: string | null
  readonly price_id: string | null
  readonly hops: readonly unknown[]
  /** More than 0: this row counts further calls of one minute that are not listed one by one. */
  readonly omitted: number
}

/** A row of `call_log`. */
export type LogRow = {
  readonly id: Id
  readonly budget_id: Id | null
  readonly surface: Surface
  readonly service: string | null
  readonly action: string | null
  readonly external_id: string | null
  readonly http_status: number
  readonly error_code: string | null
  readonly message: string | null
  readonly param: string | null
  readonly fix: string | null
  readonly replayed: boolean
  readonly charged: boolean
  readonly duration_ms: number
  readonly omitted: number
}

export const LOG_COLUMNS =
  'id, budget_id, surface, service, action, external_id, http_status, error_code, message, param, fix, replayed, charged, duration_ms, omitted'

const OK = 200
// Its request was answered before it ended.
const ANSWERED_EARLY = new Set(['job', 'session'])

/** The call of a transaction or open hold. */
export function callOfTransaction(line: TransactionRecord): CallRecord {
  const isOk = line.status === 'settled' || ANSWERED_EARLY.has(line.kind)
  const error = line.error_code === null ? null : catalogError(line.error_code)
  return {
    id: line.request_id ?? line.id,
    created_at: line.created_at,
    charge:
      line.status === 'held' ? 'pending' : line.charged_micros > 0 ? 'charged' : 'not_charged',
    http_status:
      line.status === 'held' ? null : isOk || error === null ? OK : statusOf(line.error_code),
    surface: line.surface ?? 'api',
    service: line.service,
    action: line.action,
    agent_id: line.agent_id,
    external_id: line.external_id,
    duration_ms: line.latency_ms,
    held_micros: line.held_micros,
    charged_micros: line.charged_micros,
    error,
    replayed: false,
    transaction_id: line.id,
    price_id: line.price_id,
    hops: line.hops,
    omitted: 0,
  }
}

export function callOfLog(row: LogRow): CallRecord {
  return {
    id: row.omitted > 0 ? null : publicId('request', row.id),
    created_at: toRfc3339(idTimeMs(row.id)),
    charge: row.charged ? 'charged' : 'not_charged',
    http_status: row.http_status,
    surface: row.surface,
    service: row.service,
    action: row.action,
    agent_id: row.budget_id === null ? null : publicId('key', row.budget_id),
    external_id: row.external_id,
    duration_ms: row.omitted > 0 ? null : row.duration_ms,
    held_micros: 0,
    charged_micros: 0,
    error: errorOfRow(row),
    replayed: row.replayed,
    transaction_id: null,
    price_id: null,
    hops: [],
    omitted: row.omitted,
  }
}

/** A failed call that held credit is in both: its money from the ledger, its error from the log. */
export function mergeCalls(booked: CallRecord, logged: CallRecord): CallRecord {
  return { ...booked, http_status: logged.http_status, error: logged.error ?? booked.error }
}

function errorOfRow({ error_code: code, message, param, fix }: LogRow): LoggedError | null {
  if (code === null) return null
  const usual = catalogError(code)
  return { code, message: message ?? usual.message, param, fix: fix ?? usual.fix }
}

/** The error as the catalog describes it. The exact message of a call is only in the log. */
function catalogError(code: string): LoggedError {
  const spec = specOf(code)
  return { code, message: `${spec?.title ?? code}.`, param: null, fix: spec?.fix ?? '' }
}

function statusOf(code: string | null): number {
  return specOf(code)?.status ?? errorCatalog.internal.status
}

function specOf(code: string | null): ErrorSpec | undefined {
  return code !== null && Object.hasOwn(errorCatalog, code)
    ? errorCatalog[code as ErrorCode]
    : undefined
}
