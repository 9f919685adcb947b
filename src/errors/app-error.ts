import { errorCatalog, type ErrorCode, type ErrorSpec } from './catalog.ts'

export type ErrorFacts = {
  /** JSON path of the field at fault, such as "urls[2]". */
  param?: string | undefined
  /** Advice for the caller. Defaults to the advice in the catalog. */
  fix?: string | undefined
  /** Public data for the response. Never a secret. */
  details?: Record<string, unknown> | undefined
  retryAfterSeconds?: number | undefined
  /** Charge of the failed request in micro-dollars: a payment already sent to a merchant. */
  chargedMicros?: number | undefined
  /** Price of work that the caller's input used before it failed. The call charges it, as far as it is held. */
  owed?: bigint | undefined
  /** The internal reason, for the log only. */
  cause?: unknown
}

/** An error that a caller can receive. The message is public; `cause` is not. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly spec: ErrorSpec
  readonly param: string | undefined
  readonly fix: string
  readonly details: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined
  readonly chargedMicros: number
  readonly owed: bigint

  constructor(code: ErrorCode, message?: string, facts: ErrorFacts = {}) {
    const spec: ErrorSpec = errorCatalog[code]
    super(
      message ?? `${spec.title}.`,
      facts.cause === undefined ? undefined : { cause: facts.cause },
    )
    this.name = 'AppError'
    this.code = code
    this.spec = spec
    this.param = facts.param
    this.fix = facts.fix ?? spec.fix
    this.details = facts.details
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.chargedMicros = facts.chargedMicros ?? 0
    this.owed = facts.owed ?? 0n
  }

  /** Whether the same request can succeed later, by its code or its Retry-After. */
  get isRetryable(): boolean {
    return this.spec.retryable || this.retryAfterSeconds !== undefined
  }
}

/** A bug in the gateway. The call fails, its hold is released, and the log reports it at level error. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant'
}

export function invariant(condition: unknown, statement: string): asserts condition {
  if (!condition) throw new BrokenInvariant(statement)
}
