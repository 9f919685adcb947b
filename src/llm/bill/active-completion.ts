import type { IncomingHttpHeaders } from 'node:http'
import type { CallRequest } from '../../calls/call.ts'
import type { HeldCall } from '../../calls/charge.ts'
import type { CallLabels } from '../../calls/tally-call.ts'
import type { Router } from '../ask/create-router.ts'
import type { CompletionRequest } from '../ask/read-request.ts'
import type { Micros } from '../../lib/money.ts'
import type { CallerWire } from '../wires/wire.ts'
import type { Prompt } from './prompt.ts'

/** The service of language-model calls in holds and transactions. */
export const SERVICE = 'llm'

export type CompletionCall = Pick<
  CallRequest,
  'id' | 'caller' | 'body' | 'idempotency' | 'endsMs' | 'wait' | 'app' | 'cassette'
> & {
  /** The API that the caller speaks. */
  readonly wire: CallerWire
  readonly headers: IncomingHttpHeaders
}

/** A completion with its open hold. */
export type ActiveCompletion = {
  readonly router: Router
  readonly call: CompletionCall
  readonly request: CompletionRequest
  readonly prompt: Prompt
  readonly held: HeldCall
  readonly labels: CallLabels
  /** Stores a streamed answer for later replays, before its end is sent. */
  readonly record: RecordAnswer | null
}

export type RecordAnswer = (answer: {
  readonly body: string
  readonly charged: Micros
  readonly model: string
}) => Promise<void>
