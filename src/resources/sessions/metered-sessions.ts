import { AppError } from '../../errors/app-error.ts'
import { parsePublicId, type Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import { endIfGone, endOnce } from './end-session.ts'
import { endedSession, unknownSession } from './ended-session.ts'
import { keepSession } from './keep-sessions.ts'
import { meterProgram, secondsHeldFor } from './meter-program.ts'
import type { ProgramOutput, SessionDriver, SessionOutput, SessionOwner, SessionWork } from './session-driver.ts'
import { toldEndMs, type SessionParts } from './session-parts.ts'
import { isMeteredByUse, KEY_MAY_PAY, type SessionRow } from './session-row.ts'
import { tearDown } from './tear-down.ts'

/** The vendor is given so long to end a machine while the caller waits; after that it is told again in the background. */
const TEAR_DOWN_MS = 5_000

/** Sessions that create_session opened, metered while they are open. */
export function createMeteredSessions(parts: SessionParts): SessionDriver {
  const { database, now, boxFor } = parts

  /** An open session of this owner, used now; a program begins in it unless it `runs` none. */
  async function use(owner: SessionOwner, sessionId: string, runs = true): Promise<SessionRow> {
    const id = idOf(sessionId)
    let row = await begin(owner, id, runs)
    if (row === undefined) {
      await holdAnew(owner, id)
      row = await begin(owner, id, runs)
    }
    if (row === undefined) throw await endedSession(database, owner, id)
    return row
  }

  async function begin({ accountId, mode }: SessionOwner, id: Id, runs: boolean): Promise<SessionRow | undefined> {
    const nowMs = now()
    const { rows } = await database.query<SessionRow>(
      `update compute_sessions set used_ms = $4, running = case when cpu_hour_micros is null then running else running || $5::jsonb end,
         metered_from_ms = case when cpu_hour_micros is null then metered_from_ms else $4 end
       where id = $1 and account_id = $2 and mode = $3 and closed_ms is null and handle is not null and paid_until_ms > $4 and ${KEY_MAY_PAY} returning *`,
      [id, accountId, mode, nowMs, JSON.stringify(runs ? [nowMs] : [])],
    )
    return rows[0]
  }

  /** One whose hold ended while no gateway was there is not gone: whoever uses it first need not wait for it to be kept. */
  async function holdAnew({ accountId, mode }: SessionOwner, id: Id): Promise<void> {
    const { rows } = await database.query('select from compute_sessions where id = $1 and account_id = $2 and mode = $3 and closed_ms is null and cpu_hour_micros is not null', [id, accountId, mode])
    if (rows.length > 0) await keepSession(parts, id, true)
  }

  async function run(row: SessionRow, work: SessionWork, signal: AbortSignal): Promise<ProgramOutput & Pick<SessionOutput, 'charged'>> {
    const box = boxFor(row.service, row.mode, row.account_id)
    if (box === null || row.handle === null) throw new AppError('upstream_not_configured', `This gateway has no key of the vendor behind "${row.service}" any more, so nothing can run in this session. Nothing was charged for this program.`, { fix: 'Close the session: until then it is paid for while it is open.' })
    const isByUse = isMeteredByUse(row)
    // What is charged by its end goes on to it, though nobody may wait for it any more.
    const { use: used = 'unread', ...output } = await box.run(row.handle, work, isByUse ? new AbortController().signal : signal, secondsHeldFor(row))
    return { ...output, charged: isByUse ? await meterProgram(parts, row.id, Number(row.used_ms), used) : 0n }
  }

  return {
    async execute(owner, sessionId, work, signal) {
      const row = await use(owner, sessionId)
      try {
        return { ...(await run(row, work, signal)), closesAtMs: toldEndMs(row) }
      } catch (error) {
        if (isMeteredByUse(row)) await meterProgram(parts, row.id, Number(row.used_ms), 'failed').catch(() => undefined)
        if (!(error instanceof AppError) || error.code !== 'upstream_not_found') throw error
        // Where the vendor has ended it, it is not metered any longer.
        if (await endIfGone(parts, row)) throw await endedSession(database, owner, row.id)
        // It was closed meanwhile.
        await use(owner, sessionId, false)
        throw new AppError('upstream_error', 'The machine could not be reached, and its vendor does not say that it is gone.', { fix: 'Try again: its files are kept. Or close the session, which stays open until then.', details: error.details, cause: error })
      }
    },
    async close(owner, sessionId) {
      const { rows } = await database.query<{ id: Id }>('select id from compute_sessions where id = $1 and account_id = $2 and mode = $3', [idOf(sessionId), owner.accountId, owner.mode])
      if (rows[0] === undefined) throw unknownSession()
      const charged = await closeNow(parts, rows[0].id)
      const { rows: [closed] } = await database.query<{ closed_ms: bigint }>('select closed_ms from compute_sessions where id = $1', [rows[0].id])
      return { closesAtMs: closed === undefined ? null : Number(closed.closed_ms), charged }
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
