import { AppError } from '../../errors/app-error.ts'
import { parsePublicId } from '../../lib/ids.ts'
import type { Actor } from '../caller.ts'
import { requirePrimary } from '../change-key.ts'
import type { KeyDeps } from '../key-deps.ts'
import type { Alongside, KeyWithSecret } from '../key-record.ts'
import { findKeyRow } from '../key-row.ts'
import { requireOwnKey, requireOwnScope } from '../../lib/permissions.ts'
import type { NewChild } from './child-input.ts'
import { mintChild } from './mint-child.ts'

/**
 * Creates a child of the key `agk_…` for an actor that may change that key. The child of a person's request belongs
 * to the person. Throws AppError key_cannot_mint_keys, role_not_allowed, unknown_key, and the errors of `mintChild`.
 */
export async function mintBelow(
  deps: KeyDeps,
  actor: Actor,
  { parentId, input }: { readonly parentId: string; readonly input: NewChild },
  alongside?: Alongside,
): Promise<KeyWithSecret> {
  requirePrimary(actor)
  requireOwnScope(actor, input.scope)
  const id = parsePublicId('key', parentId)
  const row = id === null ? null : await findKeyRow(deps.database, actor, id)
  if (row === null) throw new AppError('unknown_key')
  requireOwnKey(actor, row)
  const parent = {
    accountId: row.account_id,
    mode: row.mode,
    keyId: row.id,
    ancestorIds: row.ancestors,
    ...(actor.member === undefined ? {} : { member: actor.member }),
  }
  return mintChild(deps, parent, input, alongside)
}
