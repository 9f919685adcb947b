/** What came of a call. */
import type { ErrorCode } from '../../errors/catalog.ts'
import type { Micros } from '../../lib/money.ts'

/** Output of an action: the `data` of the envelope. */
export type Data = Readonly<Record<string, unknown>>

/**
 * What came of a call; money depends on it, so it is a value and not an exception.
 * - done: everything asked for was delivered.
 * - partial: some of it was delivered; `units` says how much.
 * - empty: the vendor answered and had nothing. Free unless `billing.onMiss` says otherwise.
 *   With `data` the caller sees the empty answer; without, the error.
 * - failed: nothing useful; never charged.
 * `paid` is what a merchant was paid for it: charged in place of the price.
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
  | { readonly kind: 'empty'; readonly data: Data; readonly paid?: Micros }
  | Failed

/** Without `fix` the error catalogue's general advice for the code is given. */
export type Failed = {
  readonly kind: 'failed'
  readonly code: ErrorCode
  readonly message: string
  readonly param?: string
  readonly fix?: string
  readonly details?: Data
  /** Of a job: what it shows of its work all the same. */
  readonly result?: Data
  readonly retryAfterSeconds?: number
}

/** What was found out before a job's launch: the input to launch and to charge by. */
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

/** Whether it brought something of what was asked for. */
export function isDelivered({ kind }: Outcome): boolean {
  return kind === 'done' || kind === 'partial'
}
