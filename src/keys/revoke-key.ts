import { AppError } from '../errors/app-error.ts'
import { changeKey } from './change-key.ts'
import type { Actor } from './caller.ts'
import type { KeyDeps } from './key-deps.ts'
import type { KeyRecord } from './key-record.ts'

/**
 * Revokes a key permanently; revoking it again has no effect. Throws AppError primary_key_needed
 * for the primary key.
 */
export function revokeKey(deps: KeyDeps, actor: Actor, id: string): Promise<KeyRecord> {
  return changeKey(deps, actor, id, async (tx, row) => {
    if (row.is_primary) {
      throw new AppError('primary_key_needed', undefined, {
        fix: `Rotate it instead: POST /api/v1/agents/${id}/rotate. The former secret stops working immediately.`,
      })
    }
    await tx.query(
      'update keys set former_secret_hash = null, former_secret_until = null where id = $1',
      [row.id],
    )
    await tx.query(`update budgets set state = 'closed' where id = $1 and state <> 'closed'`, [
      row.id,
    ])
  })
}
