import { AppError } from '../../errors/app-error.ts'
import { parsePublicId, type Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import { endIfGone, endOnce } from './end-session.ts'
import type { SessionDriver, SessionOwner } from './session-driver.ts'
import { closesAtMs, type SessionParts } from './session-parts.ts'
import { KEY_MAY_PAY, type SessionRow } from './session-row.ts'
import { tearDown } from './tear-down.ts'

/** The vendor is given so long to end a machine while the caller waits; after that it is told again in the background. */
const TEAR_DOWN_MS = 5_000

/** Sessions that create_session opened, metered while they are open. */
export function createMeteredSessions(parts: SessionParts): SessionDriver {
  const { database, now, boxFor } = parts

  /** An open session of this owner, used now. */
  async function use(owner: SessionOwner, sessionId: string): Promise<SessionRow> {
    const nowMs = now()
    const { rows } = await database.query<SessionRow>(
      `update compute_sessions set used_ms = $4 where id = $1 and account_id = $2 and mode = $3 and closed_ms is null and handle is not null and paid_until_ms > $4 and ${KEY_MAY_PAY} returning *`,
      [idOf(sessionId), owner.accountId, owner.mode, nowMs],
    )
    const [row] = rows
    if (row === undefined) throw unknownSession()
    return row
  }

  return {
    async execute(owner, sessionId, work, signal) {
      const row = await use(owner, sessionId)
      const box = boxFor(row.service, row.mode, row.account_id)
      if (box === null || row.handle === null) throw new AppError('upstream_not_configured')
      try {
        const output = await box.run(row.handle, work, signal)
        return { ...output, closesAtMs: closesAtMs(row) }
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'upstream_not_found') throw error
        // Where the vendor has ended it, it is not metered any longer.
        if (await endIfGone(parts, row)) throw unknownSession()
        // It was closed meanwhile.
        await use(owner, sessionId)
        throw new AppError('upstream_error', 'The machine could not be reached, and its vendor does not say that it is gone.', { fix: 'Try again: its files are kept. Or close the session; it is metered until then.', details: error.details, cause: error })
      }
    },
    async close(owner, sessionId) {
      const { rows } = await database.query<{ id: Id }>('select id from compute_sessions where id = $1 and account_id = $2 and mode = $3', [idOf(sessionId), owner.accountId, owner.mode])
      if (rows[0] === undefined) throw unknownSession()
      return { charged: await closeNow(parts, rows[0].id) }
    },
  }
}

/** Ends it once: whoever comes later is charged nothing again. */
async function closeNow(parts: SessionParts, id: Id): Promise<Micros> {
  const ended = await endOnce(parts, id, 'asked')
  if (ended === null) return 0n
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, TEAR_DOWN_MS)))
  await Promise.race([tearDown(parts, ended.row).catch(() => undefined), late])
  clearTimeout(timer)
  return ended.charged
}

/** What is no id of a session is nobody's session. */
function idOf(sessionId: string): Id {
  const id = parsePublicId('session', sessionId)
  if (id === null) throw unknownSession()
  return id
}

function unknownSession(): AppError {
  return new AppError('unknown_session', undefined, { param: 'session_id' })
}
