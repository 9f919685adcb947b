import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { answerBody } from '../../../calls/perform/envelope.ts'
import type { Calls } from '../../../calls/call.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import type { Published } from '../../../catalog/published/catalog-index.ts'
import type { Micros } from '../../../lib/money.ts'
import type { SessionDrivers } from '../../../resources/sessions/session-driver.ts'
import type { Progress } from '../progress.ts'

/** What tools work with. */
export type ToolParts = {
  readonly calls: Calls
  readonly published: Published
  readonly sessions: SessionDrivers
}

/** One call of a tool. `input` has passed the tool's schema. */
export type ToolCall = {
  readonly request: FastifyRequest
  readonly input: Data
  /** From `_meta`. */
  readonly idempotencyKey: string | null
  readonly progress: Progress
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal
}

/** `body` is the envelope as JSON text; `meta` what HTTP says in headers. */
export type ToolReply = {
  readonly body: string
  readonly meta?: Readonly<Record<string, unknown>> | null
}

export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  /** An object without alternatives at its top: some clients refuse a tool list that has them. */
  readonly input: TObject
  readonly annotations: ToolAnnotations
  /** Arguments in another form that means the same, in that of the schema. */
  readonly readSent?: (sent: Data) => Data
  /** Of arguments that the schema refuses: throws AppError where it has no better advice than to leave a field out. */
  readonly explainSlip?: (sent: Data) => void
  /** Throws AppError. */
  readonly call: (parts: ToolParts, call: ToolCall) => Promise<ToolReply>
}

/** The envelope of a tool that is no action of the catalog. */
export function reply({ id, caller }: FastifyRequest, data: Data, charge: Micros = 0n): ToolReply {
  return {
    body: answerBody({
      data,
      untrusted: false,
      charge,
      requestId: id,
      isTest: caller.mode === 'test',
    }),
  }
}
