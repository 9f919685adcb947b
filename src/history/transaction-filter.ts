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
}

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

/** Conditions on the columns shared by open holds and posted transactions. Appends the parameters to `values`. */
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
