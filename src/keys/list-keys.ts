import { decodeCursor, encodeCursor } from '../lib/cursor.ts'
import type { Mode } from '../lib/mode.ts'
import type { Actor, KeyContext } from './context.ts'
import { keyRecord, type KeyRecord } from './key-record.ts'
import { KEY_COLUMNS, KEYS_WITH_BUDGETS, modesSeenBy, type KeyRow } from './key-row.ts'

export type KeyPage = { readonly keys: readonly KeyRecord[]; readonly nextCursor: string | null }

const NO_KEY_IS_LATER = 'f'.repeat(32)

/** `mode`: of the keys that the actor may see, those of one mode. */
export type KeyPageWish = { readonly limit: number; readonly cursor: string | null; readonly mode?: Mode }

/** The account's keys, newest first, revoked ones included. Throws AppError invalid_params for a strange cursor. */
export async function listKeys(context: Pick<KeyContext, 'database' | 'now'>, actor: Actor, page: KeyPageWish): Promise<KeyPage> {
  const before = page.cursor === null ? null : decodeCursor(page.cursor)
  const { rows } = await context.database.query<KeyRow>(
    `select ${KEY_COLUMNS} from ${KEYS_WITH_BUDGETS} where account_id = $1 and mode = any($2) and keys.id < $3 order by keys.id desc limit $4`,
    [actor.accountId, modesSeenBy(actor).filter((mode) => page.mode === undefined || mode === page.mode), before ?? NO_KEY_IS_LATER, page.limit + 1],
  )
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  const nowMs = context.now()
  return { keys: shown.map((row) => keyRecord(row, nowMs)), nextCursor: rows.length > page.limit && last !== undefined ? encodeCursor(last.id) : null }
}
