import { invariant } from '../errors/app-error.ts'
import { parsePublicId, publicId, type Id } from '../lib/ids.ts'
import type { Actor } from './caller.ts'
import type { KeyDeps } from './key-deps.ts'
import { keyRecord, type KeyRecord } from './key-record.ts'
import { KEY_COLUMNS, KEYS_WITH_BUDGETS, type KeyRow } from './key-row.ts'
import { listKeys, type KeyPageRequest } from './list-keys.ts'

/** A key of a list. `level` is its depth below the key of the list that is topmost. */
export type ListedKey = {
  readonly key: KeyRecord
  readonly level: number
  /** The number of its child keys that are not revoked. */
  readonly children: number
}

export type ListedKeys = {
  readonly keys: readonly ListedKey[]
  readonly nextCursor: string | null
}

type Deps = Pick<KeyDeps, 'database' | 'now'>

/** A list shows at most this many children of a key, and this many keys below its topmost keys. */
const MOST_CHILDREN_LISTED = 20
const MOST_LISTED_BELOW = 300

/**
 * A page of the keys without a parent, newest first, each followed by the newest keys below it that
 * are not revoked. Throws AppError invalid_params for an invalid cursor.
 */
export async function listKeyTrees(
  deps: Deps,
  actor: Actor,
  page: Omit<KeyPageRequest, 'search' | 'status' | 'isTopmost'>,
): Promise<ListedKeys> {
  const { keys, nextCursor } = await listKeys(deps, actor, { ...page, isTopmost: true })
  const below = Map.groupBy(await keysBelow(deps, keys), ({ parent_id: parent }) => parent)
  const inOrder = (key: KeyRecord): KeyRecord[] => [
    key,
    ...(below.get(key.id) ?? []).flatMap(inOrder),
  ]
  const listed = await countChildren(deps, keys.flatMap(inOrder))
  return { keys: listed.map((one) => ({ ...one, level: one.key.depth })), nextCursor }
}

/** Adds the number of child keys to each key, on level 0. */
export async function countChildren(
  { database }: Pick<KeyDeps, 'database'>,
  keys: readonly KeyRecord[],
): Promise<ListedKey[]> {
  const { rows } = await database.query<{ parent: Id; children: bigint }>(
    "select parent_id as parent, count(*) as children from budgets where parent_id = any($1::uuid[]) and state <> 'closed' group by parent_id",
    [keys.map(storedId)],
  )
  const counts = new Map(rows.map((row) => [publicId('key', row.parent), Number(row.children)]))
  return keys.map((key) => ({ key, level: 0, children: counts.get(key.id) ?? 0 }))
}

// Parents come before their children, so the limit never cuts off a parent alone.
async function keysBelow(
  { database, now }: Deps,
  tops: readonly KeyRecord[],
): Promise<readonly KeyRecord[]> {
  const { rows } = await database.query<KeyRow>(
    `select * from (
       select ${KEY_COLUMNS}, row_number() over (partition by keys.parent_id order by keys.id desc) as place
       from ${KEYS_WITH_BUDGETS} where ancestors[1] = any($1::uuid[]) and state <> 'closed'
     ) as below where place <= $2 order by cardinality(ancestors), id desc limit $3`,
    [tops.map(storedId), MOST_CHILDREN_LISTED, MOST_LISTED_BELOW],
  )
  const nowMs = now()
  return rows.map((row) => keyRecord(row, nowMs))
}

function storedId({ id }: KeyRecord): Id {
  const stored = parsePublicId('key', id)
  invariant(stored !== null, 'a key record has a valid id')
  return stored
}
