import { changeKey, requireUsable } from './change-key.ts'
import type { Actor } from './caller.ts'
import type { KeyDeps } from './key-deps.ts'
import { hashSecret, newSecret, shownPrefix } from './format.ts'
import type { Alongside, KeyWithSecret } from './key-record.ts'

export const LONGEST_GRACE_SECONDS = 7 * 86_400

export type Rotation = { readonly graceSeconds: number; readonly alongside?: Alongside }

/**
 * Replaces the secret; limit, spending and history stay with the key. The former secret works for
 * `graceSeconds` more. Only one former secret is stored: another rotation ends the earlier one
 * immediately.
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
      secret = newSecret(row.mode)
      await tx.query(
        'update keys set secret_hash = $2, key_prefix = $3, former_secret_hash = $4, former_secret_until = $5 where id = $1',
        [
          row.id,
          Buffer.from(hashSecret(secret), 'hex'),
          shownPrefix(secret),
          until === null ? null : row.secret_hash,
          until === null ? null : new Date(until),
        ],
      )
    },
    async (tx, changed) => alongside?.(tx, { ...changed, key: secret }),
  )
  return { ...record, key: secret }
}
