/** The outcome of a call. */
import type { ErrorCode } from '../../errors/catalog.ts'
import type { Micros } from '../../lib/money.ts'

/** The output of an action: `data` of the envelope. */
export type Data = Readonly<Record<string, unknown>>

/**
 * The outcome of a call, which decides its charge.
 * - done: everything was delivered.
 * - partial: part of it was delivered; `units` is the size of that part.
 * - empty: the vendor answered without results. Free unless `billing.onMiss` is `charged`. With
 *   `isFree` always free: the gateway itself could not do its part.
 * - failed: nothing useful. Free, except for `owed`: the price of work that failed.
 * `paid` is the amount that a merchant received. It replaces the price.
 */
export type Outcome =
  | {
      readonly kind: 'done'
      readonly data: Data
      readonly units?: number
      readonly actual?: Micros
      readonly paid?: Micros
    }
  | {
      readonly kind: 'partial'
      readonly data: Data
      readonly units?: number
      readonly actual?: Micros
      readonly paid?: Micros
    }
  | {
      readonly kind: 'empty'
      readonly data: Data
      readonly isFree?: true
      readonly paid?: Micros
    }
  | Failed

/** Without `fix`, the error catalog's advice for the code applies. */
export type Failed = {
  readonly kind: 'failed'
  readonly code: ErrorCode
  readonly message: string
  readonly param?: string
  readonly fix?: string
  readonly details?: Data
  /** For a job that failed: the partial results that it shows. */
  readonly result?: Data
  readonly retryAfterSeconds?: number
  readonly owed?: Micros
}

/** The result of measuring before a launch: the input to launch and to charge. */
export type Measured = { readonly kind: 'measured'; readonly input: Data }

export function done(data: Data): Outcome {
  return { kind: 'done', data }
}

export function empty(data: Data): Outcome {
  return { kind: 'empty', data }
}

export function failed(code: ErrorCode, message: string, details?: Data): Failed {
  return details === undefined
    ? { kind: 'failed', code, message }
    : { kind: 'failed', code, message, details }
}

/** Whether the call delivered at least a part of its result. */
export function isDelivered({ kind }: Outcome): boolean {
  return kind === 'done' || kind === 'partial'
}
