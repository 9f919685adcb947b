import { LRUCache } from 'lru-cache'
import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Caller } from './caller.ts'
import { findCaller, noteUse } from './find-caller.ts'
import { hashSecret, modeOfSecret, SECRET_LENGTH } from './format.ts'
import { listenForChanges } from './listen-for-changes.ts'

export type Authenticator = {
  /** Who holds the secret. Throws AppError invalid_token when nobody does. */
  authenticate(secret: string): Promise<Caller>
  /** Drops what is remembered of the secrets with these hashes. */
  readonly forget: (hashes: readonly string[]) => void
  /** Settles when changes made by other processes are heard; until then nothing is remembered. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

export type AuthenticatorSettings = {
  readonly database: Database
  readonly now: Clock
  /** How many keys are remembered, the least recently used are dropped first. */
  readonly cacheSize: number
  /** The longest that a key is remembered without asking the database again. */
  readonly cacheMs: number
  /** Waits before connecting to a lost database again. Tests pass one that does not. */
  readonly pause?: (signal: AbortSignal) => Promise<void>
}

type Known = { readonly answer: Promise<Caller>; readonly untilMs: number }

// Unknown secrets are remembered apart from known keys, so that no flood of made-up ones can push those out.
const UNKNOWN_KEPT = 1_000
const LONGEST_UNKNOWN_MS = 2_000

/**
 * Remembers who holds which secret, by the secret's hash and for a short while. Every change of a key is announced by
 * the database as it commits, and drops what is remembered of it in every process, so a revoked key stops at once.
 * While announcements cannot be heard, every request asks the database.
 */
export function createAuthenticator(settings: AuthenticatorSettings): Authenticator {
  const { database, now, cacheSize, cacheMs } = settings
  const known = new LRUCache<string, Known>({ max: cacheSize })
  const unknown = new LRUCache<string, number>({ max: UNKNOWN_KEPT })
  const lookUps = new Map<string, Promise<Caller>>()
  const notes = new Set<Promise<void>>()
  const changes = listenForChanges({
    database,
    onChange: forget,
    onGap: forgetAll,
    ...(settings.pause === undefined ? {} : { pause: settings.pause }),
  })

  function authenticate(secret: string): Promise<Caller> {
    if (secret.length !== SECRET_LENGTH) return Promise.reject(notAKey())
    const hash = hashSecret(secret)
    const remembered = known.get(hash)
    if (remembered !== undefined && remembered.untilMs > now()) return remembered.answer
    if (modeOfSecret(secret) === null) return Promise.reject(notAKey())
    if ((unknown.get(hash) ?? 0) > now()) return Promise.reject(notInUse())
    const underWay = lookUps.get(hash)
    if (underWay !== undefined) return underWay
    const answer = lookUp(hash, () => lookUps.get(hash) === answer)
    lookUps.set(hash, answer)
    return answer
  }

  // A change that is announced during the look-up takes it off the list: its result still answers the requests that
  // wait for it, which were made before the announcement, but is not remembered.
  async function lookUp(hash: string, isCurrent: () => boolean): Promise<Caller> {
    try {
      const found = await findCaller(database, hash, now())
      const nowMs = now()
      if (isCurrent() && changes.isListening()) remember(hash, found, nowMs)
      if (found === null) throw notInUse()
      note(found.caller.keyId, nowMs)
      return found.caller
    } finally {
      if (isCurrent()) lookUps.delete(hash)
    }
  }

  function remember(
    hash: string,
    found: Awaited<ReturnType<typeof findCaller>>,
    nowMs: number,
  ): void {
    if (found === null) unknown.set(hash, nowMs + Math.min(cacheMs, LONGEST_UNKNOWN_MS))
    else
      known.set(hash, {
        answer: Promise.resolve(found.caller),
        untilMs: Math.min(nowMs + cacheMs, found.validUntilMs ?? Number.POSITIVE_INFINITY),
      })
  }

  function note(keyId: string, nowMs: number): void {
    // A courtesy to whoever reads "last used": a call does not wait for it and does not fail with it.
    const done: Promise<void> = noteUse(database, keyId, nowMs)
      .catch(() => {})
      .finally(() => notes.delete(done))
    notes.add(done)
  }

  function forget(hashes: readonly string[]): void {
    for (const hash of hashes) {
      known.delete(hash)
      unknown.delete(hash)
      lookUps.delete(hash)
    }
  }

  function forgetAll(): void {
    known.clear()
    unknown.clear()
    lookUps.clear()
  }

  return {
    authenticate,
    forget,
    ready: changes.ready,
    async close() {
      await changes.close()
      await Promise.all(notes)
    },
  }
}

function notAKey(): AppError {
  return new AppError('invalid_token', 'This is not a key: its length or checksum is wrong.', {
    fix: 'Copy the whole key, from tg_ to its last character.',
  })
}

function notInUse(): AppError {
  return new AppError('invalid_token', 'This key is unknown or was revoked.', {
    fix: 'Use another key of the account, or sign in and make one on /keys. The operator of this gateway can renew a primary key that was lost.',
  })
}
