import type { CallWait } from '../../calls/call.ts'
import type { RequestEnd } from '../../calls/perform/request-end.ts'
import { AppError } from '../../errors/app-error.ts'
import { onGone } from './connections/client-gone.ts'
import type { RouteReply, RouteRequest } from './route-objects.ts'

/** Below the 30 seconds after which many clients give up. */
export const DEFAULT_WAIT_SECONDS = 25
export const LONGEST_WAIT_SECONDS = 60

/**
 * How long a call waits for money that other calls hold: the seconds in `Prefer: wait=N` (RFC 7240),
 * within X-Request-Timeout-Ms. Throws AppError invalid_params for a wait that is no whole number.
 */
export function holdWaitOf(
  { headers }: RouteRequest,
  reply: RouteReply,
  endsMs: RequestEnd,
): CallWait {
  const seconds = readWait(headers.prefer)
  if (seconds !== null) void reply.header('preference-applied', `wait=${seconds}`)
  const ms = (seconds ?? DEFAULT_WAIT_SECONDS) * 1000
  return {
    ms: endsMs === undefined ? ms : Math.min(ms, Math.max(0, endsMs - performance.now())),
    isDefault: seconds === null,
    onGone: (listener) => onGone(reply.raw, listener),
  }
}

const WAIT = /^\s*wait\s*=\s*"?([^";]*?)"?\s*(?:;.*)?$/i

/** The seconds, at most the maximum. Null without a `wait`. Other preferences are ignored. */
function readWait(header: string | string[] | undefined): number | null {
  if (header === undefined) return null
  const given = String(header)
    .split(',')
    .map((preference) => WAIT.exec(preference)?.[1])
    .find((value) => value !== undefined)
  if (given === undefined) return null
  if (!/^\d{1,9}$/.test(given))
    throw new AppError('invalid_params', 'The wait in the Prefer header must be whole seconds.', {
      param: 'Prefer',
      fix: `Send "Prefer: wait=N" with 0 to ${LONGEST_WAIT_SECONDS} seconds, or omit the header.`,
    })
  return Math.min(Number(given), LONGEST_WAIT_SECONDS)
}
