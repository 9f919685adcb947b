import { AppError } from '../../errors/app-error.ts'
import { newId, type Id } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'
import { endedSession } from './ended-session.ts'
import { meterProgram } from './meter-program.ts'
import { REFUSALS } from './open-session.ts'
import type { SessionDeps } from './session-deps.ts'
import { isMeteredByUse, type SessionRow } from './session-row.ts'
import { MOST_SNAPSHOTS, SNAPSHOT_LIFE_MS, type SnapshotRow } from './snapshot-row.ts'
import { failureOfUse, useSession } from './use-session.ts'

export type SnapshotOrder = {
  readonly service: string
  readonly sessionId: string
  readonly name: string | undefined
  readonly signal: AbortSignal
}

/**
 * Takes a snapshot of an open session, which stays open and metered. The snapshot is listed once
 * the vendor has finished it. One that fails, or whose session is closed meanwhile, is deleted, and
 * the error names the reason.
 */
export async function takeSnapshot(
  deps: SessionDeps,
  owner: Owner,
  { service, sessionId, name, signal }: SnapshotOrder,
): Promise<SnapshotRow> {
  const session = await useSession(deps, owner, sessionId, false)
  if (session.service !== service)
    throw new AppError(
      'invalid_params',
      `This session belongs to "${session.service}", not to "${service}".`,
      { param: 'session_id', fix: `Open one with ${service}/create_session.` },
    )
  const snapshots = deps.boxFor(service, session.mode, session.account_id)?.snapshots
  if (snapshots === undefined || session.handle === null)
    throw new AppError(
      'upstream_not_configured',
      `This gateway no longer has a key for the vendor behind "${service}". Nothing was charged.`,
    )
  const id = await insertOrder(deps, owner, session, name)
  try {
    const reference = await snapshots.order(session.handle, id, async (use) => {
      if (isMeteredByUse(session))
        await meterProgram(deps, session.id, Number(session.used_ms), use)
    })
    await deps.database.query('update compute_snapshots set reference = $2 where id = $1', [
      id,
      reference,
    ])
    await snapshots.wait(reference, signal)
    return await finish(deps, id)
  } catch (error) {
    await giveUp(deps, id, error)
    throw await failureOf(deps, owner, session, error)
  }
}

/**
 * Counts the account's snapshots while the account is locked, so that concurrent orders see each
 * other.
 */
async function insertOrder(
  { database, now }: SessionDeps,
  { keyId }: Owner,
  session: SessionRow,
  name: string | undefined,
): Promise<Id> {
  const nowMs = now()
  const id = newId(nowMs)
  await database.transaction(async (tx) => {
    await tx.query('select from accounts where id = $1 for no key update', [session.account_id])
    const { rows } = await tx.query<{ stored: bigint }>(
      'select count(*) as stored from compute_snapshots where account_id = $1 and mode = $2 and ended_ms is null and expires_ms > $3',
      [session.account_id, session.mode, nowMs],
    )
    if (Number(rows[0]?.stored ?? 0n) >= MOST_SNAPSHOTS) throw tooMany(session.service)
    await tx.query(
      'insert into compute_snapshots (id, account_id, mode, key_id, service, session_id, name, ordered_ms, expires_ms) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
      [
        id,
        session.account_id,
        session.mode,
        keyId,
        session.service,
        session.id,
        name ?? null,
        nowMs,
        nowMs + SNAPSHOT_LIFE_MS,
      ],
    )
  })
  return id
}

function tooMany(service: string): AppError {
  return new AppError(
    'storage_quota_exceeded',
    `This account has ${MOST_SNAPSHOTS} snapshots already. Nothing was charged.`,
    {
      fix: `Delete one with ${service}/delete_snapshot; ${service}/list_snapshots lists them.`,
      details: { snapshots: MOST_SNAPSHOTS, most: MOST_SNAPSHOTS },
    },
  )
}

/** Lists the snapshot. Its seven days start when it is finished. */
async function finish({ database, now }: SessionDeps, id: Id): Promise<SnapshotRow> {
  const nowMs = now()
  const {
    rows: [made],
  } = await database.query<SnapshotRow>(
    'update compute_snapshots set made_ms = $2, expires_ms = $3 where id = $1 and ended_ms is null returning *',
    [id, nowMs, nowMs + SNAPSHOT_LIFE_MS],
  )
  if (made === undefined)
    throw new AppError(
      'upstream_timeout',
      'The snapshot was finished after the call had ended. Nothing was charged.',
    )
  return made
}

/**
 * After a rejected order there is no snapshot. After any other failure, the sweep deletes it at the
 * vendor.
 */
async function giveUp({ database, now }: SessionDeps, id: Id, error: unknown): Promise<void> {
  const isRefused = error instanceof AppError && REFUSALS.has(error.code)
  await database
    .transaction(async (tx) => {
      if (isRefused)
        await tx.query('delete from compute_snapshots where id = $1 and reference is null', [id])
      await tx.query(
        'update compute_snapshots set ended_ms = $2 where id = $1 and ended_ms is null',
        [id, now()],
      )
    })
    .catch(() => undefined)
}

async function failureOf(
  deps: SessionDeps,
  owner: Owner,
  session: SessionRow,
  error: unknown,
): Promise<unknown> {
  const { rows } = await deps.database.query(
    'select from compute_sessions where id = $1 and closed_ms is null',
    [session.id],
  )
  return rows.length === 0
    ? endedSession(deps, owner, session.id)
    : failureOfUse(deps, owner, session, error)
}
