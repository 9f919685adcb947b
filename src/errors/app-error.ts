import { errorCatalog, type ErrorCode, type ErrorSpec } from './catalog.ts'

export type ErrorFacts = {
  /** JSON path of the field at fault, such as "urls[2]". */
  param?: string | undefined
  /** What to do; the catalogue's general advice when left out. */
  fix?: string | undefined
  /** Public facts beside the message. Never a secret. */
  details?: Record<string, unknown> | undefined
  retryAfterSeconds?: number | undefined
  /** What the failed request cost all the same, in micro-dollars: a payment that was sent to a merchant of the caller's choice. */
  chargedMicros?: number | undefined
  /** The private reason, for the log only. */
  cause?: unknown
}

/** An error that a caller may meet. Its message is public; `cause` is not. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly spec: ErrorSpec
  readonly param: string | undefined
  readonly fix: string
  readonly details: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined
  readonly chargedMicros: number

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
  }

  /** Whether the same request can succeed later: by its code, or because it says when. */
  get isRetryable(): boolean {
    return this.spec.retryable || this.retryAfterSeconds !== undefined
  }
}

/** A promise that our own code made was broken: the call fails, its hold is released, and the log raises an alarm. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant'
}

export function invariant(condition: unknown, statement: string): asserts condition {
  if (!condition) throw new BrokenInvariant(statement)
}
