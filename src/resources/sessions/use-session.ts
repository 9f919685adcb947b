import { AppError } from '../../errors/app-error.ts'
import { parsePublicId, publicId, type Id } from '../../lib/ids.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'
import { endIfGone } from './end-session.ts'
import { endedSession, unknownSession } from './ended-session.ts'
import { maintainSession } from './maintain-sessions.ts'
import type { SessionDeps } from './session-deps.ts'
import { makerMayPay, type SessionRow } from './session-row.ts'

/**
 * Marks the owner's open session as used now, and a program as started unless `runs` is false.
 * Throws AppError `unknown_session`.
 */
export async function useSession(
  deps: SessionDeps,
  owner: Owner,
  sessionId: string,
  runs = true,
): Promise<SessionRow> {
  const id = idOf(sessionId)
  let row = await begin(deps, owner, id, runs)
  if (row === undefined) {
    await renewHold(deps, owner, id)
    row = await begin(deps, owner, id, runs)
  }
  if (row === undefined) throw await endedSession(deps, owner, id)
  return row
}

async function begin(
  { database, now }: SessionDeps,
  owner: Owner,
  id: Id,
  runs: boolean,
): Promise<SessionRow | undefined> {
  const nowMs = now()
  const { rows } = await database.query<SessionRow>(
    `update compute_sessions set used_ms = $4, running = case when cpu_hour_micros is null then running else running || $5::jsonb end,
       metered_from_ms = case when cpu_hour_micros is null then metered_from_ms else $4 end
     where id = $1 and account_id = $2 and mode = $3 and closed_ms is null and handle is not null and paid_until_ms > $4 and ($6::uuid is null or budget_id = $6) and ${makerMayPay('$4')} returning *`,
    [id, owner.accountId, owner.mode, nowMs, JSON.stringify(runs ? [nowMs] : []), onlyMaker(owner)],
  )
  return rows[0]
}

/**
 * Renews the hold of a session whose hold ended while no gateway was running, so that its first use
 * need not wait for the chore.
 */
async function renewHold(deps: SessionDeps, owner: Owner, id: Id): Promise<void> {
  const { rows } = await deps.database.query(
    'select from compute_sessions where id = $1 and account_id = $2 and mode = $3 and closed_ms is null and cpu_hour_micros is not null and ($4::uuid is null or budget_id = $4)',
    [id, owner.accountId, owner.mode, onlyMaker(owner)],
  )
  if (rows.length > 0) await maintainSession(deps, id, true)
}

/**
 * The error for a use that failed with `error`. If the vendor no longer lists the machine, the
 * session ends.
 */
export async function failureOfUse(
  deps: SessionDeps,
  owner: Owner,
  row: SessionRow,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'upstream_not_found') return error
  // If the vendor has ended the machine, its meter stops too.
  if (await endIfGone(deps, row)) return endedSession(deps, owner, row.id)
  // Throws if the session was closed meanwhile.
  await useSession(deps, owner, publicId('session', row.id), false)
  return new AppError(
    'upstream_error',
    'The machine could not be reached, but its vendor does not report it gone.',
    {
      fix: 'Try again; its files are safe. Or close the session, which stays open until then.',
      details: error.details,
      cause: error,
    },
  )
}

/** Parses a public session id. Throws AppError `unknown_session` for an invalid one. */
export function idOf(sessionId: string): Id {
  const id = parsePublicId('session', sessionId)
  if (id === null) throw unknownSession()
  return id
}
