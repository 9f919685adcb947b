/** Handlers of actions that the gateway performs itself, and the tools that they get. */
import type { Clock } from '../../lib/clock.ts'
import type { Micros } from '../../lib/money.ts'
import type { Id } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'
import type { Data, Outcome } from './outcome.ts'

/** Available to handlers of in-house lanes and local actions. */
export type CallTools = Owner & {
  /** The call, or the call that the step belongs to. */
  readonly callId: Id
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly now: Clock
  /**
   * Performs another action as a step. A step has no charge of its own and becomes a hop of the
   * receipt. `limitMs` shortens the action's time limit; after it the step ends as
   * upstream_timeout.
   */
  readonly invoke: (
    service: string,
    action: string,
    input: Data,
    limitMs?: number,
  ) => Promise<Invocation>
  /**
   * Whether the caller could use the action now, so that advice never names one that answers 503.
   */
  readonly isLive: (service: string, action: string) => boolean
}

/**
 * One step as the receipt shows it. `charged_cents` is its list price if it delivered, otherwise 0.
 */
export type Hop = {
  readonly provider: string
  readonly action: string
  readonly ok: boolean
  readonly charged_cents: number
  readonly charged_micros: number
  readonly latency_ms: number
  readonly skipped?: Skip
  /** Set when a merchant was paid for the step. */
  readonly receipt?: HopReceipt
}

export type HopReceipt = {
  readonly merchant: string
  readonly method: string
  readonly reference: string
  readonly challenge_id: string
  readonly amount_micros: number
}

export type Invocation = { readonly hop: Hop; readonly outcome: Outcome }

/**
 * Does the vendor's job in-house. It answers in the vendor's reply shape, so that one `outcome`
 * function serves both.
 */
export type InHouseHandler = (input: Data, tools: CallTools) => Promise<unknown>

/** Why a step of a job was skipped. */
export type Skip = 'not_configured' | 'over_budget' | 'cancelled' | 'deadline'

/** The budget of a job. Active steps count at the most that they can cost. */
export type JobBudget = {
  readonly total: Micros
  /** The charges of the steps that delivered, without waived ones. */
  spent(): Micros
  remaining(): Micros
}

export type JobProgress = { readonly rows_done: number; readonly rows_total: number }

/**
 * The tools of a durable job. `invoke` makes each distinct step (service, action, input) once: a
 * worker that resumes the job gets the stored answer. A handler must therefore request the same
 * steps after the same answers, without clock or randomness. A step is skipped when the budget does
 * not cover it or the job should end.
 */
export type JobTools = CallTools & {
  /** The same for every worker that runs the job. */
  readonly jobId: string
  readonly budget: JobBudget
  /**
   * Returns a step's charge to the budget because the caller has no use for its result. `charge` is
   * the part that stays charged.
   */
  readonly waive: (hop: Hop, charge?: Micros) => void
  readonly progress: (progress: JobProgress) => void
  /** Why the job should end with its current results, or null. For work between steps. */
  readonly stopReason: () => 'cancelled' | 'deadline' | null
}

/** Does the work of a durable job. `actual` of the outcome is the job's charge. */
export type JobHandler = (input: Data, tools: JobTools) => Promise<Outcome>

/** Performs an action that has no vendor of its own. */
export type LocalHandler = (input: Data, tools: CallTools) => Promise<Outcome>
