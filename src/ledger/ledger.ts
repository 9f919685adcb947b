import type { Database } from '../db/database.ts'
import { faultOf, isLockTimeout } from '../db/fault.ts'
import { StatementLine } from '../db/statement-line/statement-line.ts'
import { AppError, BrokenInvariant, invariant } from '../errors/app-error.ts'
import { DatabaseAway } from '../errors/database-away.ts'
import type { Clock } from '../lib/clock.ts'
import type { Id, LeaseNumber } from '../lib/ids.ts'
import type { Micros } from '../lib/money.ts'
import { createGroupCommit, type FlushFigures } from './group-commit.ts'
import type { Hold, HoldRequest, HoldVerdict, Resolution, HoldKind, WalletState } from './hold.ts'
import type { LoadGate } from './load-gate.ts'
import { refusalOf } from './refusal.ts'
import { createSettlementGate } from './settlement-gate.ts'

export type Settlement = {
  /** Zero when the hold had expired or was lost: only held credit is ever charged. */
  readonly charged: Micros
  readonly expired: boolean
  /** Set when a crash of the database lost the hold. */
  readonly lost?: true
  readonly wallet: WalletState | null
}

/** The idempotency key is taken. The caller looks up the answer stored under it. */
export type Repeated = { readonly opened: false }

export type Ledger = {
  /**
   * Holds credit for a call in its wallet and budget. Throws AppError when there is too little. A
   * crash of the database can lose a recent hold; its settlement is then `expired`.
   */
  hold(request: HoldRequest): Promise<Hold | Repeated>
  /**
   * Resolves a hold once, in one commit: charges at most the hold, releases the rest, writes the
   * transaction. `answer` is stored if the hold claimed an idempotency key; without one the key is
   * free again. Throws AppError overloaded when the database stays unreachable.
   */
  resolve(resolution: Resolution & { readonly hold: Hold }): Promise<Settlement>
  /**
   * Adds available credit to the hold, at most `wanted`, within the wallet's balance, the key's
   * limit and the daily LLM cap. Returns the hold unchanged when no credit is available or the
   * database is unreachable.
   */
  enlarge(hold: Hold, wanted: Micros): Promise<Hold>
  /** The error for a hold that was refused within a larger transaction, with current figures. */
  refusal(verdict: HoldVerdict, request: HoldRequest): Promise<AppError>
  /** Releases every hold whose deadline has passed. Returns their number. */
  sweep(): Promise<number>
  /**
   * Releases the holds that a dead process with this lease opened for calls. Jobs and sessions
   * outlive a process, so theirs stay. Returns the number of released holds.
   */
  releaseOf(lease: LeaseNumber): Promise<number>
  figures(): FlushFigures
  readonly load: Pick<LoadGate, 'admits' | 'isShedding' | 'expectedWaitMs'>
  close(): Promise<void>
}

export type LedgerDeps = {
  readonly database: Database
  readonly now: Clock
  /** Shown to callers whose credit is short. */
  readonly topupUrl: string
  /** Whether callers can buy credit there. By default only the operator adds credit. */
  readonly sellsCredit?: boolean
  /** Waits between attempts to reach the database. */
  readonly pause: (ms: number) => Promise<void>
  /** A flush without a response for this long counts as a broken connection. */
  readonly flushTimeoutMs?: number
  /** A slower hold is refused, and released if it opens later. */
  readonly holdWithinMs?: number
  /**
   * Answers to store for calls of a dead process. The idempotency keys of all others are free
   * again.
   */
  readonly answersOfExpired?: AnswersOfExpired
  /** Called for each result that arrived after its hold was released, with its lost charge. */
  readonly onLateResult?: (hold: Hold, charge: Micros) => void
}

export type AnswersOfExpired = (
  ids: readonly Id[],
) => Promise<ReadonlyMap<Id, NonNullable<Resolution['answer']>>>

const FLUSH_TIMEOUT_MS = 5_000

// A settlement survives a restart of the database: these pauses add up to 43 seconds, and the
// hold's deadline is at least a minute away.
const RESOLVE_ATTEMPTS = 26
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000
const SWEEP_BATCH = 500
// The error code of a hold that was not resolved before its deadline.
const EXPIRED = 'hold_expired'

/** The holds that a sweep releases: a condition with one value. */
type Swept = { readonly where: string; readonly value: number | string }

const pastDeadline = (nowMs: number): Swept => ({
  where: 'deadline_ms < $1 order by deadline_ms',
  value: nowMs,
})
// Jobs have their own leases, and sessions end at their deadlines.
const leftBy = (lease: LeaseNumber): Swept => ({
  where: "right(id::text, 6) = $1 and kind in ('call', 'llm') order by id",
  value: lease,
})

export function createLedger(settings: LedgerDeps): Ledger {
  const { database, now } = settings
  const commits = createGroupCommit({
    connect: () =>
      new StatementLine(database.connect('ledger'), settings.flushTimeoutMs ?? FLUSH_TIMEOUT_MS),
    now,
    ...(settings.holdWithinMs === undefined ? {} : { holdWithinMs: settings.holdWithinMs }),
  })
  const gate = createSettlementGate(now)

  async function hold(request: HoldRequest): Promise<Hold | Repeated> {
    invariant(request.amount > 0n, 'a hold has a positive amount')
    const refusal = gate.refusal()
    if (refusal !== null) throw holdFailure(refusal)
    const { verdict } = await commits.open(request).catch((error: unknown) => {
      throw holdFailure(error)
    })
    if (verdict === 'opened') return { ...request, opened: true }
    if (verdict === 'repeated') return { opened: false }
    throw await refusalOf(verdict, request, settings)
  }

  async function resolve(resolution: Resolution & { hold: Hold }): Promise<Settlement> {
    const { charge, hold: held } = resolution
    invariant(
      charge >= 0n && charge <= held.amount,
      `a charge of ${charge} µ$ is within the ${held.amount} µ$ held`,
    )
    invariant(charge === 0n || resolution.errorCode === null, 'a failed call is charged nothing')
    const stored = withAnswerOfClaim(resolution)
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { verdict, wallet } = await commits.resolve(stored)
        if (verdict === 'resolved') {
          gate.settled(held.id)
          return { charged: charge, expired: false, wallet }
        }
        // It wrote nothing, so it proves nothing about the database.
        gate.stopped(held.id)
        const posted = await postedBefore(database, held, wallet)
        if (posted.expired && charge > 0n) settings.onLateResult?.(held, charge)
        return posted
      } catch (error) {
        const isOurFault = faultOf(error) === 'data' || error instanceof BrokenInvariant
        if (isOurFault || attempt === RESOLVE_ATTEMPTS) {
          gate.stopped(held.id)
          throw isOurFault ? error : unconfirmed(error)
        }
        gate.failed(held.id, error)
        await settings.pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)))
      }
    }
  }

  async function enlarge(held: Hold, wanted: Micros): Promise<Hold> {
    try {
      const { rows } = await database.query<{ granted: bigint }>(
        'select ledger_enlarge_hold($1, $2, $3) as granted',
        [now(), held.id, wanted],
        'enlarge_hold',
      )
      return { ...held, amount: held.amount + (rows[0]?.granted ?? 0n) }
    } catch (error) {
      // The enlargement may be committed anyway. The settlement releases the uncharged part.
      if (error instanceof AppError && error.code === 'overloaded') return held
      throw error
    }
  }

  async function sweepAll(which: Swept): Promise<number> {
    for (let released = 0; ;) {
      const { found, done } = await sweepSome(which)
      released += done
      if (found < SWEEP_BATCH || done === 0) return released
    }
  }

  // Repeats until nothing is left: afterwards the lease is deleted, and with it the only trace of
  // them.
  async function releaseOf(lease: LeaseNumber): Promise<number> {
    for (let released = 0; ;) {
      const done = await sweepAll(leftBy(lease))
      if (done === 0) return released
      released += done
    }
  }

  async function sweepSome({ where, value }: Swept): Promise<{ found: number; done: number }> {
    const { rows } = await database.query<{
      id: Id
      wallet_id: bigint
      budget_id: Id | null
      kind: HoldKind
      amount_micros: bigint
      is_answered: boolean
    }>(
      `select id, wallet_id, budget_id, kind, amount_micros, exists (select from answers where call_id = holds.id and status is not null) as is_answered
       from holds where ${where} limit $2`,
      [value, SWEEP_BATCH],
    )
    if (rows.length === 0) return { found: 0, done: 0 }
    const answers = await settings.answersOfExpired?.(rows.map(({ id }) => id))
    const outcomes = await Promise.allSettled(
      rows.map(({ id, wallet_id, budget_id, kind, amount_micros, is_answered }) =>
        commits.resolve({
          hold: {
            id,
            walletId: Number(wallet_id),
            budgetId: budget_id,
            kind,
            amount: amount_micros,
          },
          charge: 0n,
          latencyMs: 0,
          errorCode: EXPIRED,
          hops: null,
          // An answer that is already stored, such as a job's submission, stays.
          ...(is_answered ? {} : { answer: answers?.get(id) ?? null }),
        }),
      ),
    )
    const failure = outcomes.find((outcome) => outcome.status === 'rejected')
    const done = outcomes.filter(
      (outcome) => outcome.status === 'fulfilled' && outcome.value.verdict === 'resolved',
    ).length
    if (failure !== undefined && done === 0) throw sweepFailure(failure.reason)
    return { found: rows.length, done }
  }

  return {
    hold,
    resolve,
    enlarge,
    refusal: (verdict, request) => refusalOf(verdict, request, settings),
    sweep: () => sweepAll(pastDeadline(now())),
    releaseOf,
    figures: () => commits.figures(),
    load: commits.load,
    close: () => commits.close(),
  }
}

// A hold without an idempotency key stores no answer, and a flush without answers is faster.
function withAnswerOfClaim({
  answer = null,
  ...resolution
}: Resolution & { readonly hold: Hold }): Resolution {
  return resolution.hold.claim === null ? resolution : { ...resolution, answer }
}

// A refusal for the data is a defect of the gateway. After a broken connection the hold may be
// committed; no call uses it, and the sweep releases it.
function holdFailure(error: unknown): Error {
  if (error instanceof AppError) return error
  if (faultOf(error) === 'data') return new AppError('internal', undefined, { cause: error })
  if (isLockTimeout(error))
    return new AppError('overloaded', 'Another transaction locks rows that this call needs.', {
      retryAfterSeconds: 1,
      cause: error,
    })
  return new DatabaseAway('The ledger cannot be reached at the moment.', error)
}

function sweepFailure(error: unknown): unknown {
  return error instanceof AppError || faultOf(error) === 'data'
    ? error
    : new DatabaseAway('The ledger cannot be reached at the moment.', error)
}

// All attempts failed. Usually none was committed, and the sweep releases the hold. But the last
// one may be committed, with only its response lost.
function unconfirmed(cause: unknown): AppError {
  return new AppError(
    'overloaded',
    'The call was carried out, but the ledger was unreachable when it had to be settled. Most likely it is not charged.',
    {
      fix: 'GET /api/v1/transactions shows the outcome. With an Idempotency-Key, sending the same request again is safe.',
      retryAfterSeconds: 1,
      cause,
    },
  )
}

// The hold is gone: an earlier attempt, whose response was lost, committed this resolution, or the
// sweep released the hold. Both were on disk before they became visible, so the row read here is
// durable. Without a row, a crash of the database lost the hold and freed its credit, as a sweep
// would have.
async function postedBefore(
  database: Database,
  held: Hold,
  wallet: WalletState,
): Promise<Settlement> {
  const { rows } = await database.query<{ amount_micros: bigint; error_code: string | null }>(
    'select amount_micros, error_code from transactions where wallet_id = $1 and id = $2',
    [held.walletId, held.id],
  )
  const posted = rows[0]
  if (posted === undefined) return { charged: 0n, expired: true, lost: true, wallet }
  return { charged: -posted.amount_micros, expired: posted.error_code === EXPIRED, wallet }
}
