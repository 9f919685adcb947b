import type { Database } from '../db/database.ts'
import { faultOf } from '../db/fault.ts'
import { AppError } from '../errors/app-error.ts'
import { DatabaseAway } from '../errors/database-away.ts'
import type { Id, LeaseNumber } from '../lib/ids.ts'
import type { Micros } from '../lib/money.ts'
import type { GroupCommit } from './group-commit.ts'
import type { HoldKind, Resolution } from './hold.ts'

export type AnswersOfExpired = (
  ids: readonly Id[],
) => Promise<ReadonlyMap<Id, NonNullable<Resolution['answer']>>>

/** Releases holds that their process left open. */
export type Sweeper = {
  /** Releases every hold whose deadline has passed. Returns their number. */
  releaseExpired(nowMs: number): Promise<number>
  /** Releases the holds of calls of a dead process with this lease. Returns their number. */
  releaseOf(lease: LeaseNumber): Promise<number>
}

export type SweeperDeps = {
  readonly database: Pick<Database, 'query'>
  readonly resolve: GroupCommit['resolve']
  readonly answersOfExpired: AnswersOfExpired
}

/** The error code of a hold that was not resolved before its deadline. */
export const HOLD_EXPIRED = 'hold_expired'

const BATCH = 500

/** A condition with one value, for the holds to release. */
type Condition = { readonly where: string; readonly value: number | string }

const pastDeadline = (nowMs: number): Condition => ({
  where: 'deadline_ms < $1 order by deadline_ms',
  value: nowMs,
})
// Jobs have their own leases, and sessions end at their deadlines.
const openedUnder = (lease: LeaseNumber): Condition => ({
  where: "right(id::text, 6) = $1 and kind in ('call', 'llm') order by id",
  value: lease,
})

type Row = {
  readonly id: Id
  readonly wallet_id: bigint
  readonly budget_id: Id | null
  readonly kind: HoldKind
  readonly amount_micros: Micros
  readonly is_answered: boolean
}

export function createSweeper({ database, resolve, answersOfExpired }: SweeperDeps): Sweeper {
  async function releaseAll(condition: Condition): Promise<number> {
    for (let released = 0; ;) {
      const { found, done } = await releaseSome(condition)
      released += done
      if (found < BATCH || done === 0) return released
    }
  }

  // Repeats until nothing is left: afterwards the lease is deleted, and with it their only trace.
  async function releaseOf(lease: LeaseNumber): Promise<number> {
    for (let released = 0; ;) {
      const done = await releaseAll(openedUnder(lease))
      if (done === 0) return released
      released += done
    }
  }

  async function releaseSome({
    where,
    value,
  }: Condition): Promise<{ found: number; done: number }> {
    const { rows } = await database.query<Row>(
      `select id, wallet_id, budget_id, kind, amount_micros, exists (select from answers where call_id = holds.id and status is not null) as is_answered
       from holds where ${where} limit $2`,
      [value, BATCH],
    )
    if (rows.length === 0) return { found: 0, done: 0 }
    const answers = await answersOfExpired(rows.map(({ id }) => id))
    const outcomes = await Promise.allSettled(
      rows.map((row) => resolve(releaseOfRow(row, answers.get(row.id) ?? null))),
    )
    const failure = outcomes.find((outcome) => outcome.status === 'rejected')
    const done = outcomes.filter(
      (outcome) => outcome.status === 'fulfilled' && outcome.value.verdict === 'resolved',
    ).length
    if (failure !== undefined && done === 0) throw toReportedError(failure.reason)
    return { found: rows.length, done }
  }

  return { releaseExpired: (nowMs) => releaseAll(pastDeadline(nowMs)), releaseOf }
}

function releaseOfRow(
  { id, wallet_id, budget_id, kind, amount_micros, is_answered }: Row,
  answer: Resolution['answer'],
): Resolution {
  return {
    hold: { id, walletId: Number(wallet_id), budgetId: budget_id, kind, amount: amount_micros },
    charge: 0n,
    latencyMs: 0,
    errorCode: HOLD_EXPIRED,
    hops: null,
    // An answer that is already stored, such as a job's submission, stays.
    ...(is_answered || answer === undefined ? {} : { answer }),
  }
}

function toReportedError(error: unknown): unknown {
  return error instanceof AppError || faultOf(error) === 'data'
    ? error
    : new DatabaseAway('The ledger cannot be reached at the moment.', error)
}
