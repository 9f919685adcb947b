/** What the gateway does itself: handlers, and what they may use while they work. */
import type { Clock } from '../../lib/clock.ts'
import type { Micros } from '../../lib/money.ts'
import type { Owner } from '../../lib/owner.ts'
import type { Data, Outcome } from './outcome.ts'

/** What an in-house lane or a composite may use while it works. */
export type CallTools = Owner & {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly now: Clock
  /**
   * Performs another action of the catalog as a step of this one: no charge of its own, a hop in the receipt. A step
   * that is given less time than its action has (`limitMs`) ends as upstream_timeout after it.
   */
  readonly invoke: (
    service: string,
    action: string,
    input: Data,
    limitMs?: number,
  ) => Promise<Invocation>
  /** Whether the caller could have an action now: advice that leads to one that answers 503 is none. */
  readonly isLive: (service: string, action: string) => boolean
}

/** One vendor call as the receipt shows it. `charged_cents` is the step's list price when it delivered, else 0. */
export type Hop = {
  readonly provider: string
  readonly action: string
  readonly ok: boolean
  readonly charged_cents: number
  readonly charged_micros: number
  readonly latency_ms: number
  readonly skipped?: Skip
  /** What a merchant was paid for it. */
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

/** Does in-house what the vendor would, and answers in the vendor's own reply shape, so that one outcome function serves both. */
export type InHouseHandler = (input: Data, tools: CallTools) => Promise<unknown>

/** Why a step of a job was not made. */
export type Skip = 'not_configured' | 'over_budget' | 'cancelled' | 'deadline'

/** What a job may spend, and did. Steps under way count with the most that they can cost. */
export type JobBudget = {
  readonly total: Micros
  /** The charges of the steps that delivered, without those that were waived. */
  spent(): Micros
  remaining(): Micros
}

export type JobProgress = { readonly rows_done: number; readonly rows_total: number }

/**
 * What a handler that runs as a job gets. Its `invoke` is durable: each distinct step (service, action, input) is made
 * once, and a job that another worker resumes is told what it brought. So a handler is plain code that asks for the
 * same steps when it gets the same answers: no clock and no chance in their inputs. A step that the budget cannot
 * cover, or that comes when the job should end, is not made: its hop says why in `skipped`.
 */
export type JobTools = CallTools & {
  /** The same for every worker that takes the job up. */
  readonly jobId: string
  readonly budget: JobBudget
  /** Gives a step's charge back to the budget, but for `charge`: the rest of what it brought is of no use to the caller. */
  readonly waive: (hop: Hop, charge?: Micros) => void
  readonly progress: (progress: JobProgress) => void
  /** Why the job should end with what it has, else null: for work that is no step. */
  readonly stopReason: () => 'cancelled' | 'deadline' | null
}

/** Does the work of a durable job. `actual` of its outcome is what the job is charged. */
export type JobHandler = (input: Data, tools: JobTools) => Promise<Outcome>

/** Runs a composite or another action that has no vendor of its own. */
export type LocalHandler = (input: Data, tools: CallTools) => Promise<Outcome>
