/** Ids of what accounts and keys created at vendors. All of them use the operator's key there, so the gateway separates them. */
import { createHash } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'

export type ReferenceOwner = Owner & { readonly service: string }

const STORED_MS = 90 * DAY_MS
/** The number of an account's latest references that filter a vendor's list. */
const MAX_LISTED = 1_000
/** An index row is at most a third of a page, and some vendors put the whole input into a name. */
const MAX_BYTES = 1_000

/** The stored form of a reference. PostgreSQL text has no zero bytes. */
function toStoredName(reference: string): string {
  const isPlain = Buffer.byteLength(reference) <= MAX_BYTES && !reference.includes('\0')
  return isPlain ? reference : `sha256:${createHash('sha256').update(reference).digest('hex')}`
}

export async function storeReference(
  database: Database,
  { accountId, mode, keyId, service }: ReferenceOwner,
  reference: string,
  nowMs: number,
): Promise<void> {
  await database.query(
    'insert into vendor_references (service, is_test, reference, account_id, key_id, made_ms) values ($1, $2, $3, $4, $5, $6) on conflict do nothing',
    [service, mode === 'test', toStoredName(reference), accountId, keyId, nowMs],
    'remember_reference',
  )
}

/** Gives a reference to the owner permanently. False if it has another owner. Simulated vendors return the same names to every account. */
export async function claimReference(
  database: Database,
  owner: ReferenceOwner,
  reference: string,
  nowMs: number,
): Promise<boolean> {
  const { accountId, mode, keyId, service } = owner
  await database.query(
    `insert into vendor_references (service, is_test, reference, account_id, key_id, made_ms, lasts) select $1, $2, $3, $4, $5, $6, true
      where $2 or not exists (select 1 from vendor_references where service = $1 and not is_test and reference = $3 and (account_id <> $4 or ($7::uuid is not null and key_id is distinct from $7)))
      on conflict do nothing`,
    [service, mode === 'test', toStoredName(reference), accountId, keyId, nowMs, onlyMaker(owner)],
  )
  return isOwnReference(database, owner, reference)
}

/** The holder of a permanent reference. A simulated vendor has no holders. */
export async function findHolder(
  database: Database,
  owner: ReferenceOwner,
  reference: string,
): Promise<'owner' | 'another' | undefined> {
  const { accountId, mode, service } = owner
  if (mode === 'test') return undefined
  const { rows } = await database.query<{ is_owner: boolean }>(
    'select account_id = $3 and ($4::uuid is null or key_id is not distinct from $4) as is_owner from vendor_references where service = $1 and not is_test and reference = $2 and lasts',
    [service, toStoredName(reference), accountId, onlyMaker(owner)],
  )
  const [holder] = rows
  return holder === undefined ? undefined : holder.is_owner ? 'owner' : 'another'
}

export async function isOwnReference(
  database: Database,
  owner: ReferenceOwner,
  reference: string,
): Promise<boolean> {
  const { accountId, mode, service } = owner
  const { rows } = await database.query(
    'select 1 from vendor_references where service = $1 and is_test = $2 and reference = $3 and account_id = $4 and ($5::uuid is null or key_id = $5)',
    [service, mode === 'test', toStoredName(reference), accountId, onlyMaker(owner)],
    'is_own_reference',
  )
  return rows.length > 0
}

/** Returns a filter for the owner's references in a list. */
export async function readOwnReferences(
  database: Database,
  owner: ReferenceOwner,
): Promise<(reference: string) => boolean> {
  const { accountId, mode, service } = owner
  const { rows } = await database.query<{ reference: string }>(
    'select reference from vendor_references where account_id = $1 and service = $2 and is_test = $3 and ($5::uuid is null or key_id = $5) order by made_ms desc limit $4',
    [accountId, service, mode === 'test', MAX_LISTED, onlyMaker(owner)],
  )
  const own = new Set(rows.map(({ reference }) => reference))
  return (reference) => own.has(toStoredName(reference))
}

/** Deletes references older than three months, except permanent ones. Returns the number of them. */
export async function sweepReferences(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query(
    'delete from vendor_references where ctid = any(array(select ctid from vendor_references where made_ms < $1 and not lasts limit 10000))',
    [nowMs - STORED_MS],
  )
  return count
}
