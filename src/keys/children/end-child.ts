import { AppError, invariant } from '../../errors/app-error.ts'
import { parsePublicId } from '../../lib/ids.ts'
import { announceChange, treeOf } from '../announce.ts'
import type { Caller } from '../caller.ts'
import type { KeyDeps } from '../key-deps.ts'
import { keyRecord, type KeyRecord } from '../key-record.ts'
import { KEY_COLUMNS, KEYS_WITH_BUDGETS, lockKey, type KeyRow } from '../key-row.ts'
import { closeTree } from './close-tree.ts'

/**
 * Revokes a key below the calling key, and all keys below that one. Ending it again has no effect.
 * Throws AppError unknown_key for any other key.
 */
export async function endChild(
  deps: KeyDeps,
  { keyId: callerId }: Pick<Caller, 'keyId'>,
  id: string,
): Promise<KeyRecord> {
  const keyId = parsePublicId('key', id)
  if (keyId === null) throw unknownChild()
  const nowMs = deps.now()
  const changes = [treeOf(keyId)]
  const record = await deps.database.transaction(async (tx) => {
    await lockKey(tx, keyId)
    const read = async (): Promise<KeyRow | undefined> => {
      const { rows } = await tx.query<KeyRow>(
        `select ${KEY_COLUMNS} from ${KEYS_WITH_BUDGETS} where keys.id = $1 and $2 = any(ancestors)`,
        [keyId, callerId],
      )
      return rows[0]
    }
    if ((await read()) === undefined) throw unknownChild()
    await closeTree(tx, keyId, nowMs)
    await announceChange(tx, changes)
    const ended = await read()
    invariant(ended !== undefined, 'ending a key does not remove it')
    return keyRecord(ended, nowMs)
  })
  deps.forget(changes)
  return record
}

function unknownChild(): AppError {
  return new AppError('unknown_key', 'This key has no child key with that id.', {
    fix: 'GET /api/v1/agents/me/children lists the child keys.',
  })
}
