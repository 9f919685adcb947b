import type { AppError } from '../errors/app-error.ts'
import type { Caller } from './caller.ts'

const callers = new WeakMap<AppError, Caller>()

/** Notes whose key an authentication error is about, so that the error can be logged for its account. */
export function withRejectedCaller(error: AppError, caller: Caller): AppError {
  callers.set(error, caller)
  return error
}

/** The caller whose known key was rejected, such as an expired one. */
export function rejectedCallerOf(error: AppError): Caller | undefined {
  return callers.get(error)
}
