import type { Reply, VendorFailure } from '../catalog/vocabulary/wire.ts'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Deadline } from '../lib/deadline.ts'

export type SendOptions = {
  readonly deadline: Deadline
  /**
   * The id of the request at the vendor, sent as `idempotency-key`. A vendor that supports it
   * executes a repeated request once.
   */
  readonly vendorKey: string
  /** The account for fair scheduling when calls must wait. */
  readonly accountId?: string
  readonly now: Clock
  /** Called as late as possible before each send. The request is sent only if it resolves. */
  readonly beforeBytes?: (() => Promise<unknown>) | undefined
}

export type UpstreamFailure = {
  readonly code: VendorFailure['code']
  readonly message: string
  readonly details: {
    readonly upstream: {
      service: string
      status: number | null
      code: string | null
      message: string | null
    }
  }
  readonly fix?: string
  readonly retryAfterSeconds?: number
}

export type Refused = {
  readonly ok: false
  readonly failure: UpstreamFailure
  /** How long the vendor asked for a pause. */
  readonly waitMs?: number
}

/** The result of a request to a vendor. */
export type Sent = { readonly ok: true; readonly reply: Reply } | Refused

/** Larger responses are an upstream failure. Bounds memory to this size per call in flight. */
export const MAX_REPLY_BYTES = 20 * 1024 * 1024

/** The failure as an error to throw. */
export function errorOf({
  code,
  message,
  details,
  fix,
  retryAfterSeconds,
}: UpstreamFailure): AppError {
  return new AppError(code, message, { details, fix, retryAfterSeconds })
}
