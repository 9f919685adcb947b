import type { IncomingHttpHeaders } from 'node:http'
import { errorCatalog, type ErrorCode } from '../../errors/catalog.ts'

/** Vendors can be wrong: after an hour, the vendor is tried again. */
export const LONGEST_PAUSE_MS = 3_600_000

/** For a busy vendor that sends no time. */
const DEFAULT_PAUSE_MS = 5_000

const SECONDS = /^\s*\d+(\.\d+)?\s*$/
const TIME_OF_DAY = /\d:\d\d/

/**
 * Reads Retry-After: seconds, or a date, which is compared with the server's own clock if it sends
 * one. Undefined if invalid.
 */
export function retryAfterMs(
  headers: IncomingHttpHeaders,
  nowMs: number,
  longestMs = LONGEST_PAUSE_MS,
): number | undefined {
  const text = headers['retry-after'] ?? ''
  const ms = SECONDS.test(text)
    ? Number(text) * 1000
    : TIME_OF_DAY.test(text)
      ? Date.parse(text) - clockOf(headers, nowMs)
      : Number.NaN
  return ms > 0 ? Math.min(ms, longestMs) : undefined
}

/** The caller's Retry-After. Undefined if waiting does not help or the time is unknown. */
export function secondsToWait(code: ErrorCode, waitMs: number | undefined): number | undefined {
  const ms = waitMs ?? (code === 'upstream_busy' ? DEFAULT_PAUSE_MS : undefined)
  return ms === undefined || !errorCatalog[code].retryable ? undefined : Math.ceil(ms / 1000)
}

function clockOf({ date = '' }: IncomingHttpHeaders, nowMs: number): number {
  const own = Date.parse(date)
  return Number.isNaN(own) ? nowMs : own
}
