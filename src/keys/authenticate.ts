import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'
import { keyOfTree } from './announce.ts'
import type { Caller } from './caller.ts'
import { findCaller, noteUse, type FoundCaller } from './find-caller.ts'
import { isExpired, keyExpired } from './policy/expiry.ts'
import { hashSecret, modeOfSecret, SECRET_LENGTH } from './format.ts'
import { listenForChanges } from './listen-for-changes.ts'
import { withRejectedCaller } from './rejected-caller.ts'
import { RecentMap } from '../lib/recent-map.ts'

export type Authenticator = {
  /**
   * Returns the caller with this secret. An access token of an OAuth client works only where the caller of
   * this function names its resource (RFC 8707). Throws AppError invalid_token for an unknown secret or an
   * access token of another resource, and key_expired.
   */
  authenticate(secret: string, resource?: string): Promise<Caller>
  /** The account of a secret that was used lately. Null for any other: nothing is looked up or hashed. */
  cachedAccount(secret: string): string | null
  /** Drops cached entries of the secrets with these hashes, and of the keys of these trees (`treeOf`). */
  readonly forget: (changes: readonly string[]) => void
  /**
   * Resolves when this process receives changes by other processes. Until then nothing is cached.
   */
  readonly ready: Promise<void>
  close(): Promise<void>
}

export type AuthenticatorDeps = {
  readonly database: Database
  readonly now: Clock
  /** Maximum number of cached keys; the least recently used are dropped first. */
  readonly cacheSize: number
  /** How long a key is cached before the database is queried again. */
  readonly cacheMs: number
  /** Waits before reconnecting to a lost database. Tests pass one that does not wait. */
  readonly pause?: (signal: AbortSignal) => Promise<void>
}

type Known = {
  readonly caller: Caller
  readonly answer: Promise<Caller>
  readonly untilMs: number
}

// Unknown secrets have their own cache, so that a flood of made-up ones cannot evict known keys.
const MOST_UNKNOWN = 1_000
const LONGEST_UNKNOWN_MS = 2_000

/**
 * Caches callers by the hash of their secret, for a short while. The database announces every
 * change of a key with its commit, and each process then drops the cached entry, so a revoked key
 * stops working immediately. While announcements cannot be received, every request queries the
 * database.
 */
export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const { database, now, cacheSize, cacheMs } = deps
  const known = new RecentMap<string, Known>(cacheSize)
  // By secret, so that a call calculates no hash. Only of known keys, which made-up ones cannot evict.
  const hashes = new RecentMap<string, string>(cacheSize)
  const unknown = new RecentMap<string, number>(MOST_UNKNOWN)
  const lookUps = new Map<string, Promise<Caller>>()
  const notes = new Set<Promise<void>>()
  const changes = listenForChanges({
    database,
    onChange: forget,
    onGap: forgetAll,
    ...(deps.pause === undefined ? {} : { pause: deps.pause }),
  })

  function authenticate(secret: string, resource?: string): Promise<Caller> {
    if (secret.length !== SECRET_LENGTH) return Promise.reject(notAKey())
    const knownHash = hashes.get(secret)
    const hash = knownHash ?? hashSecret(secret)
    const cached = known.get(hash)
    if (cached !== undefined && cached.untilMs > now()) {
      if (knownHash === undefined) hashes.set(secret, hash)
      const problem = isExpired(cached.caller, now())
        ? keyExpired(cached.caller)
        : otherResource(cached.caller, resource)
      return problem === null
        ? cached.answer
        : Promise.reject(withRejectedCaller(problem, cached.caller))
    }
    if (modeOfSecret(secret) === null) return Promise.reject(notAKey())
    if ((unknown.get(hash) ?? 0) > now()) return Promise.reject(notInUse())
    let answer = lookUps.get(hash)
    if (answer === undefined) {
      const begun: Promise<Caller> = lookUp(hash, () => lookUps.get(hash) === begun)
      lookUps.set(hash, begun)
      answer = begun
    }
    return answer.then((caller) => {
      const problem = otherResource(caller, resource)
      if (problem !== null) throw withRejectedCaller(problem, caller)
      return caller
    })
  }

  // A change announced during the lookup removes it from this list. Its result still answers the
  // requests that were made before the announcement, but is not cached.
  async function lookUp(hash: string, isCurrent: () => boolean): Promise<Caller> {
    try {
      const found = await findCaller(database, hash, now())
      const nowMs = now()
      if (isCurrent() && changes.isListening()) remember(hash, found, nowMs)
      if (found === null) throw notInUse()
      if (isExpired(found.caller, nowMs))
        throw withRejectedCaller(keyExpired(found.caller), found.caller)
      note(found.caller.keyId, nowMs)
      return found.caller
    } finally {
      if (isCurrent()) lookUps.delete(hash)
    }
  }

  function remember(hash: string, found: FoundCaller | null, nowMs: number): void {
    if (found === null) unknown.set(hash, nowMs + Math.min(cacheMs, LONGEST_UNKNOWN_MS))
    else
      known.set(hash, {
        caller: found.caller,
        answer: Promise.resolve(found.caller),
        untilMs: Math.min(nowMs + cacheMs, found.validUntilMs ?? Number.POSITIVE_INFINITY),
      })
  }

  function note(keyId: string, nowMs: number): void {
    // "Last used" is only informational: a call neither waits for this write nor fails with it.
    const done: Promise<void> = noteUse(database, keyId, nowMs)
      .catch(() => {})
      .finally(() => notes.delete(done))
    notes.add(done)
  }

  function forget(changed: readonly string[]): void {
    for (const change of changed) {
      const top = keyOfTree(change)
      if (top !== null) forgetTree(top)
      else {
        known.delete(change)
        unknown.delete(change)
        lookUps.delete(change)
      }
    }
  }

  // A lookup in progress may have read the tree before the change.
  function forgetTree(top: Id): void {
    lookUps.clear()
    for (const [hash, { caller }] of known.entries())
      if (caller.keyId === top || caller.ancestorIds.includes(top)) known.delete(hash)
  }

  function forgetAll(): void {
    known.clear()
    hashes.clear()
    unknown.clear()
    lookUps.clear()
  }

  function cachedAccount(secret: string): string | null {
    const hash = hashes.get(secret)
    return (hash === undefined ? undefined : known.get(hash))?.caller.accountId ?? null
  }

  return {
    authenticate,
    cachedAccount,
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

/** The error of an access token outside its resource; null for other keys and at its resource. */
function otherResource({ audience }: Caller, resource: string | undefined): AppError | null {
  if (audience === null || audience === resource) return null
  return new AppError(
    'invalid_token',
    `This is the access token of a connected client. It works at ${audience} only.`,
    { fix: 'Use a key at this address. Create one on the /keys page.' },
  )
}

function notInUse(): AppError {
  return new AppError(
    'invalid_token',
    'This key is unknown, was revoked, is an expired access token, or its account is paused.',
    {
      fix: "Use another key of the account, or sign in and create one on the /keys page. The gateway's operator can rotate a lost primary key.",
    },
  )
}
