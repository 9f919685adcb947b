import { LOCK_NUMBER } from '../db/lock-number.ts'
import type { Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { newId, type Id } from '../lib/ids.ts'
import type { Owner } from '../lib/owner.ts'
import {
  cassetteKeyOf,
  CASSETTE_STORED_MS,
  MOST_BYTES,
  MOST_CASSETTES,
  MOST_RECORDING_BYTES,
  MOST_RECORDINGS,
  type CassetteDeps,
  type Recording,
} from './cassette.ts'
import { matchOf } from './match.ts'
import { redactSecrets } from './redact-secrets.ts'

/** A cassette by the name that its owner uses. */
export type Place = { readonly owner: Owner; readonly name: string }

type Usage = { readonly cassettes: number; readonly recordings: number; readonly bytes: number }

/**
 * Stores recordings, all or none. Each replaces the recording of the same call; a simulated one
 * replaces a live one only with `replacesLive`. Returns the number stored. The limits are exact.
 * Throws AppError payload_too_large or cassette_quota_exceeded.
 */
export async function storeRecordings(
  deps: CassetteDeps,
  { owner, name, replacesLive }: Place & { readonly replacesLive: boolean },
  recordings: readonly Recording[],
): Promise<number> {
  const nowMs = deps.now()
  return deps.database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [
      LOCK_NUMBER.cassettes,
      owner.accountId,
    ])
    await tx.query('delete from cassettes where account_id = $1 and expires_ms <= $2', [
      owner.accountId,
      nowMs,
    ])
    const usage = await readUsage(tx, owner.accountId)
    const cassetteId = await openCassette(tx, { owner, name }, usage, nowMs)
    const target = { cassetteId, used: { ...usage }, nowMs, replacesLive }
    let stored = 0
    for (const [index, recording] of recordings.entries())
      if (await storeOne(tx, target, recording, index)) stored += 1
    return stored
  })
}

/** Throws AppError `cassette_quota_exceeded` if the account cannot store another recording. */
export async function requireCapacity(
  { database, now }: CassetteDeps,
  { owner, name }: Place,
): Promise<void> {
  const nowMs = now()
  const usage = await readUsage(database, owner.accountId, nowMs)
  if (usage.recordings >= MOST_RECORDINGS || usage.bytes >= MOST_BYTES)
    throw new AppError('cassette_quota_exceeded')
  if (usage.cassettes < MOST_CASSETTES) return
  const { count } = await database.query(
    'select from cassettes where account_id = $1 and key_id is not distinct from $2 and name = $3 and expires_ms > $4',
    [owner.accountId, cassetteKeyOf(owner), name, nowMs],
  )
  if (count === 0) throw new AppError('cassette_quota_exceeded')
}

async function readUsage(
  { query }: Transaction,
  accountId: Id,
  nowMs = 0,
): Promise<{ cassettes: number; recordings: number; bytes: number }> {
  const { rows } = await query<Usage>(
    `select count(*)::int as cassettes, coalesce(sum(recordings), 0)::int as recordings,
       coalesce(sum(bytes), 0)::float8 as bytes
     from cassettes where account_id = $1 and expires_ms > $2`,
    [accountId, nowMs],
  )
  return rows[0] ?? { cassettes: 0, recordings: 0, bytes: 0 }
}

async function openCassette(
  { query }: Transaction,
  { owner, name }: Place,
  { cassettes }: Usage,
  nowMs: number,
): Promise<Id> {
  const found = await query<{ id: Id }>(
    'select id from cassettes where account_id = $1 and key_id is not distinct from $2 and name = $3',
    [owner.accountId, cassetteKeyOf(owner), name],
  )
  if (found.rows[0] !== undefined) return found.rows[0].id
  if (cassettes >= MOST_CASSETTES) throw new AppError('cassette_quota_exceeded')
  const id = newId(nowMs)
  await query(
    'insert into cassettes (id, account_id, key_id, name, created_ms, recorded_ms, expires_ms) values ($1, $2, $3, $4, $5, $5, $6)',
    [id, owner.accountId, cassetteKeyOf(owner), name, nowMs, nowMs + CASSETTE_STORED_MS],
  )
  return id
}

type Target = {
  readonly cassetteId: Id
  readonly used: { recordings: number; bytes: number }
  readonly nowMs: number
  readonly replacesLive: boolean
}

async function storeOne(
  { query }: Transaction,
  { cassetteId, used, nowMs, replacesLive }: Target,
  recording: Recording,
  index: number,
): Promise<boolean> {
  const { input, digest } = matchOf(recording.route, recording.input)
  const body = redactSecrets(recording.body)
  const bytes = Buffer.byteLength(input) + Buffer.byteLength(body)
  if (bytes > MOST_RECORDING_BYTES)
    throw new AppError('payload_too_large', `"recordings[${index}]" is larger than 2 MiB.`, {
      param: `recordings[${index}]`,
      fix: 'Remove the recording from the file.',
    })
  const { rows } = await query<{ is_live: boolean; bytes: number }>(
    'select is_live, bytes from recordings where cassette_id = $1 and match = $2',
    [cassetteId, digest],
  )
  const [former] = rows
  if (former?.is_live === true && !recording.isLive && !replacesLive) return false
  const added = { recordings: former === undefined ? 1 : 0, bytes: bytes - (former?.bytes ?? 0) }
  if (used.recordings + added.recordings > MOST_RECORDINGS || used.bytes + added.bytes > MOST_BYTES)
    throw new AppError('cassette_quota_exceeded')
  used.recordings += added.recordings
  used.bytes += added.bytes
  await query(
    `insert into recordings (id, cassette_id, match, route, input, status, body, is_events, model, charged_micros, is_live, bytes, recorded_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (cassette_id, match) do update set status = excluded.status, body = excluded.body, is_events = excluded.is_events,
       model = excluded.model, charged_micros = excluded.charged_micros, is_live = excluded.is_live, bytes = excluded.bytes, recorded_ms = excluded.recorded_ms`,
    [
      newId(nowMs),
      cassetteId,
      digest,
      recording.route,
      input,
      recording.status,
      body,
      recording.isEvents,
      recording.model,
      recording.charged,
      recording.isLive,
      bytes,
      recording.recordedMs,
    ],
  )
  await query(
    'update cassettes set recordings = recordings + $2, bytes = bytes + $3, recorded_ms = $4, expires_ms = $5 where id = $1',
    [cassetteId, added.recordings, added.bytes, nowMs, nowMs + CASSETTE_STORED_MS],
  )
  return true
}
