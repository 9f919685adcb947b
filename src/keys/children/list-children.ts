import { decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import type { Caller } from '../caller.ts'
import type { KeyDeps } from '../key-deps.ts'
import { keyRecord } from '../key-record.ts'
import { KEY_COLUMNS, KEYS_WITH_BUDGETS, type KeyRow } from '../key-row.ts'
import type { KeyPage } from '../list-keys.ts'

const NO_KEY_IS_LATER = 'f'.repeat(32)

/**
 * The calling key's child keys that are not revoked, newest first. Keys that expired are listed for
 * another hour. Throws AppError invalid_params for an invalid cursor.
 */
export async function listChildren(
  { database, now }: Pick<KeyDeps, 'database' | 'now'>,
  { keyId }: Pick<Caller, 'keyId'>,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
): Promise<KeyPage> {
  const before = cursor === null ? NO_KEY_IS_LATER : decodeCursor(cursor)
  const { rows } = await database.query<KeyRow>(
    `select ${KEY_COLUMNS} from ${KEYS_WITH_BUDGETS} where keys.parent_id = $1 and keys.id < $2 and state <> 'closed' order by keys.id desc limit $3`,
    [keyId, before, limit + 1],
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const nowMs = now()
  return {
    keys: shown.map((row) => keyRecord(row, nowMs)),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(last.id) : null,
  }
}
