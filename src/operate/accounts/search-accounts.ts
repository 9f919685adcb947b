import { accountOf, type Account, type AccountRow } from '../../accounts/account.ts'
import type { Database } from '../../db/database.ts'
import { decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import { parsePublicId, type Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'

export const ACCOUNTS_PER_PAGE = 50

export type FoundAccounts = {
  readonly accounts: readonly AccountLine[]
  readonly nextCursor: string | null
}

export type AccountState = 'active' | 'paused' | 'closed'

export type AccountLine = Account & {
  readonly accountId: Id
  readonly state: AccountState
  readonly isOperator: boolean
  readonly balance: Micros
  readonly held: Micros
  /** Last use of any of its keys, in Unix milliseconds. */
  readonly lastUsedMs: number | null
}

type Row = AccountRow & {
  readonly is_operator: boolean
  readonly paused: boolean
  readonly closed: boolean
  readonly balance_micros: bigint
  readonly held_micros: bigint
  readonly last_used_ms: bigint | null
}

/** Newest first. `search`: a part of the email address, an account id, a key id, or empty. */
export async function searchAccounts(
  { query }: Pick<Database, 'query'>,
  { search, cursor }: { readonly search: string; readonly cursor: string | null },
): Promise<FoundAccounts> {
  const text = search.trim().toLowerCase()
  const accountId = parsePublicId('account', text)
  const keyId = parsePublicId('key', text)
  const { rows } = await query<Row>(
    // The wallets and keys of the shown accounts only.
    `with shown as materialized (
       select id, email, tier, is_owner, created_at, is_operator, paused_at from accounts
       where ${accountId !== null ? 'id = $3::uuid' : keyId !== null ? 'id = (select account_id from keys where id = $3::uuid)' : 'strpos(lower(email), $3) > 0'}
         and ($1::uuid is null or id < $1) and not is_house
       order by id desc limit $2
     )
     select shown.id, email, tier, is_owner, created_at, is_operator, paused_at is not null as paused, balance_micros, held_micros,
       not exists (select from keys join budgets on budgets.id = keys.id where keys.account_id = shown.id and is_primary and mode = 'live' and state <> 'closed') as closed,
       (select max(last_used_ms) from budgets where budgets.id in (select newest.id from keys as newest where newest.account_id = shown.id order by newest.id desc limit ${KEYS_LOOKED_AT})) as last_used_ms
     from shown join wallets on wallets.account_id = shown.id and wallets.mode = 'live' order by shown.id desc`,
    [
      cursor === null ? null : decodeCursor(cursor),
      ACCOUNTS_PER_PAGE + 1,
      accountId ?? keyId ?? text,
    ],
  )
  const shown = rows.slice(0, ACCOUNTS_PER_PAGE)
  const last = shown.at(-1)
  return {
    accounts: shown.map(lineOf),
    nextCursor: rows.length > shown.length && last !== undefined ? encodeCursor(last.id) : null,
  }
}

// An account can have many thousand keys of its agents.
const KEYS_LOOKED_AT = 200

function lineOf(row: Row): AccountLine {
  return {
    ...accountOf(row),
    accountId: row.id,
    state: row.closed ? 'closed' : row.paused ? 'paused' : 'active',
    isOperator: row.is_operator,
    balance: row.balance_micros,
    held: row.held_micros,
    lastUsedMs: row.last_used_ms === null ? null : Number(row.last_used_ms),
  }
}

/** One account; null when it does not exist. */
export async function findAccountLine(
  database: Pick<Database, 'query'>,
  publicId: string,
): Promise<AccountLine | null> {
  if (parsePublicId('account', publicId) === null) return null
  const { accounts } = await searchAccounts(database, { search: publicId, cursor: null })
  return accounts[0] ?? null
}
