import type { SqlValue } from '../db/database.ts'
import { firstIdAt, type Id } from '../lib/ids.ts'
import { onlyMaker, type Owner } from '../lib/owner.ts'
import type { Surface } from '../lib/surface.ts'

export const TRANSACTION_KINDS = [
  'call',
  'job',
  'llm',
  'session',
  'topup',
  'grant',
  'refund',
  'adjustment',
] as const
export const TRANSACTION_STATUSES = ['held', 'settled', 'released'] as const
export type TransactionKind = (typeof TRANSACTION_KINDS)[number]
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

/** Selects rows of a wallet's history. Every field narrows the result. */
export type TransactionFilter = {
  /** Unix milliseconds: inclusive start and exclusive end. */
  readonly fromMs?: number
  readonly toMs?: number
  /** A transaction has the id of its request. */
  readonly id?: Id
  readonly keyId?: Id
  /** For a reader of scope "own": the only key whose calls are shown. Balances are hidden. */
  readonly onlyKeyId?: Id
  readonly externalId?: string
  readonly service?: string
  readonly action?: string
  readonly status?: TransactionStatus
  readonly kind?: TransactionKind
  /** Only calls, and no credit. */
  readonly isCall?: true
  readonly charge?: ChargeState
  /** Only calls with an HTTP status: 200 if `isOk`, and those of these error codes. */
  readonly outcome?: { readonly isOk: boolean; readonly errorCodes: readonly string[] }
  readonly errorCode?: string
  readonly surface?: Surface
}

/** Whether money moved for a call. */
export const CHARGE_STATES = ['charged', 'pending', 'not_charged'] as const
export type ChargeState = (typeof CHARGE_STATES)[number]

/** The part of a filter that the reader's scope adds. */
export function seenBy(
  reader: Pick<Owner, 'keyId' | 'scope'>,
): Pick<TransactionFilter, 'onlyKeyId'> {
  const maker = onlyMaker(reader)
  return maker === null ? {} : { onlyKeyId: maker }
}

/** A period as bounds of ids, which begin with their time. */
export type Stretch = { readonly from: Id; readonly before: Id }

const AFTER_EVERY_ID = 'f'.repeat(32)

export function stretchOf({ fromMs, toMs }: TransactionFilter, cursor: Id | null): Stretch {
  const until = toMs === undefined ? AFTER_EVERY_ID : firstIdAt(toMs)
  return {
    from: firstIdAt(fromMs ?? 0),
    before: cursor !== null && cursor < until ? cursor : until,
  }
}

/** Whether few of many rows may match without a usable index. Open holds are always few, and ids have the primary key. */
export function mayBeSparse({
  id,
  keyId,
  onlyKeyId,
  externalId,
  service,
  action,
  status,
  kind,
  charge,
  outcome,
  errorCode,
  surface,
}: TransactionFilter): boolean {
  if (status === 'held' || id !== undefined) return false
  if (
    keyId !== undefined ||
    onlyKeyId !== undefined ||
    externalId !== undefined ||
    service !== undefined ||
    action !== undefined ||
    charge !== undefined ||
    outcome !== undefined ||
    errorCode !== undefined ||
    surface !== undefined
  )
    return true
  return kind === undefined ? status === 'settled' : kind === 'call' || kind === 'llm'
}

/** Conditions on the columns shared by open holds and posted transactions. Appends the parameters to `values`. */
export function conditionsOf(filter: TransactionFilter, values: SqlValue[]): string {
  const { id, keyId, onlyKeyId, externalId, service, action, kind } = filter
  const columns = [
    ['id', id],
    ['budget_id', keyId],
    ['budget_id', onlyKeyId],
    ['external_id', externalId],
    ['service', service],
    ['action', action],
    ['kind', kind],
    ['error_code', filter.errorCode],
    [USUAL_SURFACE, filter.surface],
  ] as const
  const given = columns.flatMap(([column, value]) =>
    value === undefined ? [] : [`and ${column} = $${values.push(value)}`],
  )
  return [...given, ...callConditions(filter, values)].join(' ')
}

// A job and a session answer their request before they end.
const ANSWERED_OK = "(status = 'settled' or (kind in ('job', 'session') and status <> 'held'))"
const USUAL_SURFACE = "coalesce(surface, case kind when 'llm' then 'router' else 'api' end)"
const CHARGES = {
  charged: 'amount_micros < 0',
  pending: "status = 'held'",
  not_charged: "status <> 'held' and amount_micros = 0",
} as const satisfies Record<ChargeState, string>

function callConditions(
  { isCall, charge, outcome }: TransactionFilter,
  values: SqlValue[],
): string[] {
  const conditions = isCall === true ? ['and service is not null'] : []
  if (charge !== undefined) conditions.push(`and ${CHARGES[charge]}`)
  if (outcome !== undefined)
    conditions.push(
      `and ((${outcome.isOk} and ${ANSWERED_OK}) or (not ${ANSWERED_OK} and error_code = any($${values.push(outcome.errorCodes)}::text[])))`,
    )
  return conditions
}
