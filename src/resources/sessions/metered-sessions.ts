import { AppError } from '../../errors/app-error.ts'
import type { Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import { onlyMaker } from '../../lib/owner.ts'
import { endOnce } from './end-session.ts'
import { unknownSession } from './ended-session.ts'
import { meterProgram, secondsHeldFor } from './meter-program.ts'
import type { ProgramOutput, SessionDriver, SessionOutput, SessionWork } from './session-driver.ts'
import { toldEndMs, type SessionDeps } from './session-deps.ts'
import { isMeteredByUse, type SessionRow } from './session-row.ts'
import { tearDown } from './tear-down.ts'
import { failureOfUse, idOf, useSession } from './use-session.ts'

/** The vendor is given so long to end a machine while the caller waits; after that it is told again in the background. */
const TEAR_DOWN_MS = 5_000

/** Sessions that create_session opened, metered while they are open. */
export function createMeteredSessions(deps: SessionDeps): SessionDriver {
  const { database, boxFor } = deps

  async function run(
    row: SessionRow,
    work: SessionWork,
    signal: AbortSignal,
  ): Promise<ProgramOutput & Pick<SessionOutput, 'charged'>> {
    const box = boxFor(row.service, row.mode, row.account_id)
    if (box === null || row.handle === null)
      throw new AppError(
        'upstream_not_configured',
        `This gateway has no key of the vendor behind "${row.service}" any more, so nothing can run in this session. Nothing was charged for this program.`,
        { fix: 'Close the session: until then it is paid for while it is open.' },
      )
    const isByUse = isMeteredByUse(row)
    // What is charged by its end goes on to it, though nobody may wait for it any more.
    const { use: used = 'unread', ...output } = await box.run(
      row.handle,
      work,
      isByUse ? new AbortController().signal : signal,
      secondsHeldFor(row),
    )
    return {
      ...output,
      charged: isByUse ? await meterProgram(deps, row.id, Number(row.used_ms), used) : 0n,
    }
  }

  return {
    async execute(owner, sessionId, work, signal) {
      const row = await useSession(deps, owner, sessionId)
      try {
        return { ...(await run(row, work, signal)), closesAtMs: toldEndMs(row) }
      } catch (error) {
        if (isMeteredByUse(row))
          await meterProgram(deps, row.id, Number(row.used_ms), 'failed').catch(() => undefined)
        throw await failureOfUse(deps, owner, row, error)
      }
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

/** Ends it once: whoever comes later is charged nothing again. */
async function closeNow(deps: SessionDeps, id: Id): Promise<Micros> {
  const ended = await endOnce(deps, id, 'asked')
  if (ended === null) return 0n
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, TEAR_DOWN_MS)))
  await Promise.race([tearDown(deps, ended.row).catch(() => undefined), late])
  clearTimeout(timer)
  return ended.charged
}
