import { decodeCursor, encodeCursor } from '../lib/cursor.ts'
import { parsePublicId } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import type { Actor } from './caller.ts'
import type { KeyDeps } from './key-deps.ts'
import { keyRecord, type KeyRecord, type KeyStatus } from './key-record.ts'
import { KEY_COLUMNS, KEYS_WITH_BUDGETS, keysSeenBy, modesSeenBy, type KeyRow } from './key-row.ts'

export type KeyPage = { readonly keys: readonly KeyRecord[]; readonly nextCursor: string | null }

const NO_KEY_IS_LATER = 'f'.repeat(32)

/**
 * `mode` selects keys of one mode. `search` matches text in the label, external id or shown prefix,
 * or the start of the id.
 */
export type KeyPageRequest = {
  readonly limit: number
  readonly cursor: string | null
  readonly mode?: Mode
  readonly search?: string
  readonly status?: KeyStatus
  /** Only keys without a parent. */
  readonly isTopmost?: boolean
}

// An account has at most 10,000 keys, so no index is needed.
const MATCHES =
  "(strpos(lower(concat_ws(E'\\n', label, external_id, key_prefix)), lower($6)) > 0 or starts_with('agk_' || replace(keys.id::text, '-', ''), lower($6)))"

// The status that a key record shows.
const STATUS =
  "case when expires_ms <= $9 and revoked_at is null then 'expired' when state = 'open' then 'active' when state = 'closed' then 'revoked' else 'paused' end"

/**
 * The keys that the actor sees, newest first, including revoked ones. Throws AppError
 * invalid_params for an invalid cursor.
 */
export async function listKeys(
  deps: Pick<KeyDeps, 'database' | 'now'>,
  actor: Actor,
  page: KeyPageRequest,
): Promise<KeyPage> {
  const before = page.cursor === null ? null : decodeCursor(page.cursor)
  const { condition, values } = keysSeenBy(actor, modesOfPage(actor, page))
  const nowMs = deps.now()
  const { rows } = await deps.database.query<KeyRow>(
    `select ${KEY_COLUMNS} from ${KEYS_WITH_BUDGETS} where ${condition} and keys.id < $4 and ($6::text is null or ${MATCHES}) and (not $7::boolean or keys.parent_id is null) and ($8::text is null or ${STATUS} = $8) order by keys.id desc limit $5`,
    [
      ...values,
      before ?? NO_KEY_IS_LATER,
      page.limit + 1,
      page.search ?? null,
      page.isTopmost ?? false,
      page.status ?? null,
      nowMs,
    ],
  )
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  return {
    keys: shown.map((row) => keyRecord(row, nowMs)),
    nextCursor: rows.length > page.limit && last !== undefined ? encodeCursor(last.id) : null,
  }
}

/** `isComplete`: the page contains every key. */
export type NamedKeys = { readonly keys: readonly KeyRecord[]; readonly isComplete: boolean }

/**
 * A page of the keys of `actor`, followed by the keys in `ids` from other pages, so that their
 * names can be shown. Ids of other accounts are ignored.
 */
export async function listKeysAnd(
  deps: Pick<KeyDeps, 'database' | 'now'>,
  actor: Actor,
  { ids, ...page }: KeyPageRequest & { readonly ids: readonly string[] },
): Promise<NamedKeys> {
  const { keys, nextCursor } = await listKeys(deps, actor, page)
  const isComplete = nextCursor === null
  const listed = new Set(keys.map(({ id }) => id))
  const others = [...new Set(ids)]
    .filter((id) => !listed.has(id))
    .flatMap((id) => parsePublicId('key', id) ?? [])
  if (others.length === 0) return { keys, isComplete }
  const { condition, values } = keysSeenBy(actor, modesOfPage(actor, page))
  const { rows } = await deps.database.query<KeyRow>(
    `select ${KEY_COLUMNS} from ${KEYS_WITH_BUDGETS} where ${condition} and keys.id = any($4::uuid[]) order by keys.id desc`,
    [...values, others],
  )
  const nowMs = deps.now()
  return { keys: [...keys, ...rows.map((row) => keyRecord(row, nowMs))], isComplete }
}

function modesOfPage(
  actor: Actor,
  { mode: wanted }: Pick<KeyPageRequest, 'mode'>,
): readonly Mode[] {
  return modesSeenBy(actor).filter((mode) => wanted === undefined || mode === wanted)
}
