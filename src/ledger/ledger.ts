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
import { createSettling } from './settling.ts'

export type Settlement = {
  /** What the wallet was charged. Zero when the hold had expired before, or was lost with the database: what is no longer held is never charged. */
  readonly charged: Micros
  readonly expired: boolean
  /** Set when the hold went with a crash of the database. */
  readonly lost?: true
  readonly wallet: WalletState | null
}

/** `hold` answers this when the idempotency key is taken; what was stored under it is the caller's to look up. */
export type Repeated = { readonly opened: false }

export type Ledger = {
  /** Takes room for a call in its wallet and budget. Throws AppError when there is none. A crash of the database may lose it within a moment, and its resolution is `expired` then. */
  hold(request: HoldRequest): Promise<Hold | Repeated>
  /**
   * Resolves a hold once: charges at most what was held, gives the rest back, writes the transaction, all in one commit.
   * `answer` is kept where the hold claimed an idempotency key; without one the key is free again.
   * Throws AppError overloaded when the database stays away.
   */
  resolve(resolution: Resolution & { readonly hold: Hold }): Promise<Settlement>
  /**
   * The hold with as much more as is free, `wanted` at most, of the wallet, the key's ceiling and the daily cap of its
   * kind; as it was where none is, or the database cannot be reached.
   */
  enlarge(hold: Hold, wanted: Micros): Promise<Hold>
  /** The error for a hold that was refused as part of a larger change, with the figures as they stand now. */
  refusal(verdict: HoldVerdict, request: HoldRequest): Promise<AppError>
  /** Gives back what a dead process left: every hold whose deadline has passed. Returns how many. */
  sweep(): Promise<number>
  /** Gives back what the process with this lease left: the holds of its calls, not those of jobs and sessions, which outlive a process. Returns how many. */
  releaseOf(lease: LeaseNumber): Promise<number>
  figures(): FlushFigures
  readonly load: Pick<LoadGate, 'admits' | 'isShedding' | 'expectedWaitMs'>
  close(): Promise<void>
}

export type LedgerSettings = {
  readonly database: Database
  readonly now: Clock
  /** Shown where a caller is told that credit is short. */
  readonly topupUrl: string
  /** Whether credit can be bought there; left out: the operator alone adds some. */
  readonly sellsCredit?: boolean
  /** Waits between attempts to reach a lost database. Tests pass one that does not. */
  readonly pause: (ms: number) => Promise<void>
  /** A flush that is not answered for so long counts as a broken connection. */
  readonly flushTimeoutMs?: number
  /** A hold that takes longer is refused, and released if it opens later. */
  readonly holdWithinMs?: number
  /** Of calls that a dead process left, what their idempotency keys stand for from now on; the keys of all others are free again. Left out: of none. */
  readonly answersOfExpired?: AnswersOfExpired
  /** Gets each result that came after its hold was given up, with what it would have been charged. */
  readonly onLateResult?: (hold: Hold, charge: Micros) => void
}

export type AnswersOfExpired = (
  ids: readonly Id[],
) => Promise<ReadonlyMap<Id, NonNullable<Resolution['answer']>>>

const FLUSH_TIMEOUT_MS = 5_000

// A settle must not be lost to a restart of the database: 43 seconds of pauses, and the hold's deadline is a minute or more away.
const RESOLVE_ATTEMPTS = 26
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000
const SWEEP_BATCH = 500
// The error code of a hold that nobody resolved before its deadline.
const EXPIRED = 'hold_expired'

/** Which holds a sweep takes, by one value. */
type Swept = { readonly where: string; readonly value: number | string }

const pastDeadline = (nowMs: number): Swept => ({
  where: 'deadline_ms < $1 order by deadline_ms',
  value: nowMs,
})
// Jobs have leases of their own, and sessions end by their deadlines.
const leftBy = (lease: LeaseNumber): Swept => ({
  where: "right(id::text, 6) = $1 and kind in ('call', 'llm') order by id",
  value: lease,
})

export function createLedger(settings: LedgerSettings): Ledger {
  const { database, now } = settings
  const commits = createGroupCommit({
    connect: () =>
      new StatementLine(database.connect('ledger'), settings.flushTimeoutMs ?? FLUSH_TIMEOUT_MS),
    now,
    ...(settings.holdWithinMs === undefined ? {} : { holdWithinMs: settings.holdWithinMs }),
  })
  const settling = createSettling(now)

  async function hold(request: HoldRequest): Promise<Hold | Repeated> {
    invariant(request.amount > 0n, 'a hold is for more than nothing')
    const obstacle = settling.obstacle()
    if (obstacle !== null) throw holdFailure(obstacle)
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
    const kept = withAnswerOfClaim(resolution)
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { verdict, wallet } = await commits.resolve(kept)
        if (verdict === 'resolved') {
          settling.kept(held.id)
          return { charged: charge, expired: false, wallet }
        }
        // Nothing had to be written for it.
        settling.givenUp(held.id)
        const posted = await postedBefore(database, held, wallet)
        if (posted.expired && charge > 0n) settings.onLateResult?.(held, charge)
        return posted
      } catch (error) {
        const isOurFault = faultOf(error) === 'data' || error instanceof BrokenInvariant
        if (isOurFault || attempt === RESOLVE_ATTEMPTS) {
          settling.givenUp(held.id)
          throw isOurFault ? error : unconfirmed(error)
        }
        settling.failed(held.id, error)
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
      // It may have been committed all the same: what is not charged of it comes back with the settlement.
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

  // Whole, or not at all: the lease is forgotten afterwards, and nothing would lead to what is left.
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
          // What was answered at once, such as a job's submission, stays answered.
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

// A hold that claimed no idempotency key has no place for an answer, and a flush that brings none is a lighter one.
function withAnswerOfClaim({
  answer = null,
  ...resolution
}: Resolution & { readonly hold: Hold }): Resolution {
  return resolution.hold.claim === null ? resolution : { ...resolution, answer }
}

// What the database refuses for its data is a fault of ours. After a broken connection nobody knows whether the hold
// was committed; it is not used, and the sweep takes it away.
function holdFailure(error: unknown): Error {
  if (error instanceof AppError) return error
  if (faultOf(error) === 'data') return new AppError('internal', undefined, { cause: error })
  if (isLockTimeout(error))
    return new AppError('overloaded', 'Another change was in the way.', {
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

// All attempts failed. Mostly none was committed, and the sweep releases the call; but the last one's answer may be what got lost.
function unconfirmed(cause: unknown): AppError {
  return new AppError(
    'overloaded',
    'The call was carried out, but the ledger could not be reached to settle it. Most likely it is not charged.',
    {
      fix: 'GET /api/v1/transactions shows what became of it. With an Idempotency-Key, sending the same request again is safe.',
      retryAfterSeconds: 1,
      cause,
    },
  )
}

// The hold is gone: this same resolution was committed by an attempt whose answer got lost, or the sweep released it.
// Either waited for the disk before anybody could see it, so what is read here lasts. Without a transaction the hold was
// lost in a crash of the database before it reached the disk: its room was free again, so it is as if it had been swept.
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
