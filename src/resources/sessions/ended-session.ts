/**
 * The error for the owner of an ended session: why it ended. Other accounts do not learn that it
 * exists.
 */
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { toRfc3339, type Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'
import { makerMayPay, type CloseReason } from './session-row.ts'

const REASONS: Readonly<Record<CloseReason, string>> = {
  asked: 'was closed',
  unpaid:
    'was closed because the balance, the limit of its key or its max_cost_cents was used up, or its key or account was paused or revoked',
  idle: 'was closed after half an hour without use',
  lifetime: 'was closed at the longest lifetime of its service',
  gone: 'is gone: a program in it or its vendor ended the machine',
  preempted:
    'was closed because another account waited for a machine while no program ran in this session',
  not_made: 'never had a machine: its vendor created none',
}

type End = {
  readonly close_reason: CloseReason | null
  readonly closed_ms: bigint | null
  readonly key_may_pay: boolean
}

export async function endedSession(
  { database, now }: { readonly database: Database; readonly now: Clock },
  owner: Owner,
  id: Id,
): Promise<AppError> {
  const { rows } = await database.query<End>(
    `select close_reason, closed_ms, ${makerMayPay('$5')} as key_may_pay from compute_sessions where id = $1 and account_id = $2 and mode = $3 and ($4::uuid is null or budget_id = $4)`,
    [id, owner.accountId, owner.mode, onlyMaker(owner), now()],
  )
  const [end] = rows
  if (end === undefined) return unknownSession()
  const { close_reason: reason, closed_ms: closedMs } = end
  if (reason === null || closedMs === null)
    return end.key_may_pay
      ? unknownSession()
      : unknownSession(
          'The key that opened this session is paused or revoked, has expired, or its account is paused. That ends it.',
          "Open another with an active key. The machine's files are gone.",
        )
  const fix =
    reason === 'unpaid'
      ? "Check the spending limits of this key with GET /api/v1/agents/me, then open another with create_session. The machine's files are gone."
      : "Open another with create_session. The machine's files are gone."
  const closedAt = toRfc3339(Number(closedMs))
  return unknownSession(`This session ${REASONS[reason]} (${closedAt}).`, fix, {
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
