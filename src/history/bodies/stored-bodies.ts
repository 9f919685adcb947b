import type { Database } from '../../db/database.ts'
import { recordChange } from '../../db/record-change.ts'
import type { Id } from '../../lib/ids.ts'

/** The stored request and response of a call, without secrets. Sizes are those of the originals, in characters. */
export type StoredBodies = {
  readonly request: string | null
  readonly response: string | null
  readonly request_chars: number
  readonly response_chars: number
}

/** Null if none is stored. The caller checks that the reader may see the call. */
export async function readBodies(
  database: Pick<Database, 'query'>,
  walletId: number,
  id: Id,
): Promise<StoredBodies | null> {
  const { rows } = await database.query<StoredBodies>(
    'select request, response, request_chars, response_chars from call_bodies where wallet_id = $1 and id = $2',
    [walletId, id],
  )
  return rows[0] ?? null
}

export async function storesBodies(
  database: Pick<Database, 'query'>,
  accountId: Id,
): Promise<boolean> {
  const { rows } = await database.query<{ stores_bodies: boolean }>(
    'select stores_bodies from accounts where id = $1',
    [accountId],
  )
  return rows[0]?.stores_bodies ?? false
}

/** Processes notice the change when they next read the account's keys, within half a minute. */
export async function setStoresBodies(
  database: Pick<Database, 'transaction'>,
  accountId: Id,
  stores: boolean,
): Promise<void> {
  await database.transaction((tx) =>
    tx.query('update accounts set stores_bodies = $2 where id = $1', [accountId, stores]),
  )
}

/** Deletes all stored bodies of the account, in both modes. */
export async function deleteBodies(
  database: Pick<Database, 'transaction'>,
  accountId: Id,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(
      'delete from call_bodies where wallet_id in (select id from wallets where account_id = $1)',
      [accountId],
    )
    await recordChange(tx, {
      accountId,
      subject: 'bodies',
      subjectId: accountId,
      what: 'deleted',
    })
  })
}
