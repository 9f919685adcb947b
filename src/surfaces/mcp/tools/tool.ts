import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { writeEnvelope } from '../../../calls/perform/envelope.ts'
import type { Calls } from '../../../calls/call.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import type { Published } from '../../../catalog/published/catalog-index.ts'
import type { KeyDeps } from '../../../keys/key-deps.ts'
import type { Micros } from '../../../lib/money.ts'
import type { FileDeps } from '../../../resources/files/file-deps.ts'
import type { SessionDrivers } from '../../../resources/sessions/session-driver.ts'
import type { Progress } from '../progress.ts'

export type ToolDeps = {
  readonly calls: Calls
  readonly published: Published
  readonly sessions: SessionDrivers
  readonly keys: KeyDeps
  readonly files: FileDeps
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
}

/** `body` is the envelope as JSON text; `meta` has the facts that HTTP sends in headers. */
export type ToolReply = {
  readonly body: string
  readonly meta?: Readonly<Record<string, unknown>> | null
}

export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  /** An object without alternatives at its top level, because some clients reject a tool list that has them. */
  readonly input: TObject
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
