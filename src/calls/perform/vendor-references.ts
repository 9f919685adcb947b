/** Which account, and which key of it, made what at a vendor: all share the operator's key there, so the gateway keeps them apart. */
import { createHash } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'

export type ReferenceOwner = Owner & { readonly service: string }

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

export async function rememberReference(
  database: Database,
  { accountId, mode, keyId, service }: ReferenceOwner,
  reference: string,
  nowMs: number,
): Promise<void> {
  await database.query(
    'insert into vendor_references (service, is_test, reference, account_id, key_id, made_ms) values ($1, $2, $3, $4, $5, $6) on conflict do nothing',
    [service, mode === 'test', keptName(reference), accountId, keyId, nowMs],
    'remember_reference',
  )
}

/** Makes it the owner's for good; false when it is another's. Simulated vendors give the same names to everybody. */
export async function takeReference(
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
    [service, mode === 'test', keptName(reference), accountId, keyId, nowMs, onlyMaker(owner)],
  )
  return isOwnReference(database, owner, reference)
}

/** Who has it for good, seen from the owner; at a simulated vendor nobody does. */
export async function keeperOf(
  database: Database,
  owner: ReferenceOwner,
  reference: string,
): Promise<'owner' | 'another' | undefined> {
  const { accountId, mode, service } = owner
  if (mode === 'test') return undefined
  const { rows } = await database.query<{ is_owner: boolean }>(
    'select account_id = $3 and ($4::uuid is null or key_id is not distinct from $4) as is_owner from vendor_references where service = $1 and not is_test and reference = $2 and lasts',
    [service, keptName(reference), accountId, onlyMaker(owner)],
  )
  const [keeper] = rows
  return keeper === undefined ? undefined : keeper.is_owner ? 'owner' : 'another'
}

export async function isOwnReference(
  database: Database,
  owner: ReferenceOwner,
  reference: string,
): Promise<boolean> {
  const { rows } = await database.query(
    'select 1 from vendor_references where service = $1 and is_test = $2 and reference = $3 and account_id = $4 and ($5::uuid is null or key_id = $5)',
    [owner.service, owner.mode === 'test', keptName(reference), owner.accountId, onlyMaker(owner)],
    'is_own_reference',
  )
  return rows.length > 0
}

/** Tells the owner's own among the references of a listing. */
export async function ownReferences(
  database: Database,
  owner: ReferenceOwner,
): Promise<(reference: string) => boolean> {
  const { rows } = await database.query<{ reference: string }>(
    'select reference from vendor_references where account_id = $1 and service = $2 and is_test = $3 and ($5::uuid is null or key_id = $5) order by made_ms desc limit $4',
    [owner.accountId, owner.service, owner.mode === 'test', MAX_LISTED, onlyMaker(owner)],
  )
  const own = new Set(rows.map(({ reference }) => reference))
  return (reference) => own.has(keptName(reference))
}

/** Forgets references older than three months, but for those that last. Returns how many. */
export async function sweepReferences(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query(
    'delete from vendor_references where ctid = any(array(select ctid from vendor_references where made_ms < $1 and not lasts limit 10000))',
    [nowMs - KEPT_MS],
  )
  return count
}
