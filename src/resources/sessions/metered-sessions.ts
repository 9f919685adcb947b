import { AppError } from '../../errors/app-error.ts'
import type { Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import { onlyMaker } from '../../lib/owner.ts'
import { endIfGone, endOnce } from './end-session.ts'
import { unknownSession } from './ended-session.ts'
import { meterProgram, secondsHeldFor } from './meter-program.ts'
import type { SessionDriver, SessionOutput, SessionWork } from './session-driver.ts'
import { reportedEndMs, type SessionDeps } from './session-deps.ts'
import { isMeteredByUse, type SessionRow } from './session-row.ts'
import { tearDown } from './tear-down.ts'
import { failureOfUse, idOf, useSession } from './use-session.ts'

/** How long a caller waits for the vendor to end a machine; then it continues in the background. */
const TEAR_DOWN_WAIT_MS = 5_000

/** Sessions opened by create_session, metered while they are open. */
export function createMeteredSessions(deps: SessionDeps): SessionDriver {
  const { database, boxFor } = deps

  async function run(
    row: SessionRow,
    work: SessionWork,
    signal: AbortSignal,
  ): Promise<SessionOutput> {
    const box = boxFor(row.service, row.mode, row.account_id)
    if (box === null || row.handle === null)
      throw new AppError(
        'upstream_not_configured',
        `This gateway no longer has a key for the vendor behind "${row.service}", so nothing can run in this session. Nothing was charged for this program.`,
        { fix: 'Close the session, which is charged while it is open.' },
      )
    const isByUse = isMeteredByUse(row)
    // A program charged by its end runs to its end, even after the caller disconnects.
    const {
      use: used = 'unread',
      failure,
      hasEnded = false,
      ...output
    } = await box.run(
      row.handle,
      work,
      isByUse ? new AbortController().signal : signal,
      secondsHeldFor(row),
    )
    const charged = isByUse ? await meterProgram(deps, row.id, Number(row.used_ms), used) : 0n
    if (failure !== undefined) throw failure
    const isOver = hasEnded && (await endIfGone(deps, row))
    return { ...output, charged, closesAtMs: isOver ? deps.now() : reportedEndMs(row) }
  }

  return {
    async execute(owner, sessionId, work, signal) {
      const row = await useSession(deps, owner, sessionId)
      try {
        return await run(row, work, signal)
      } catch (error) {
        if (isMeteredByUse(row))
          await meterProgram(deps, row.id, Number(row.used_ms), 'failed').catch(() => undefined)
        throw await failureOfUse(deps, owner, row, error)
      }
    },
    async serviceOf(owner, sessionId) {
      const { rows } = await database.query<{ service: string }>(
        'select service from compute_sessions where id = $1 and account_id = $2 and mode = $3 and ($4::uuid is null or budget_id = $4)',
        [idOf(sessionId), owner.accountId, owner.mode, onlyMaker(owner)],
      )
      return rows[0]?.service ?? null
    },
    async close(owner, sessionId) {
      const { rows } = await database.query<{ id: Id }>(
        'select id from compute_sessions where id = $1 and account_id = $2 and mode = $3 and ($4::uuid is null or budget_id = $4)',
        [idOf(sessionId), owner.accountId, owner.mode, onlyMaker(owner)],
      )
      if (rows[0] === undefined) throw unknownSession()
      const charged = await closeNow(deps, rows[0].id)
      const {
        rows: [closed],
      } = await database.query<{ closed_ms: bigint }>(
        'select closed_ms from compute_sessions where id = $1',
        [rows[0].id],
      )
      return { closesAtMs: closed === undefined ? null : Number(closed.closed_ms), charged }
    },
  }
}

/** Ends a session once. Repeated calls are not charged again. */
async function closeNow(deps: SessionDeps, id: Id): Promise<Micros> {
  const ended = await endOnce(deps, id, 'asked')
  if (ended === null) return 0n
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, TEAR_DOWN_WAIT_MS)))
  await Promise.race([tearDown(deps, ended.row).catch(() => undefined), late])
  clearTimeout(timer)
  return ended.charged
}
