import type { Fields } from '../../lib/json-fields.ts'
import type { UpstreamError } from '../ask/upstream-error.ts'
import type { ReportedUsage } from '../bill/usage.ts'
import type { TokenUsage } from '../tokens/token-price.ts'

/** Reads a stream of an upstream: what the caller receives, and what the bill depends on. */
export type EventReader = {
  /** The first event, parsed; null before it arrives. */
  readonly first: Fields | null
  /** The upstream's id of the response. */
  readonly id: unknown
  readonly usage: ReportedUsage | null
  /** The tokens of the prompt, if the upstream reports them before the response ends. */
  readonly promptUsage: TokenUsage | null
  /** The event with the usage. */
  readonly usageEvent: Fields | null
  readonly error: UpstreamError | null
  /**
   * The usage arrived in its own event, after the last word. Some upstreams report it with every
   * word.
   */
  readonly isReported: boolean
  /** The end mark arrived. */
  readonly isDone: boolean
  readonly isOver: boolean
  /** Events with words after a finish reason. */
  readonly wordsAfterFinish: number
  /** Choices with a finish reason. */
  readonly finishedChoices: number
  /** The last bytes are an event without its empty line, which an upstream may omit at the end. */
  readonly isLastEventUnended: boolean
  /** The last event, which the gateway sends after it settled the charge; null if it writes its own. */
  readonly lastEvent: Buffer | null
  /** Adds bytes and returns the complete events for the caller, or null. */
  push(chunk: Buffer): Buffer | null
}
