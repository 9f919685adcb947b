import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { parsePublicId, type Id } from '../lib/ids.ts'
import type { Actor } from './caller.ts'

/** The operator at the command line has the rights of the account's live primary key. */
export function operatorOf(accountId: Id): Actor {
  return { accountId, mode: 'live', primary: true, scope: 'account' }
}

/** The actor that may change the key `agk_…`, in any account. Throws AppError unknown_key. */
export async function operatorOfKey(database: Database, id: string): Promise<Actor> {
  const keyId = parsePublicId('key', id)
  const { rows } =
    keyId === null
      ? { rows: [] }
      : await database.query<{ account_id: Id }>('select account_id from keys where id = $1', [
          keyId,
        ])
  if (rows[0] === undefined)
    throw new AppError('unknown_key', `Unknown key "${id}".`, {
      fix: 'Run "./tollgate keys list --account …" to list key ids.',
    })
  return operatorOf(rows[0].account_id)
}
