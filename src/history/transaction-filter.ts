import type { SqlValue } from '../db/database.ts'
import { firstIdAt, type Id } from '../lib/ids.ts'
import { onlyMaker, type Owner } from '../lib/owner.ts'

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

/** Which rows of a wallet's history are wanted. Every field narrows. */
export type TransactionFilter = {
  /** Unix milliseconds: from this moment on, and before that one. */
  readonly fromMs?: number
  readonly toMs?: number
  /** A transaction has the id of the request that made it. */
  readonly id?: Id
  readonly keyId?: Id
  /** The one key whose calls are shown at all: whoever reads has scope "own". Balances are not shown then. */
  readonly onlyKeyId?: Id
  readonly externalId?: string
  readonly service?: string
  readonly action?: string
  readonly status?: TransactionStatus
  readonly kind?: TransactionKind
}

/** The part of a filter that the scope of whoever reads adds to it. */
export function seenBy(
  reader: Pick<Owner, 'keyId' | 'scope'>,
): Pick<TransactionFilter, 'onlyKeyId'> {
  const maker = onlyMaker(reader)
  return maker === null ? {} : { onlyKeyId: maker }
}

/** A stretch of history as bounds of ids: an id begins with its time. */
export type Stretch = { readonly from: Id; readonly before: Id }

const AFTER_EVERY_ID = 'f'.repeat(32)

export function stretchOf({ fromMs, toMs }: TransactionFilter, cursor: Id | null): Stretch {
  const until = toMs === undefined ? AFTER_EVERY_ID : firstIdAt(toMs)
  return {
    from: firstIdAt(fromMs ?? 0),
    before: cursor !== null && cursor < until ? cursor : until,
  }
}

/** Whether the rows that fit may be few among many, with no index that leads to them. Open holds are always few, and ids have the primary key. */
export function mayBeSparse({
  id,
  keyId,
  onlyKeyId,
  externalId,
  service,
  action,
  status,
  kind,
}: TransactionFilter): boolean {
  if (status === 'held' || id !== undefined) return false
  if (
    keyId !== undefined ||
    onlyKeyId !== undefined ||
    externalId !== undefined ||
    service !== undefined ||
    action !== undefined
  )
    return true
  return kind === undefined ? status === 'settled' : kind === 'call' || kind === 'llm'
}

/** Conditions on the columns that open holds and posted transactions share. `values` takes the parameters. */
export function conditionsOf(
  { id, keyId, onlyKeyId, externalId, service, action, kind }: TransactionFilter,
  values: SqlValue[],
): string {
  const columns = [
    ['id', id],
    ['budget_id', keyId],
    ['budget_id', onlyKeyId],
    ['external_id', externalId],
    ['service', service],
    ['action', action],
    ['kind', kind],
  ] as const
  const given = columns.flatMap(([column, value]) =>
    value === undefined ? [] : [`and ${column} = $${values.push(value)}`],
  )
  return given.join(' ')
}
