import type { Id } from '../../lib/ids.ts'
import type { Surface } from '../../lib/surface.ts'

/** The error of a call, as its caller received it. */
export type LoggedError = {
  readonly code: string
  readonly message: string
  readonly param: string | null
  readonly fix: string
}

/** A call for the log. Texts can come from the caller and have any length. */
export type LoggedCall = {
  /** The id of the request. */
  readonly id: Id
  readonly walletId: number
  readonly keyId: Id | null
  readonly externalId: string | null
  readonly surface: Surface
  readonly service: string | null
  readonly action: string | null
  readonly httpStatus: number
  readonly error: LoggedError | null
  readonly isReplayed: boolean
  readonly isCharged: boolean
  /** The ledger lists the call, so that the log counts it in no common row. */
  readonly hasTransaction: boolean
  readonly durationMs: number
}

/** Calls of one minute, key and kind that have no row of their own. The id stays the same while the count grows. */
export type OmittedCalls = Pick<
  LoggedCall,
  'id' | 'walletId' | 'keyId' | 'externalId' | 'surface' | 'service' | 'action'
> & {
  /** Null for successful calls and for calls of several kinds, which have the first status of their class. */
  readonly code: string | null
  readonly httpStatus: number
  readonly count: number
}
