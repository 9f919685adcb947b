/** The APIs of language models that callers and upstreams speak. */
import type { Delivered } from '../stream/delivered.ts'
import type { EventReader } from '../stream/event-reader.ts'
import type { Fields } from '../../lib/json-fields.ts'
import type { ReportedUsage } from '../bill/usage.ts'
import type { UpstreamError } from '../ask/upstream-error.ts'

/** `chat`: chat completions. `messages`: Anthropic's Messages. `responses`: OpenAI's Responses. */
export type WireName = 'chat' | 'messages' | 'responses'

/** The APIs of callers. Legacy completions are always converted to chat completions. */
export type CallerWire = WireName | 'completions'

export const WIRE_NAMES: readonly WireName[] = ['chat', 'messages', 'responses']

/** Reads the responses of upstreams that speak a wire: their usage and their delivered text. */
export type UpstreamWire = {
  readonly name: WireName
  /** The path below the upstream's base address. */
  readonly path: string
  createReader(): EventReader
  createDelivered(): Delivered
  /** Null for text in another format. */
  readWhole(text: string): Fields | null
  errorOf(whole: Fields): UpstreamError | null
  /** Whether a response without an error has an answer. */
  isAnswered(whole: Fields): boolean
  /** The answer as choices of chat completions, for counting. */
  choicesOf(whole: Fields): unknown
  usageOf(whole: Fields): ReportedUsage | null
}
