import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Database, Query, Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { readStoredFailure } from '../../errors/stored-failure.ts'
import type { Claim } from '../../ledger/hold.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { idTimeMs, type Id, type LeaseNumber } from '../../lib/ids.ts'
import { retryAfterRunning, type Running } from './retry-after.ts'

type Querying = { readonly query: Query }

/** The response to a request with an Idempotency-Key, byte for byte. */
export type StoredAnswer = { readonly status: number; readonly body: string }

export type AnswerSlot = {
  readonly accountId: Id
  readonly route: string
  readonly key: string
  readonly fingerprint: string
  readonly formerFingerprint?: string
}

export const ANSWER_STORED_MS = DAY_MS
// The last resort for the claim of a dead process. Usually its lease ends first.
const CLAIM_KEPT_MS = 120_000
const RETRY_AFTER_SECONDS = 1

/** Whether the same request, including its body, is running or has an answer under its idempotency key. */
export async function isRepeated(
  database: Database,
  { accountId, route, idempotencyKey, ...fingerprints }: Omit<Claim, 'expiresMs'>,
): Promise<boolean> {
  const { rows } = await database.query(
    "select from answers where account_id = $1 and route = $2 and idempotency_key = $3 and encode(fingerprint, 'hex') = any($4)",
    [accountId, route, idempotencyKey, acceptedOf(fingerprints)],
  )
  return rows.length > 0
}

type Fingerprints = Pick<AnswerSlot, 'fingerprint' | 'formerFingerprint'>

function acceptedOf({ fingerprint, formerFingerprint }: Fingerprints): readonly string[] {
  return formerFingerprint === undefined ? [fingerprint] : [fingerprint, formerFingerprint]
}

/** The stored answer of the first request with this claim. Throws like `replayOf`. */
export function replayClaim(database: Database, claim: Claim): Promise<StoredAnswer> {
  const { idempotencyKey, ...slot } = claim
  return replayOf(database, { ...slot, key: idempotencyKey })
}

/**
 * Replays a request that was rejected before its hold, so that an answer stays the same after a price
 * rise or the removal of an action. Throws `rejection` for a request that repeats none.
 */
export async function replayOrThrow(
  rejection: unknown,
  database: Database,
  claim: Claim | null,
): Promise<StoredAnswer> {
  if (claim === null || !(await isRepeated(database, claim).catch(() => false))) throw rejection
  return replayClaim(database, claim)
}

/** The stored answer of a repeated request. Throws AppError while the first is still running, when the bodies differ, and for a stored failure. */
export async function replayOf(
  { query }: Querying,
  { accountId, route, key, ...fingerprints }: AnswerSlot,
): Promise<StoredAnswer> {
  const { rows } = await query<{
    fingerprint: Buffer
    status: number | null
    body: string | null
    call_id: Id
    now_ms: number
    silent_ms: number | null
  }>(
    `select fingerprint, status, body, call_id, (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms,
       (select (extract(epoch from clock_timestamp() - beat_at) * 1000)::float8 from process_leases where number = right(call_id::text, 6)) as silent_ms
     from answers where account_id = $1 and route = $2 and idempotency_key = $3`,
    [accountId, route, key],
  )
  const stored = rows[0]
  if (
    stored !== undefined &&
    !acceptedOf(fingerprints).includes(stored.fingerprint.toString('hex'))
  )
    throw new AppError('idempotency_key_reused')
  // No row: the first call just ended uncharged and freed the key. A retry runs the call.
  if (stored === undefined)
    throw new AppError('idempotency_in_progress', undefined, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  if (stored.status === null || stored.body === null)
    throw stillRunning({
      ageMs: stored.now_ms - idTimeMs(stored.call_id),
      silentMs: stored.silent_ms,
    })
  if (stored.status >= 400) throw readStoredFailure(stored.body)
  return { status: stored.status, body: stored.body }
}

function stillRunning(running: Running): AppError {
  const { isSilent, seconds } = retryAfterRunning(running)
  return new AppError(
    'idempotency_in_progress',
    isSilent
      ? 'The process that runs the call with this Idempotency-Key does not respond. Unless it recovers, the key is free soon.'
      : undefined,
    { retryAfterSeconds: seconds },
  )
}

/** The place of an answer of a request that moves no money. `secret` belongs to the caller and encrypts an answer that contains a secret. */
export type SealedSlot = AnswerSlot & { readonly secret: string }
export type SlotToFill = SealedSlot & { readonly callId: Id; readonly nowMs: number }

/** Stores the answer in the transaction that creates its subject. */
export type Keep<Made> = (tx: Transaction, made: Made) => Promise<void>

/**
 * Runs `work` once for an idempotency key on a route that moves no money. `work` calls `keep` last in its
 * transaction, which then commits its changes and the answer together. A failure frees the key.
 */
export async function answerOnce<Made>(
  database: Database,
  slot: SlotToFill,
  answerTo: (made: Made) => StoredAnswer,
  work: (keep: Keep<Made>) => Promise<Made>,
): Promise<StoredAnswer & { readonly replayed: boolean }> {
  if (!(await claimSlot(database, slot)))
    return { ...(await replaySealed(database, slot)), replayed: true }
  const keep: Keep<Made> = async (tx, made) => {
    // A process that was frozen for longer than its claim finds the claim of another request, which may have done the work.
    if (!(await fillSlot(tx, slot, answerTo(made))))
      throw new AppError('idempotency_in_progress', undefined, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
  }
  try {
    return { ...answerTo(await work(keep)), replayed: false }
  } catch (error) {
    await database.query('delete from answers where call_id = $1 and status is null', [slot.callId])
    throw error
  }
}

/** Stores the answer as part of a transaction that cannot run twice. A later request reads it with `findAnswer`. */
export async function storeAnswer(
  tx: Transaction,
  slot: SlotToFill,
  answer: StoredAnswer,
): Promise<void> {
  if (await claimSlot(tx, slot)) await fillSlot(tx, slot, answer)
}

const NOT_KEPT: readonly ErrorCode[] = ['idempotency_in_progress', 'idempotency_key_reused']

/** The answer to the same request; null if there is no such answer. */
export async function findAnswer(
  querying: Querying,
  slot: SealedSlot,
): Promise<StoredAnswer | null> {
  try {
    return await replaySealed(querying, slot)
  } catch (error) {
    if (error instanceof AppError && NOT_KEPT.includes(error.code)) return null
    throw error
  }
}

async function claimSlot({ query }: Querying, slot: SlotToFill): Promise<boolean> {
  const { rows } = await query<{ repeats: string[] }>(
    'select ledger_claim($1, $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::bigint[]) as repeats',
    [
      slot.nowMs,
      [slot.accountId],
      [slot.route],
      [slot.key],
      [slot.callId],
      [slot.fingerprint],
      [slot.nowMs + CLAIM_KEPT_MS],
    ],
  )
  return (rows[0]?.repeats.length ?? 0) === 0
}

/** False if the claim has ended. */
async function fillSlot(
  { query }: Querying,
  slot: SlotToFill,
  { status, body }: StoredAnswer,
): Promise<boolean> {
  const { count } = await query(
    'update answers set status = $2, body = $3, expires_ms = $4 where call_id = $1',
    [slot.callId, status, seal(body, slot), slot.nowMs + ANSWER_STORED_MS],
  )
  return count > 0
}

async function replaySealed(querying: Querying, slot: SealedSlot): Promise<StoredAnswer> {
  const { status, body } = await replayOf(querying, slot)
  return { status, body: unseal(body, slot) }
}

/** Frees unanswered keys that the process with this lease claimed for work without a hold. Returns the number of keys. */
export async function releaseClaims(
  database: Database,
  lease: LeaseNumber,
  nowMs: number,
): Promise<number> {
  // Claims of calls last longer and end with their holds. The index on the expiry bounds this query.
  const { count } = await database.query(
    'delete from answers where expires_ms <= $2 and status is null and right(call_id::text, 6) = $1 and not exists (select from holds where holds.id = call_id)',
    [lease, nowMs + CLAIM_KEPT_MS],
  )
  return count
}

/** Deletes expired answers. Returns the number of answers. */
export async function sweepAnswers(database: Database, nowMs: number): Promise<number> {
  const { count } = await database.query(
    'delete from answers where call_id in (select call_id from answers where expires_ms < $1 limit 10000)',
    [nowMs],
  )
  return count
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

type Seal = { readonly secret: string; readonly key: string; readonly route: string }

function sealingKey({ secret, key, route }: Seal): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, key, `tollgate answer ${route}`, 32))
}

function seal(body: string, from: Seal): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, sealingKey(from), nonce)
  return Buffer.concat([
    nonce,
    cipher.update(body, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString('base64')
}

function unseal(text: string, from: Seal): string {
  const bytes = Buffer.from(text, 'base64')
  const decipher = createDecipheriv(CIPHER, sealingKey(from), bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)),
      decipher.final(),
    ]).toString('utf8')
  } catch {
    // Another key or session of the account sent the request. Only the first one may read the secret in the answer.
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used by another key of the account, or from another browser.',
    )
  }
}
