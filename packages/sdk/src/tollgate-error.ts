import type { OtherText } from './data.ts'
import type { GatewayErrorCode } from './gateway-names.d.ts'

/** Codes of errors that the SDK itself reports. All others are those of the gateway. */
export type ClientErrorCode =
  | 'above_locked_price'
  | 'action_not_locked'
  | 'connection_failed'
  | 'deadline_exceeded'
  | 'invalid_settings'
  | 'invalid_response'
  | 'invalid_signature'
  | 'job_failed'
  | 'redirected'
  | 'stream_failed'

/** A field at fault. */
export type FieldProblem = {
  /** The JSON path, such as "urls[2]". */
  readonly field: string
  readonly message: string
  readonly fix: string
}

export type ErrorFacts = {
  readonly code: string
  readonly message: string
  readonly fix: string
  readonly status?: number
  readonly retryable?: boolean
  readonly requestId?: string | null
  readonly idempotencyKey?: string | null
  readonly fields?: readonly FieldProblem[]
  readonly details?: Readonly<Record<string, unknown>>
  readonly chargedMicros?: number
  readonly simulated?: boolean
  readonly cause?: unknown
}

/** Every error of the SDK, except the reason of an AbortSignal. */
export class TollgateError extends Error {
  override readonly name = 'TollgateError'
  readonly code: GatewayErrorCode | ClientErrorCode | OtherText
  /** How to fix it. */
  readonly fix: string
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** Whether the same request can succeed later. */
  readonly retryable: boolean
  /** For support and for `GET /api/v1/calls/{id}`; null without a response. */
  readonly requestId: string | null
  /** Repeat the same call with this key to get its result without a second charge. */
  readonly idempotencyKey: string | null
  /** The fields of the input at fault. */
  readonly fields: readonly FieldProblem[]
  readonly details: Readonly<Record<string, unknown>>
  /** The charge of the failed call in micro-dollars; usually 0. */
  readonly chargedMicros: number
  /** Whether the call was made with a test key. */
  readonly simulated: boolean

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = facts.code
    this.fix = facts.fix
    this.status = facts.status ?? 0
    this.retryable = facts.retryable ?? false
    this.requestId = facts.requestId ?? null
    this.idempotencyKey = facts.idempotencyKey ?? null
    this.fields = facts.fields ?? []
    this.details = facts.details ?? {}
    this.chargedMicros = facts.chargedMicros ?? 0
    this.simulated = facts.simulated ?? false
  }
}
