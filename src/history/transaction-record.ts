import { toRfc3339 } from '../lib/clock.ts'
import { idTimeMs, publicId, type Id } from '../lib/ids.ts'
import { toCentsRoundedUp } from '../lib/money.ts'
import type { Surface } from '../lib/surface.ts'
import type { TransactionKind, TransactionStatus } from './transaction-filter.ts'

/** One row of the history: an open hold or a posted transaction. */
export type TransactionRecord = {
  readonly id: string
  readonly created_at: string
  readonly kind: TransactionKind
  readonly status: TransactionStatus
  readonly service: string | null
  readonly action: string | null
  readonly agent_id: string | null
  readonly external_id: string | null
  readonly request_id: string | null
  readonly job_id: string | null
  readonly held_micros: number
  readonly charged_cents: number
  readonly charged_micros: number
  /** The change of the balance: negative for a charge, positive for credit. */
  readonly amount_micros: number
  /** Null while the call is running, and for a key of scope "own". */
  readonly balance_after_micros: number | null
  readonly hops: readonly unknown[]
  readonly latency_ms: number | null
  readonly error_code: string | null
  /** The position in the order in which the wallet's money moved, which `balance_after_micros` follows; a job can end after calls that began later. Null when the balance is. */
  readonly sequence: number | null
  /** The app that made the call, as its headers name it. */
  readonly http_referer: string | null
  readonly app_title: string | null
  /** The id of the price rule that applied; null for models of the router, fetches and credit. */
  readonly price_id: string | null
  /** Where the call arrived; null for credit. */
  readonly surface: Surface | null
}

/** The columns of an export, in their order. */
export const CSV_COLUMNS = [
  'id',
  'created_at',
  'kind',
  'status',
  'service',
  'action',
  'agent_id',
  'external_id',
  'request_id',
  'job_id',
  'held_micros',
  'charged_cents',
  'charged_micros',
  'amount_micros',
  'balance_after_micros',
  'hops',
  'latency_ms',
  'error_code',
  'sequence',
  'http_referer',
  'app_title',
  'price_id',
  'surface',
] as const satisfies readonly (keyof TransactionRecord)[]

export type TransactionRow = {
  readonly id: Id
  /** The position among everything posted to the wallet; null while the call is running. */
  readonly sequence: bigint | null
  readonly kind: TransactionKind
  readonly status: TransactionStatus
  readonly service: string | null
  readonly action: string | null
  readonly budget_id: Id | null
  readonly external_id: string | null
  readonly http_referer: string | null
  readonly app_title: string | null
  readonly price_id: string | null
  readonly surface: Surface | null
  readonly held_micros: bigint
  readonly amount_micros: bigint
  readonly balance_after_micros: bigint | null
  readonly hops: readonly unknown[] | null
  readonly latency_ms: number | null
  readonly error_code: string | null
}

/** The columns of a `TransactionRow`, in `transactions` and in the view `open_calls`. */
export const COLUMNS =
  'id, sequence, kind, status, service, action, budget_id, external_id, http_referer, app_title, price_id, surface, held_micros, amount_micros, balance_after_micros, hops, latency_ms, error_code'

// A hold has the id of its request.
const MADE_BY_A_REQUEST: ReadonlySet<TransactionKind> = new Set(['call', 'job', 'llm'])
const CHARGING: ReadonlySet<TransactionKind> = new Set(['call', 'job', 'llm', 'session'])

export function transactionRecord(row: TransactionRow): TransactionRecord {
  const charged = CHARGING.has(row.kind) ? -row.amount_micros : 0n
  return {
    id: publicId('transaction', row.id),
    created_at: toRfc3339(idTimeMs(row.id)),
    kind: row.kind,
    status: row.status,
    service: row.service,
    action: row.action,
    agent_id: row.budget_id === null ? null : publicId('key', row.budget_id),
    external_id: row.external_id,
    request_id: MADE_BY_A_REQUEST.has(row.kind) ? publicId('request', row.id) : null,
    job_id: row.kind === 'job' ? publicId('job', row.id) : null,
    held_micros: Number(row.held_micros),
    charged_cents: toCentsRoundedUp(charged),
    charged_micros: Number(charged),
    amount_micros: Number(row.amount_micros),
    balance_after_micros:
      row.balance_after_micros === null ? null : Number(row.balance_after_micros),
    hops: row.hops ?? onlyHop(row, charged),
    latency_ms: row.latency_ms,
    error_code: row.error_code,
    sequence: row.sequence === null ? null : Number(row.sequence),
    http_referer: row.http_referer,
    app_title: row.app_title,
    price_id: row.price_id,
    surface: row.surface ?? usualSurface(row),
  }
}

function usualSurface({ kind, service }: TransactionRow): Surface | null {
  if (service === null) return null
  return kind === 'llm' ? 'router' : 'api'
}

// A call to a single vendor is stored without hops, because its own fields contain everything.
function onlyHop(row: TransactionRow, charged: bigint): readonly unknown[] {
  if (row.status === 'held' || row.service === null) return []
  return [
    {
      provider: row.service,
      action: row.action,
      ok: row.status === 'settled',
      charged_cents: toCentsRoundedUp(charged),
      charged_micros: Number(charged),
      latency_ms: row.latency_ms,
    },
  ]
}
