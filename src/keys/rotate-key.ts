import { AppError } from '../errors/app-error.ts'
import { changeKey, requireUsable } from './change-key.ts'
import type { Actor } from './caller.ts'
import type { KeyDeps } from './key-deps.ts'
import type { Alongside, KeyWithSecret } from './key-record.ts'
import { replaceSecret } from './replace-secret.ts'

export const LONGEST_GRACE_SECONDS = 7 * 86_400

export type Rotation = { readonly graceSeconds: number; readonly alongside?: Alongside }

/**
 * Replaces the secret; limit, spending and history stay with the key. The former secret works for
 * `graceSeconds` more. Only one former secret is stored: another rotation ends the earlier one
 * immediately. Throws AppError bad_request for the key of an OAuth client.
 */
export async function rotateKey(
  deps: KeyDeps,
  actor: Actor,
  id: string,
  { graceSeconds, alongside }: Rotation,
): Promise<KeyWithSecret> {
  const until = graceSeconds === 0 ? null : deps.now() + graceSeconds * 1000
  let secret = ''
  const record = await changeKey(
    deps,
    actor,
    id,
    async (tx, row) => {
      requireUsable(row)
      if (row.client_id !== null) throw grantedKey()
      secret = await replaceSecret(tx, row, { formerUntilMs: until, untilMs: null })
      // Links and sockets that the former secret opened end with it (src/db/may-act.ts).
      await tx.query('update keys set rotated_ms = $2 where id = $1', [row.id, deps.now()])
    },
    async (tx, changed) => alongside?.(tx, { ...changed, key: secret }),
  )
  return { ...record, key: secret }
}

function grantedKey(): AppError {
  return new AppError(
    'bad_request',
    'This key belongs to a connected client, which replaces its secret itself.',
    { fix: 'To disconnect the client, revoke the key. To use a key yourself, create another one.' },
  )
}
