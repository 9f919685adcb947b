import type { Database } from '../db/database.ts'
import { faultOf, isLockTimeout } from '../db/fault.ts'
import { StatementPipeline } from '../db/pipeline/statement-pipeline.ts'
import { AppError, BrokenInvariant, invariant } from '../errors/app-error.ts'
import { DatabaseAway } from '../errors/database-away.ts'
import type { Clock } from '../lib/clock.ts'
import type { LeaseNumber } from '../lib/ids.ts'
import type { Micros } from '../lib/money.ts'
import { createAdmission } from './capacity/admission.ts'
import { NO_EXCHANGE, type Exchange } from './capacity/exchange.ts'
import type { After, OpenHold, Verdict } from './capacity/waiter.ts'
import { createGroupCommit, type FlushFigures } from './group-commit.ts'
import type { Hold, HoldRequest, HoldWait, Resolution, WalletState } from './hold.ts'
import type { LoadGate } from './load-gate.ts'
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
   * Holds credit for a call in its wallet and budget. If other holds keep it from fitting, it waits
   * at most as long as `wait` allows, by default not at all. Throws AppError when there is too
   * little. A crash of the database can lose a recent hold; its settlement is then `expired`.
   */
  hold(request: HoldRequest, wait?: HoldWait): Promise<Hold | Repeated>
  /** As `hold`, for a hold that `open` opens within a larger transaction. */
  admit(request: HoldRequest, wait: HoldWait, open: OpenHold): Promise<'opened' | 'repeated'>
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
  /** Releases every hold whose deadline has passed. Returns their number. */
  sweep(): Promise<number>
  /**
   * Releases the holds that a dead process with this lease opened for calls. Jobs and sessions
   * outlive a process, so theirs stay. Returns the number of released holds.
   */
  releaseOf(lease: LeaseNumber): Promise<number>
  figures(): FlushFigures & { readonly waitingForMoney: number }
  /** Refuses every call that waits for money. Later calls do not wait. */
  endWaits(): void
  readonly load: Pick<LoadGate, 'capacity' | 'countRejection' | 'expectedWaitMs'>
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
  /** Messages about calls that wait for money. By default this process is the only one. */
  readonly exchange?: Exchange
  /** Runs `work` after a delay. Returns a function that cancels it. */
  readonly after?: After
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
    onResolved: (held) => admission.freed(held),
  })
  const { exchange = NO_EXCHANGE, after = runAfter } = deps
  const admission = createAdmission({ ...deps, self: exchange.self, send: exchange.send, after })
  exchange.listen(admission.receive, admission.lookAll)
  const gate = createSettlementGate(now)
  const sweeper = createSweeper({
    database,
    resolve: (resolution) => commits.resolve(resolution),
    answersOfExpired: deps.answersOfExpired ?? (async () => new Map()),
  })

  async function hold(request: HoldRequest, wait: HoldWait = NO_WAIT): Promise<Hold | Repeated> {
    invariant(request.amount > 0n, 'a hold has a positive amount')
    let opening = request
    const verdict = await admission.admit(request, wait, (waitedMs) => {
      if (waitedMs > 0) opening = { ...request, deadlineMs: request.deadlineMs + waitedMs }
      return open(opening)
    })
    return verdict === 'opened' ? { ...opening, opened: true } : { opened: false }
  }

  function open(request: HoldRequest): Promise<Verdict> {
    const refusal = gate.refusal()
    return refusal === null
      ? commits.open(request).then(verdictOf, cappedOrFail)
      : Promise.reject(holdFailure(refusal))
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
    admit: (request, wait, openWithin) => admission.admit(request, wait, openWithin),
    sweep: () => sweeper.releaseExpired(now()),
    releaseOf: (lease) => sweeper.releaseOf(lease),
    figures: () => ({ ...commits.figures(), waitingForMoney: admission.waiting() }),
    endWaits: () => admission.stop(),
    load: commits.load,
    async close() {
      admission.stop()
      await exchange.close()
      await commits.close()
    },
  }
}

const NO_WAIT: HoldWait = { ms: 0 }
// Raised by the trigger that sums the day (sql/inference_hold.sql).
const CAP_REACHED = 'TG429'

function isCapReached(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === CAP_REACHED
}

const verdictOf = ({ verdict }: { readonly verdict: Verdict }): Verdict => verdict

function cappedOrFail(error: unknown): Verdict {
  if (isCapReached(error)) return 'capped'
  throw holdFailure(error)
}

function runAfter(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
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
