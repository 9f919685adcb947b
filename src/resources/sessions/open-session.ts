import { AppError, invariant } from '../../errors/app-error.ts'
import type { UseRates } from '../../catalog/vocabulary/action.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import type { Transaction } from '../../db/database.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import { publicId } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import type { HoldRequest, HoldVerdict } from '../../ledger/hold.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'
import { holdDeadlineMs, openFirstHold } from './books.ts'
import type { Handle } from './box.ts'
import { endWithoutMachine } from './end-session.ts'
import { IDLE_HOLD_MS } from './meter-program.ts'
import { lifeMs, reportedEndMs, type ReadyBox, type SessionDeps } from './session-deps.ts'
import { STRETCH_MS, timeFor } from './session-meter.ts'
import { lockSession, type SessionRow } from './session-row.ts'

/**
 * Limits each account's share of the vendor's capacity, which all accounts use with the operator's
 * key, and of the time to renew sessions.
 */
const MOST_OPEN = 50
const RETRY_AFTER_SECONDS = 10
/**
 * Failures in which the vendor created no machine. After any other failure it may have created one.
 */
export const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'upstream_rejected',
  'upstream_not_configured',
  'upstream_payment',
  'upstream_busy',
  'upstream_not_found',
  'upstream_gone',
  'upstream_conflict',
  'overloaded',
  'invalid_params',
])

/** A session to open. `amount` pays for the first stretch. */
export type SessionOrder = {
  readonly service: string
  readonly amount: Micros
  /** The first hold, with a deadline in Unix milliseconds. Its id becomes the session's. */
  readonly holdUntil: (deadlineMs: number) => HoldRequest
  readonly box: ReadyBox
  readonly owner: Owner
  /** The price of the whole machine per hour. */
  readonly rate: Micros
  /** Set for a session metered by use; then `rate` is the highest price. */
  readonly use: UseRates | undefined
  /** The session's cost limit. */
  readonly most: Micros | null
  readonly template: string | undefined
  /** The vendor's reference of the snapshot that the machine starts from. */
  readonly snapshot: string | undefined
  readonly envs: Readonly<Record<string, string>>
  /** Wraps the response data in its envelope. */
  readonly answer: (data: Readonly<Record<string, unknown>>) => string
}

export type Opened =
  | { readonly verdict: 'opened'; readonly body: string }
  | { readonly verdict: Exclude<HoldVerdict, 'opened'> }

/**
 * Holds the first stretch, creates the machine, and starts the meter when it is ready. Throws the
 * vendor's failure; then nothing is held or charged, and the idempotency key is free again.
 */
export async function openSession(deps: SessionDeps, order: SessionOrder): Promise<Opened> {
  const { database, now } = deps
  const { service, box } = order
  const { accountId, mode } = order.owner
  const nowMs = now()
  const stretchMs =
    order.use === undefined ? Math.min(STRETCH_MS, timeFor(order.rate, order.amount)) : IDLE_HOLD_MS
  const hold = order.holdUntil(holdDeadlineMs(nowMs + Math.max(STRETCH_MS, stretchMs)))
  const verdict = await database.transaction(async (tx) => {
    const held = await openFirstHold(tx, hold, nowMs)
    if (held !== 'opened') return held
    // Counted while the hold locks the wallet, so concurrent opens see each other.
    const { rows } = await tx.query<{ open: bigint }>(
      'select count(*) as open from compute_sessions where account_id = $1 and mode = $2 and closed_ms is null',
      [accountId, mode],
    )
    if (Number(rows[0]?.open ?? 0n) >= MOST_OPEN) throw await tooMany(tx, order.owner)
    await tx.query(
      `insert into compute_sessions (id, account_id, mode, service, wallet_id, budget_id, external_id, rate_micros, most_micros, opened_ms, used_ms, hold_id, metered_from_ms, paid_until_ms, cpu_hour_micros, gigabyte_hour_micros, held_micros, price_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $1, $11, $11, $12, $13, $14, $15)`,
      // The meter does not run yet: the metered interval is empty.
      [
        hold.id,
        accountId,
        mode,
        service,
        hold.walletId,
        hold.budgetId,
        hold.externalId,
        order.rate,
        order.most,
        nowMs,
        nowMs + STRETCH_MS,
        order.use?.cpuHour ?? null,
        order.use?.gigabyteHour ?? null,
        order.use === undefined ? null : hold.amount,
        hold.priceId ?? null,
      ],
    )
    return held
  })
  if (verdict !== 'opened') return { verdict }
  let handle: Handle
  try {
    handle = await box.create({
      id: hold.id,
      template: order.template,
      snapshot: order.snapshot,
      envs: order.envs,
      lifeMs: lifeMs(service),
    })
  } catch (error) {
    await giveUp(deps, hold, error)
    throw error
  }
  try {
    return { verdict, body: await begin(deps, order, hold, handle, stretchMs) }
  } catch (error) {
    // No caller has received this session, and its machine may not be recorded.
    await Promise.allSettled([box.close(handle), giveUp(deps, hold, error)])
    throw error
  }
}

/**
 * Names the owner's open sessions: some stay open until closed, and a caller may have lost their
 * ids.
 */
async function tooMany(tx: Transaction, owner: Owner): Promise<AppError> {
  const { rows } = await tx.query<Pick<SessionRow, 'id' | 'service' | 'opened_ms' | 'used_ms'>>(
    `select id, service, opened_ms, used_ms from compute_sessions where account_id = $1 and mode = $2 and closed_ms is null and ($3::uuid is null or budget_id = $3) order by used_ms, id limit ${MOST_OPEN}`,
    [owner.accountId, owner.mode, onlyMaker(owner)],
  )
  const sessions = rows.map((row) => ({
    session_id: publicId('session', row.id),
    service: row.service,
    opened_at: toRfc3339(Number(row.opened_ms)),
    used_at: toRfc3339(Number(row.used_ms)),
  }))
  return new AppError(
    'too_many_inflight',
    `This account has ${MOST_OPEN} compute sessions open already. Nothing was held.`,
    {
      fix: 'Close unused ones with the MCP tool close: details.sessions lists them, the longest unused first.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      details: { open: MOST_OPEN, most: MOST_OPEN, sessions },
    },
  )
}

async function giveUp(
  { database, now }: SessionDeps,
  hold: HoldRequest,
  error: unknown,
): Promise<void> {
  const nowMs = now()
  const code = error instanceof AppError ? error.code : 'internal'
  await database.transaction(async (tx) => {
    const row = await lockSession(tx, hold.id, nowMs)
    if (row === undefined || row.closed_ms !== null) return
    await endWithoutMachine(tx, row, code, nowMs, row.handle !== null || !REFUSALS.has(code))
  })
}

/**
 * Starts the meter and stores the response for replays. If the session was given up meanwhile, it
 * is torn down.
 */
async function begin(
  deps: SessionDeps,
  order: SessionOrder,
  hold: HoldRequest,
  handle: Handle,
  stretchMs: number,
): Promise<string> {
  const { database, now } = deps
  const nowMs = now()
  const begun = await database.transaction(async (tx) => {
    const { rows } = await tx.query<SessionRow & { is_held: boolean }>(
      'update compute_sessions set handle = $2, used_ms = $3, metered_from_ms = $3, paid_until_ms = $4, is_torn_down = false where id = $1 returning *, exists (select from holds where id = hold_id) as is_held',
      [hold.id, JSON.stringify(handle), nowMs, nowMs + stretchMs],
    )
    const [row] = rows
    invariant(row !== undefined, 'the session exists')
    if (row.closed_ms !== null || !row.is_held) return null
    const endMs = reportedEndMs(row)
    const body = order.answer({
      session_id: publicId('session', row.id),
      closes_at: endMs === null ? null : toRfc3339(endMs),
      ...(order.box.isolation === undefined ? {} : { isolation: order.box.isolation }),
    })
    if (hold.claim !== null)
      await tx.query('update answers set status = 200, body = $2 where call_id = $1', [
        hold.id,
        body,
      ])
    return body
  })
  if (begun === null)
    throw new AppError(
      'upstream_timeout',
      'The machine was ready after the call had ended. Nothing was charged.',
    )
  return begun
}
