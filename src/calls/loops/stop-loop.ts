import { AppError } from '../../errors/app-error.ts'
import { pauseLoopingKey } from '../../keys/pause-looping-key.ts'
import { toRfc3339, type Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { Caller } from '../../keys/caller.ts'
import type { Database } from '../../db/database.ts'
import { isRepeated, replayClaim, type StoredAnswer } from '../idempotency/answers.ts'
import type { Claim } from '../../ledger/hold.ts'
import type { Loop } from './loop-rules.ts'
import {
  adviceFor,
  LAST_STOP,
  type LoopWatch,
  type NextCall,
  type WatchedKey,
} from './loop-watch.ts'

export type BreakerDeps = {
  readonly database: Database
  readonly now: Clock
  /** Without it no call is stopped. */
  readonly loops?: LoopWatch
}

/** A paid call that has not held anything yet. */
export type UnheldCall = Omit<NextCall, 'key'> & {
  readonly id: Id
  readonly caller: Caller
  /** The claim on its idempotency key. Its expiry is not read. */
  readonly claim: Claim | null
}

/** The calling key as the breaker sees it. */
export function watchedKey({ keyId, breaker, limit }: Caller): WatchedKey {
  return { keyId, breaker, limit }
}

/**
 * Returns null for a call that may be made, and the stored answer of a repeated request, which the
 * breaker never stops. Throws AppError loop_suspected for a call that continues a loop; the third one
 * pauses its key. The breaker rejects a call before its hold or not at all.
 */
export function stopLoop(deps: BreakerDeps, call: UnheldCall): Promise<StoredAnswer | null> | null {
  const { caller, action, input, confirm } = call
  const loop = deps.loops?.find({ key: watchedKey(caller), action, input, confirm }) ?? null
  return loop === null || deps.loops === undefined ? null : reject(deps, deps.loops, call, loop)
}

async function reject(
  { database, now }: BreakerDeps,
  loops: LoopWatch,
  { id, caller, action, claim }: UnheldCall,
  loop: Loop,
): Promise<StoredAnswer | null> {
  if (claim !== null && (await isRepeated(database, claim).catch(() => false)))
    return replayClaim(database, claim)
  const stop = loops.stop(caller.keyId)
  if (!stop.isLast) throw suspected(loop, stop.count, stop.confirm)
  // If this fails, the next three stops pause the key.
  const { code: rule, seen, sinceMs, spent } = loop
  await pauseLoopingKey({ database, now }, caller, {
    rule,
    action,
    requestId: id,
    seen,
    sinceMs,
    spent,
  }).catch(() => {})
  throw paused(loop)
}

function factsOf({ code, seen, sinceMs, spent }: Loop) {
  return { rule: code, seen, since: toRfc3339(sinceMs), spent_micros: Number(spent) }
}

function suspected(loop: Loop, stops: number, confirm: string): AppError {
  return new AppError('loop_suspected', loop.text, {
    fix: `${adviceFor(loop)} To make this call anyway, send it with "confirm_loop": "${confirm}". The stop number ${LAST_STOP} within an hour pauses the key.`,
    details: { ...factsOf(loop), stops, pauses_at: LAST_STOP, confirm },
  })
}

function paused(loop: Loop): AppError {
  return new AppError('loop_suspected', `${loop.text} The key is now paused.`, {
    fix: `${adviceFor(loop)} The holder resumes the key on the /keys page; the primary key with PATCH /api/v1/agents/{id} and {"paused": false}.`,
    details: { ...factsOf(loop), stops: LAST_STOP, pauses_at: LAST_STOP, paused: true },
  })
}
