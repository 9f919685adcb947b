import type { Database } from '../../db/database.ts'
import type { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Micros } from '../../lib/money.ts'
import type { Claim, HoldRequest, HoldVerdict } from '../hold.ts'
import { finalRefusal, keyRefusal, type TopupPage } from '../refusal.ts'
import { judge, readLimits, type Limit, type Scope, type Stopped } from './limits.ts'
import { readHolders, roomHeld, type Holders } from './room-held.ts'
import type { ShareReads } from './shared-reads.ts'

export type JudgeDeps = TopupPage & {
  readonly database: Database
  readonly now: Clock
  readonly share: ShareReads
}

export type CallJudgement =
  | { readonly kind: 'fits'; readonly limits: readonly Limit[] }
  /** Held money keeps it from fitting. */
  | { readonly kind: 'waits'; readonly limit: Limit }
  | { readonly kind: 'refused'; readonly error: AppError }

/** Compares a call with its limits. `reservedIn` is the amount of calls that waited longer. */
export async function judgeCall(
  { database, now, share, ...page }: JudgeDeps,
  request: HoldRequest,
  reservedIn?: (scope: Scope) => Micros,
): Promise<CallJudgement> {
  const { walletId, budgetId, kind } = request
  const read = await share(`${walletId} ${budgetId} ${kind === 'llm'}`, () =>
    readLimits(database, request, now()),
  )
  if (read.state !== 'open') return { kind: 'refused', error: keyRefusal(read) }
  const judged = judge(read.limits, request.amount, reservedIn)
  if (judged.kind === 'final')
    return { kind: 'refused', error: finalRefusal(judged.limit, request.amount, now(), page) }
  return judged.kind === 'waits' ? judged : { kind: 'fits', limits: read.limits }
}

/** The verdict that the state of a key causes. */
export function isOfKeyState(verdict: HoldVerdict | 'capped'): verdict is KeyState {
  return verdict === 'paused' || verdict === 'expired' || verdict === 'closed'
}

type KeyState = Stopped['state']

/** The error for a call that the ledger refused for the state of its key or of a key above. */
export async function explainState(
  deps: JudgeDeps,
  request: HoldRequest,
  state: KeyState,
): Promise<AppError> {
  const judged = await judgeCall(deps, request)
  return judged.kind === 'refused'
    ? judged.error
    : keyRefusal({ state, budgetId: request.budgetId, isAbove: false })
}

/** The error for a call that did not get the money within its wait. */
export async function explainWait(
  deps: JudgeDeps,
  request: HoldRequest,
  known?: CallJudgement,
): Promise<AppError> {
  const judged = known ?? (await judgeCall(deps, request))
  if (judged.kind === 'refused') return judged.error
  const limit = judged.kind === 'waits' ? judged.limit : tightest(judged.limits)
  return roomHeld(limit, request.amount, await holdersOf(deps, request, limit))
}

/** The open holds that keep the call from fitting into the limit. */
export function holdersOf(
  { database, share }: JudgeDeps,
  request: HoldRequest,
  limit: Limit,
): Promise<Holders> {
  return share(`${limit.scope} ${request.amount}`, () => readHolders(database, request, limit))
}

/** For a call that fits, and would pass others that wait. */
function tightest(limits: readonly Limit[]): Limit {
  const availableIn = ({ ceiling, spent, held }: Limit): Micros => ceiling - spent - held
  return limits.reduce((least, one) => (availableIn(one) < availableIn(least) ? one : least))
}

/** Whether a call has claimed the idempotency key. */
export async function isClaimed(
  database: Database,
  { accountId, route, idempotencyKey }: Claim,
  nowMs: number,
): Promise<boolean> {
  const { count } = await database.query(
    'select from answers where account_id = $1 and route = $2 and idempotency_key = $3 and expires_ms > $4',
    [accountId, route, idempotencyKey, nowMs],
    'is_claimed',
  )
  return count > 0
}
