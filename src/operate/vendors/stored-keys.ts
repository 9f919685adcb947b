import type { Database, Transaction } from '../../db/database.ts'

/** A sealed vendor key that replaces a setting. */
export type StoredKey = {
  readonly service: string
  readonly credential: string
  readonly sealed: Buffer
  /** A digest of the setting that it replaces. */
  readonly replaces: Buffer
}

export async function readStoredKeys({
  query,
}: Pick<Database, 'query'>): Promise<readonly StoredKey[]> {
  const { rows } = await query<StoredKey>(
    'select service, credential, sealed, replaces from vendor_keys order by service, credential',
  )
  return rows
}

export async function writeStoredKey(
  { query }: Transaction,
  { service, credential, sealed, replaces }: StoredKey,
): Promise<void> {
  await query(
    `insert into vendor_keys (service, credential, sealed, replaces) values ($1, $2, $3, $4)
     on conflict (service, credential) do update set sealed = $3, replaces = $4`,
    [service, credential, sealed, replaces],
  )
}

/** Returns whether there was one. */
export async function deleteStoredKey(
  { query }: Transaction,
  { service, credential }: Pick<StoredKey, 'service' | 'credential'>,
): Promise<boolean> {
  const { count } = await query('delete from vendor_keys where service = $1 and credential = $2', [
    service,
    credential,
  ])
  return count > 0
}
