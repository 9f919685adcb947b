import { decodeCursor, encodeCursor } from '../lib/cursor.ts'
import { parsePublicId } from '../lib/ids.ts'
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
    [actor.accountId, modesOfPage(actor, page), before ?? NO_KEY_IS_LATER, page.limit + 1],
  )
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  const nowMs = context.now()
  return { keys: shown.map((row) => keyRecord(row, nowMs)), nextCursor: rows.length > page.limit && last !== undefined ? encodeCursor(last.id) : null }
}

/** A page of the keys of `actor`, and after it those of `ids` that are on other pages, so that each can be called by its name. What is no key of the actor's is left out. */
export async function listKeysAnd(context: Pick<KeyContext, 'database' | 'now'>, actor: Actor, { ids, ...page }: KeyPageWish & { readonly ids: readonly string[] }): Promise<readonly KeyRecord[]> {
  const { keys } = await listKeys(context, actor, page)
  const listed = new Set(keys.map(({ id }) => id))
  const others = [...new Set(ids)].filter((id) => !listed.has(id)).flatMap((id) => parsePublicId('key', id) ?? [])
  if (others.length === 0) return keys
  const { rows } = await context.database.query<KeyRow>(
    `select ${KEY_COLUMNS} from ${KEYS_WITH_BUDGETS} where account_id = $1 and mode = any($2) and keys.id = any($3::uuid[]) order by keys.id desc`,
    [actor.accountId, modesOfPage(actor, page), others],
  )
  const nowMs = context.now()
  return [...keys, ...rows.map((row) => keyRecord(row, nowMs))]
}

function modesOfPage(actor: Actor, { mode: wanted }: Pick<KeyPageWish, 'mode'>): readonly Mode[] {
  return modesSeenBy(actor).filter((mode) => wanted === undefined || mode === wanted)
}
