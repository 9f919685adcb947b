import { runAs } from '../db/author.ts'
import { toRfc3339 } from '../lib/clock.ts'
import { publicId, type Id } from '../lib/ids.ts'
import type { Micros } from '../lib/money.ts'
import type { Caller } from './caller.ts'
import { changeKey } from './change-key.ts'
import type { KeyDeps } from './key-deps.ts'

/** Why a key is paused: the last of several rejected calls. */
export type LoopFacts = {
  /** The rule that stopped it. */
  readonly rule: string
  readonly action: string
  readonly requestId: Id
  /** The number of calls in the loop, and the first of them. */
  readonly seen: number
  readonly sinceMs: number
  readonly spent: Micros
}

/**
 * Pauses the calling key and writes key.loop_suspected in the same commit. A key that is paused or
 * revoked already does not change. Notification of the other processes includes this one.
 */
export async function pauseLoopingKey(
  deps: Pick<KeyDeps, 'database' | 'now'>,
  { accountId, mode, keyId }: Pick<Caller, 'accountId' | 'mode' | 'keyId'>,
  { rule, action, requestId, seen, sinceMs, spent }: LoopFacts,
): Promise<void> {
  const gateway = {
    by: 'gateway',
    from: 'loop breaker',
    requestId: publicId('request', requestId),
  }
  await runAs(gateway, () =>
    changeKey(
      { ...deps, forget: () => {} },
      { accountId, mode, primary: true, scope: 'account' },
      publicId('key', keyId),
      async (tx, { state, external_id: externalId }) => {
        if (state !== 'open') return
        await tx.query("update budgets set state = 'paused' where id = $1", [keyId])
        await tx.query("select write_event($1, $2, $3, $4, 'key.loop_suspected', $5::jsonb)", [
          deps.now(),
          accountId,
          mode,
          keyId,
          JSON.stringify({
            key_id: publicId('key', keyId),
            external_id: externalId,
            rule,
            action,
            request_id: gateway.requestId,
            seen,
            since: toRfc3339(sinceMs),
            spent_micros: Number(spent),
          }),
        ])
      },
    ),
  )
}
