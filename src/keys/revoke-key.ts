import { AppError } from '../errors/app-error.ts'
import { changeKey } from './change-key.ts'
import type { Actor } from './caller.ts'
import type { KeyDeps } from './key-deps.ts'
import type { KeyRecord } from './key-record.ts'
import { closeTree } from './children/close-tree.ts'

/**
 * Revokes a key and all keys below it permanently; revoking it again has no effect. Throws AppError primary_key_needed
 * for the primary key.
 */
export function revokeKey(deps: KeyDeps, actor: Actor, id: string): Promise<KeyRecord> {
  return changeKey(deps, actor, id, async (tx, row) => {
    if (row.is_primary) {
      throw new AppError('primary_key_needed', undefined, {
        fix: `Rotate it instead: POST /api/v1/agents/${id}/rotate. The former secret stops working immediately.`,
      })
    }
    await closeTree(tx, row.id, deps.now())
  })
}
