/** What the owner of a session that takes no program any more is told: how it ended. Of others' sessions nobody is told that they are there. */
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'
import { KEY_MAY_PAY, type CloseReason } from './session-row.ts'

const WORDS: Readonly<Record<CloseReason, string>> = {
  asked: 'was closed',
  unpaid:
    'was closed because the balance, the ceiling of its key or its max_cost_cents paid for no more, or its key was paused or revoked',
  idle: 'was closed because nobody had used it for half an hour',
  lifetime: 'was closed because it had lived as long as its service lets one live',
  gone: 'is gone: its vendor ended the machine',
  not_made: 'never had a machine: its vendor made none',
}

type End = {
  readonly close_reason: CloseReason | null
  readonly closed_ms: bigint | null
  readonly key_may_pay: boolean
}

export async function endedSession(database: Database, owner: Owner, id: Id): Promise<AppError> {
  const { rows } = await database.query<End>(
    `select close_reason, closed_ms, ${KEY_MAY_PAY} as key_may_pay from compute_sessions where id = $1 and account_id = $2 and mode = $3 and ($4::uuid is null or budget_id = $4)`,
    [id, owner.accountId, owner.mode, onlyMaker(owner)],
  )
  const [end] = rows
  if (end === undefined) return unknownSession()
  const { close_reason: reason, closed_ms: closedMs } = end
  if (reason === null || closedMs === null)
    return end.key_may_pay
      ? unknownSession()
      : unknownSession(
          'The key that opened this session is paused or revoked, which ends it.',
          'Open another with a key that may pay; what the machine held is gone.',
        )
  const fix =
    reason === 'unpaid'
      ? 'GET /api/v1/agents/me tells what this key may spend. Then open another with create_session; what the machine held is gone.'
      : 'Open another with create_session; what the machine held is gone.'
  const closedAt = toRfc3339(Number(closedMs))
  return unknownSession(`This session ${WORDS[reason]} (${closedAt}).`, fix, {
    close_reason: reason,
    closed_at: closedAt,
  })
}

export function unknownSession(
  message?: string,
  fix?: string,
  details?: Record<string, unknown>,
): AppError {
  return new AppError('unknown_session', message, { param: 'session_id', fix, details })
}
