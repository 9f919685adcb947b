import type { IncomingHttpHeaders } from 'node:http'
import { errorCatalog, type ErrorCode } from '../../errors/catalog.ts'

/** Vendors err, too: whatever one asks for, it is tried again after an hour. */
export const LONGEST_PAUSE_MS = 3_600_000

/** For one that is busy and does not say how long. */
const UNTOLD_MS = 5_000

const SECONDS = /^\s*\d+(\.\d+)?\s*$/
const TIME_OF_DAY = /\d:\d\d/

/** How long a server asks to be left alone: seconds, or a date, which is read against its own clock where it tells that. Undefined for what makes no sense. */
export function retryAfterMs(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const text = headers['retry-after'] ?? ''
  const ms = SECONDS.test(text)
    ? Number(text) * 1000
    : TIME_OF_DAY.test(text)
      ? Date.parse(text) - clockOf(headers, nowMs)
      : Number.NaN
  return ms > 0 ? Math.min(ms, LONGEST_PAUSE_MS) : undefined
}

/** What the caller is told of it, who would be refused again before. Undefined where waiting does not help, or nobody knows how long. */
export function secondsToWait(code: ErrorCode, waitMs: number | undefined): number | undefined {
  const ms = waitMs ?? (code === 'upstream_busy' ? UNTOLD_MS : undefined)
  return ms === undefined || !errorCatalog[code].retryable ? undefined : Math.ceil(ms / 1000)
}

function clockOf({ date = '' }: IncomingHttpHeaders, nowMs: number): number {
  const own = Date.parse(date)
  return Number.isNaN(own) ? nowMs : own
}
