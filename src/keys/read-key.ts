import { AppError } from '../errors/app-error.ts'
import { parsePublicId } from '../lib/ids.ts'
import type { Actor } from './caller.ts'
import type { KeyDeps } from './key-deps.ts'
import { keyRecord, type KeyRecord } from './key-record.ts'
import { findKeyRow } from './key-row.ts'

/** One key that the actor may see, by id. Throws AppError unknown_key. */
export async function readKey(
  { database, now }: Pick<KeyDeps, 'database' | 'now'>,
  actor: Actor,
  id: string,
): Promise<KeyRecord> {
  const keyId = parsePublicId('key', id)
  const row = keyId === null ? null : await findKeyRow(database, actor, keyId)
  if (row === null) throw new AppError('unknown_key')
  return keyRecord(row, now())
}
