import type { Transaction } from '../../db/database.ts'
import { announceChange, treeOf } from '../../keys/announce.ts'
import { closeTree } from '../../keys/children/close-tree.ts'
import { lockKey } from '../../keys/key-row.ts'
import type { Id } from '../../lib/ids.ts'
import type { OAuthDeps } from './oauth-deps.ts'

/** Revokes the key of a grant, with its access and refresh tokens. */
export async function endGrant({ database, now, keys }: OAuthDeps, keyId: Id): Promise<void> {
  await database.transaction(async (tx) => {
    await lockKey(tx, keyId)
    await endLockedGrant(tx, keyId, now())
  })
  keys.forget([treeOf(keyId)])
}

/** As `endGrant`, with the key already locked. The caller drops `treeOf(keyId)` after the commit. */
export async function endLockedGrant(tx: Transaction, keyId: Id, nowMs: number): Promise<void> {
  await closeTree(tx, keyId, nowMs)
  await announceChange(tx, [treeOf(keyId)])
}
