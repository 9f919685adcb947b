/** The remaining spend of keys: the least of their limits, those of the keys above them, and the balance. */
import type { Database } from '../db/database.ts'
import { parsePublicId, type Id } from '../lib/ids.ts'
import type { Micros } from '../lib/money.ts'
import type { Mode } from '../lib/mode.ts'
import type { KeyDeps } from './key-deps.ts'
import { keyRecord, type KeyRecord } from './key-record.ts'
import { KEY_COLUMNS, KEYS_WITH_BUDGETS, type KeyRow } from './key-row.ts'

/** The limit that binds most: the key's own, that of a key above, or the balance. */
export type BoundBy = 'key' | 'parent' | 'balance'

/** `key`: the key whose limit binds; null if it is the balance. */
export type Spendable = {
  readonly amount: Micros
  readonly by: BoundBy
  readonly key: KeyRecord | null
}

/** `ancestors`: the topmost first. Of equal limits, the key's own binds first, then the nearest key above, then the balance. */
export function spendableOf(
  own: KeyRecord,
  ancestors: readonly KeyRecord[],
  free: Micros,
): Spendable {
  const limits: Spendable[] = [own, ...ancestors.toReversed()].flatMap((key) => {
    const amount = key.status === 'active' ? key.remaining_micros : 0
    const by = key === own ? 'key' : 'parent'
    return amount === null ? [] : [{ amount: BigInt(amount), by, key }]
  })
  return limits
    .concat({ amount: free, by: 'balance', key: null })
    .reduce((least, limit) => (limit.amount < least.amount ? limit : least))
}

/** `ancestors`: the topmost first. */
export type Bounds = Spendable & { readonly ancestors: readonly KeyRecord[] }

/** The limits that bind each of the keys of one account, by key id. */
export async function listBounds(
  { database, now }: Pick<KeyDeps, 'database' | 'now'>,
  accountId: Id,
  keys: readonly KeyRecord[],
): Promise<ReadonlyMap<string, Bounds>> {
  const [above, free] = await Promise.all([
    readAbove(database, keys),
    readFreeBalances(database, accountId),
  ])
  const nowMs = now()
  const known = new Map(above.map((row) => keyRecord(row, nowMs)).map((key) => [key.id, key]))
  const ancestorsOf = ({ parent_id: parentId }: KeyRecord): readonly KeyRecord[] => {
    const parent = parentId === null ? undefined : known.get(parentId)
    return parent === undefined ? [] : [...ancestorsOf(parent), parent]
  }
  return new Map(
    keys.map((key) => {
      const ancestors = ancestorsOf(key)
      return [key.id, { ...spendableOf(key, ancestors, free.get(key.mode) ?? 0n), ancestors }]
    }),
  )
}

/** The keys above the given ones. */
async function readAbove(
  database: Pick<Database, 'query'>,
  keys: readonly KeyRecord[],
): Promise<readonly KeyRow[]> {
  const ids = keys
    .filter(({ depth }) => depth > 0)
    .flatMap(({ id }) => parsePublicId('key', id) ?? [])
  if (ids.length === 0) return []
  const { rows } = await database.query<KeyRow>(
    `select ${KEY_COLUMNS} from ${KEYS_WITH_BUDGETS} where keys.id in (select unnest(ancestors) from budgets where id = any($1::uuid[]))`,
    [ids],
  )
  return rows
}

async function readFreeBalances(
  database: Pick<Database, 'query'>,
  accountId: Id,
): Promise<ReadonlyMap<Mode, Micros>> {
  const { rows } = await database.query<{ mode: Mode; free: bigint }>(
    'select mode, balance_micros - held_micros as free from wallets where account_id = $1',
    [accountId],
  )
  return new Map(rows.map(({ mode, free }) => [mode, free]))
}
