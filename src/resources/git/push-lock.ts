/** One push at a time to a repository, over all processes, so that each sees what the former one stored. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../errors/app-error.ts'
import type { GitDeps } from './git-deps.ts'

type LockDeps = Pick<GitDeps, 'database' | 'now'>

/** A process that dies blocks a repository this long. */
const LEASE_MS = 20_000
const RENEW_EVERY_MS = 5_000
const RETRY_MS = 100
const MOST_WAIT_MS = 60_000
/** Pushes to one repository that run or wait in this process. */
const MOST_PUSHES = 16
const RETRY_AFTER_SECONDS = 5

const queues = new Map<string, { pushes: number; last: Promise<unknown> }>()

/**
 * Waits for the other pushes to the repository, a minute at most. Returns the release. `onLost` is called if
 * the lock was lost, because the database did not answer. Throws AppError `overloaded`, and the signal's reason.
 */
export async function lockPushes(
  deps: LockDeps,
  repoId: string,
  { signal, onLost }: { readonly signal: AbortSignal; readonly onLost: () => void },
): Promise<() => void> {
  const queue = queues.get(repoId) ?? { pushes: 0, last: Promise.resolve() }
  if (queue.pushes >= MOST_PUSHES) throw tooMany()
  queues.set(repoId, queue)
  queue.pushes += 1
  const { promise: done, resolve: end } = Promise.withResolvers<void>()
  const before = queue.last
  queue.last = before.then(() => done)
  const leave = (): void => {
    end()
    queue.pushes -= 1
    if (queue.pushes === 0) queues.delete(repoId)
  }
  const over = AbortSignal.any([signal, AbortSignal.timeout(MOST_WAIT_MS)])
  const pusher = randomUUID()
  try {
    await untilOver(before, over)
    while (!(await takeLease(deps, repoId, pusher)))
      await delay(RETRY_MS, undefined, { signal: over })
  } catch (error) {
    leave()
    throw over.aborted && !signal.aborted ? tooMany() : error
  }
  const timer = setInterval(() => {
    takeLease(deps, repoId, pusher).then((isMine) => isMine || onLost(), onLost)
  }, RENEW_EVERY_MS).unref()
  return () => {
    clearInterval(timer)
    endLease(deps, repoId, pusher)
      .catch(() => undefined)
      .finally(leave)
  }
}

/** Takes the lease if it is free, or prolongs it. */
async function takeLease({ database, now }: LockDeps, repoId: string, pusher: string) {
  const nowMs = now()
  const { count } = await database.query(
    'update repositories set pusher = $2, pushes_until_ms = $3 where repo_id = $1 and (pusher is null or pusher = $2 or pushes_until_ms < $4)',
    [repoId, pusher, nowMs + LEASE_MS, nowMs],
    'take_push_lease',
  )
  return count > 0
}

async function endLease({ database }: LockDeps, repoId: string, pusher: string): Promise<void> {
  await database.query(
    'update repositories set pusher = null where repo_id = $1 and pusher = $2',
    [repoId, pusher],
    'end_push_lease',
  )
}

async function untilOver(work: Promise<unknown>, over: AbortSignal): Promise<void> {
  over.throwIfAborted()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const end = (): void => reject(over.reason as Error)
  over.addEventListener('abort', end, { once: true })
  try {
    await Promise.race([work, ended])
  } finally {
    over.removeEventListener('abort', end)
  }
}

function tooMany(): AppError {
  return new AppError('overloaded', 'Too many pushes to this repository are in progress.', {
    fix: 'Push again when the others have ended.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
