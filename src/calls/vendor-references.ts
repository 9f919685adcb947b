/** Which account made what at a vendor: all accounts share the operator's key there, so the gateway keeps them apart. */
import { createHash } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { DAY_MS } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'

export type Owner = { readonly accountId: Id; readonly mode: Mode; readonly service: string }

const KEPT_MS = 90 * DAY_MS
/** As many of an account's latest references are recognised in a vendor's listing. */
const MAX_LISTED = 1_000
/** An index takes no row above a third of a page, and some vendors put all that was asked for into a name. */
const LONGEST_KEPT_BYTES = 1_000

/** What stands for a reference in the database, which keeps no zero bytes either. */
function keptName(reference: string): string {
  const isPlain = Buffer.byteLength(reference) <= LONGEST_KEPT_BYTES && !reference.includes('\0')
  return isPlain ? reference : `sha256:${createHash('sha256').update(reference).digest('hex')}`
}

export async function rememberReference(database: Database, { accountId, mode, service }: Owner, reference: string, nowMs: number): Promise<void> {
  await database.query(
    'insert into vendor_references (service, is_test, reference, account_id, made_ms) values ($1, $2, $3, $4, $5) on conflict do nothing',
    [service, mode === 'test', keptName(reference), accountId, nowMs],
    'remember_reference',
  )
}

/** Makes it the account's for good; false when it is another's. Simulated vendors give the same names to everybody. */
export async function takeReference(database: Database, owner: Owner, reference: string, nowMs: number): Promise<boolean> {
  const { accountId, mode, service } = owner
  await database.query(
    `insert into vendor_references (service, is_test, reference, account_id, made_ms, lasts) select $1, $2, $3, $4, $5, true
      where $2 or not exists (select 1 from vendor_references where service = $1 and not is_test and reference = $3 and account_id <> $4)
      on conflict do nothing`,
    [service, mode === 'test', keptName(reference), accountId, nowMs],
  )
  return isOwnReference(database, owner, reference)
}

/** Who has it for good, seen from the owner; at a simulated vendor nobody does. */
export async function keeperOf(database: Database, { accountId, mode, service }: Owner, reference: string): Promise<'owner' | 'another' | undefined> {
  if (mode === 'test') return undefined
  const { rows } = await database.query<{ account_id: Id }>('select account_id from vendor_references where service = $1 and not is_test and reference = $2 and lasts', [service, keptName(reference)])
  const keeper = rows[0]?.account_id
  return keeper === undefined ? undefined : keeper === accountId ? 'owner' : 'another'
}

export async function isOwnReference(database: Database, { accountId, mode, service }: Owner, reference: string): Promise<boolean> {
  const { rows } = await database.query(
    'select 1 from vendor_references where service = $1 and is_test = $2 and reference = $3 and account_id = $4',
    [service, mode === 'test', keptName(reference), accountId],
    'is_own_reference',
  )
  return rows.length > 0
}

/** Tells the account's own among the references of a listing. */
export async function ownReferences(database: Database, { accountId, mode, service }: Owner): Promise<(reference: string) => boolean> {
  const { rows } = await database.query<{ reference: string }>(
    'select reference from vendor_references where account_id = $1 and service = $2 and is_test = $3 order by made_ms desc limit $4',
    [accountId, service, mode === 'test', MAX_LISTED],
  )
  const own = new Set(rows.map(({ reference }) => reference))
  return (reference) => own.has(keptName(reference))
}

/** Forgets references older than three months, but for those that last. Returns how many. */
export async function sweepReferences(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query('delete from vendor_references where ctid = any(array(select ctid from vendor_references where made_ms < $1 and not lasts limit 10000))', [nowMs - KEPT_MS])
  return count
}
