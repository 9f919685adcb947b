import type { Database } from '../db/database.ts'
import { faultOf, isLockTimeout } from '../db/fault.ts'
import { StatementPipeline } from '../db/pipeline/statement-pipeline.ts'
import { AppError, BrokenInvariant, invariant } from '../errors/app-error.ts'
import { DatabaseAway } from '../errors/database-away.ts'
import type { Clock } from '../lib/clock.ts'
import type { LeaseNumber } from '../lib/ids.ts'
import type { Micros } from '../lib/money.ts'
import { createGroupCommit, type FlushFigures } from './group-commit.ts'
import type { Hold, HoldRequest, HoldVerdict, Resolution, WalletState } from './hold.ts'
import type { LoadGate } from './load-gate.ts'
import { refusalOf } from './refusal.ts'
import { createSettlementGate } from './settlement-gate.ts'
import { createSweeper, HOLD_EXPIRED, type AnswersOfExpired } from './sweep.ts'

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
  readonly load: Pick<
    LoadGate,
    'admits' | 'capacity' | 'countRejection' | 'isShedding' | 'expectedWaitMs'
  >
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

const FLUSH_TIMEOUT_MS = 5_000

// A settlement survives a restart of the database: these pauses add up to 43 seconds, and the
// hold's deadline is at least a minute away.
const RESOLVE_ATTEMPTS = 26
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000

export function createLedger(deps: LedgerDeps): Ledger {
  const { database, now } = deps
  const commits = createGroupCommit({
    connect: () =>
      new StatementPipeline(database.connect('ledger'), deps.flushTimeoutMs ?? FLUSH_TIMEOUT_MS),
    now,
    ...(deps.holdWithinMs === undefined ? {} : { holdWithinMs: deps.holdWithinMs }),
  })
  const gate = createSettlementGate(now)
  const sweeper = createSweeper({
    database,
    resolve: (resolution) => commits.resolve(resolution),
    answersOfExpired: deps.answersOfExpired ?? (async () => new Map()),
  })

  async function hold(request: HoldRequest): Promise<Hold | Repeated> {
    invariant(request.amount > 0n, 'a hold has a positive amount')
    const refusal = gate.refusal()
    if (refusal !== null) throw holdFailure(refusal)
    const { verdict } = await commits.open(request).catch((error: unknown) => {
      throw holdFailure(error)
    })
    if (verdict === 'opened') return { ...request, opened: true }
    if (verdict === 'repeated') return { opened: false }
    throw await refusalOf(verdict, request, deps)
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
        if (posted.expired && charge > 0n) deps.onLateResult?.(held, charge)
        return posted
      } catch (error) {
        const isOurFault = faultOf(error) === 'data' || error instanceof BrokenInvariant
        if (isOurFault || attempt === RESOLVE_ATTEMPTS) {
          gate.stopped(held.id)
          throw isOurFault ? error : unconfirmed(error)
        }
        gate.failed(held.id, error)
        await deps.pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)))
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

  return {
    hold,
    resolve,
    enlarge,
    refusal: (verdict, request) => refusalOf(verdict, request, deps),
    sweep: () => sweeper.releaseExpired(now()),
    releaseOf: (lease) => sweeper.releaseOf(lease),
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
    return new AppError('overloaded', 'Another transaction locks rows that this request needs.', {
      retryAfterSeconds: 1,
      cause: error,
    })
  return new DatabaseAway('The ledger cannot be reached at the moment.', error)
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
  return { charged: -posted.amount_micros, expired: posted.error_code === HOLD_EXPIRED, wallet }
}
