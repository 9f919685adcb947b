/** What the gateway does itself: handlers, and what they may use while they work. */
import type { Clock } from '../lib/clock.ts'
import type { Data, Outcome } from './outcome.ts'

/** What an in-house lane or a composite may use while it works. */
export type CallTools = {
  readonly mode: 'live' | 'test'
  readonly accountId: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly now: Clock
  /** Performs another action of the catalog as a step of this one: no charge of its own, a hop in the receipt. */
  readonly invoke: (service: string, action: string, input: Data) => Promise<Invocation>
}

/** One vendor call as the receipt shows it. `charged_cents` is the step's list price when it delivered, else 0. */
export type Hop = {
  readonly provider: string
  readonly action: string
  readonly ok: boolean
  readonly charged_cents: number
  readonly charged_micros: number
  readonly latency_ms: number
  readonly skipped?: string
}

export type Invocation = { readonly hop: Hop; readonly outcome: Outcome }

/** Does in-house what the vendor would, and answers in the vendor's own reply shape, so that one outcome function serves both. */
export type InHouseHandler = (input: Data, tools: CallTools) => Promise<unknown>

/** Runs a composite or another action that has no vendor of its own. */
export type LocalHandler = (input: Data, tools: CallTools) => Promise<Outcome>
