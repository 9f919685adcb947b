/** Decides about retries. A retry has the same idempotency key, so a call is charged once. */
import type { TollgateError } from './tollgate-error.ts'

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 8_000

/** Other conflicts, such as `loop_suspected`, must not be repeated. */
const WAITING = ['idempotency_in_progress', 'room_held']

/** Whether the same request can succeed, or its lost response can be read, by sending it again. */
export function isWorthRetrying({ code, status, retryable }: TollgateError): boolean {
  if (code === 'connection_failed') return true
  if (status === 409) return WAITING.includes(code)
  if (code === 'invalid_response') return retryable
  return (status === 429 || status === 503) && retryable
}

/** Waiting for the call with the same key ends with the deadline only. */
export function isInProgress({ code }: TollgateError): boolean {
  return code === 'idempotency_in_progress'
}

/** Milliseconds before retry number `attempt`, from 0. */
export function retryDelayMs(attempt: number, retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? Number.NaN)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt)
  // Half of it is random, so that clients do not return together.
  return longest / 2 + (Math.random() * longest) / 2
}
