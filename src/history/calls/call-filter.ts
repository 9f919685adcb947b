import type { SqlValue } from '../../db/database.ts'
import { errorCatalog } from '../../errors/catalog.ts'
import type { TransactionFilter } from '../transaction-filter.ts'

/** Selects calls of a wallet. Every field narrows the result. */
export type CallFilter = Omit<TransactionFilter, 'status' | 'kind' | 'isCall' | 'outcome'> & {
  /** The first and the last HTTP status, inclusive. */
  readonly httpStatus?: readonly [number, number]
  /** Without the rows that count further calls of a minute. */
  readonly isListed?: true
}

/** The part of the filter that selects transactions. */
export function transactionsOf({
  httpStatus,
  isListed: _isListed,
  ...filter
}: CallFilter): TransactionFilter {
  return {
    ...filter,
    isCall: true,
    ...(filter.charge === 'pending' ? { status: 'held' } : {}),
    ...(httpStatus === undefined ? {} : { outcome: outcomeOf(httpStatus) }),
  }
}

function outcomeOf([first, last]: readonly [number, number]): {
  readonly isOk: boolean
  readonly errorCodes: readonly string[]
} {
  const has = (status: number): boolean => status >= first && status <= last
  return {
    isOk: has(200),
    errorCodes: Object.entries(errorCatalog).flatMap(([code, { status }]) =>
      has(status) ? [code] : [],
    ),
  }
}

/** Whether the log can have matching rows. Charged and pending calls are in the ledger. */
export function mayBeLogged({ charge }: CallFilter): boolean {
  return charge === undefined || charge === 'not_charged'
}

/** Conditions on columns of `call_log`. Appends the parameters to `values`. */
export function logConditions(filter: CallFilter, values: SqlValue[]): string {
  const columns = [
    ['id', filter.id],
    ['budget_id', filter.keyId],
    ['budget_id', filter.onlyKeyId],
    ['external_id', filter.externalId],
    ['service', filter.service],
    ['action', filter.action],
    ['error_code', filter.errorCode],
    ['surface', filter.surface],
  ] as const
  const given = columns.flatMap(([column, value]) =>
    value === undefined ? [] : [`${column} = $${values.push(value)}`],
  )
  if (filter.charge === 'not_charged') given.push('not charged')
  if (filter.isListed === true) given.push('omitted = 0')
  if (filter.httpStatus !== undefined) {
    const [first, last] = filter.httpStatus
    given.push(`http_status between $${values.push(first)} and $${values.push(last)}`)
    // Calls of several kinds have the first status of their class.
    if (first === last)
      given.push('not (omitted > 0 and error_code is null and http_status >= 400)')
  }
  return given.map((condition) => `and ${condition}`).join(' ')
}
