import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyRequest } from 'fastify'
import type { TObject } from '../../../lib/schema.ts'
import { writeEnvelope } from '../../../calls/perform/envelope.ts'
import type { Calls } from '../../../calls/call.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import type { Published } from '../../../catalog/published/catalog-index.ts'
import type { KeyDeps } from '../../../keys/key-deps.ts'
import type { Micros } from '../../../lib/money.ts'
import type { FileDeps } from '../../../resources/files/file-deps.ts'
import type { SessionDrivers } from '../../../resources/sessions/session-driver.ts'
import type { CallLogger } from '../../http/log-calls.ts'
import type { ModernClient } from '../modern/modern-request.ts'
import type { Progress } from '../progress.ts'

export type ToolDeps = {
  readonly calls: Calls
  readonly callLogger: CallLogger
  readonly published: Published
  readonly sessions: SessionDrivers
  readonly keys: KeyDeps
  readonly files: FileDeps
  /** Calls that may cost more ask the person first, if the client can. Null asks never. */
  readonly confirmAbove: Micros | null
}

/** One call of a tool. `input` has passed the tool's schema. */
export type ToolCall = {
  readonly request: FastifyRequest
  readonly input: Data
  /** From `_meta`. */
  readonly idempotencyKey: string | null
  readonly progress: Progress
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** Null in the older protocols. */
  readonly client: ModernClient | null
}

/** `body` is the envelope as JSON text; `meta` has the facts that HTTP sends in headers. */
export type ToolReply = {
  readonly body: string
  readonly meta?: Readonly<Record<string, unknown>> | null
  /** The job that the call started. */
  readonly jobId?: string
  /** Questions to the person, in place of an answer. */
  readonly inputRequests?: Readonly<Record<string, unknown>>
}

type OutputSchema = {
  readonly type: 'object'
  readonly properties: Record<string, object>
  readonly required: string[]
}

/** The schema of an envelope whose data has these fields. */
export function outputOf(fields: Readonly<Record<string, object>>): OutputSchema {
  return {
    type: 'object',
    properties: { ok: { const: true }, data: { type: 'object', properties: fields } },
    required: ['ok', 'data'],
  }
}

export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  /** An object without alternatives at its top level, because some clients reject a tool list that has them. */
  readonly input: TObject
  /** JSON Schema of the envelope. Long answers have none, so that modern clients get them once. */
  readonly output?: OutputSchema
  readonly annotations: ToolAnnotations
  /** Converts alternative forms of the arguments to the schema's form. */
  readonly readSent?: (sent: Data) => Data
  /** Throws AppError with better advice than the schema's for invalid arguments that it recognizes. */
  readonly explainSlip?: (sent: Data) => void
  /** Throws AppError. */
  readonly call: (deps: ToolDeps, call: ToolCall) => Promise<ToolReply>
}

/** Creates the envelope of a tool without an action of the catalog. */
export function reply(
  { id, caller }: FastifyRequest,
  data: Data,
  {
    charge = 0n,
    untrusted = false,
  }: { readonly charge?: Micros; readonly untrusted?: boolean } = {},
): ToolReply {
  return {
    body: writeEnvelope({
      data,
      untrusted,
      charge,
      requestId: id,
      isTest: caller.mode === 'test',
    }),
  }
}
