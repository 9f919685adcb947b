import { outOfTime, type RequestEnd } from '../../calls/perform/request-end.ts'
import type { Calls } from '../../calls/call.ts'
import { AppError } from '../../errors/app-error.ts'
import { DirectRequest } from './direct/direct-request.ts'
import type { RouteRequest } from './route-objects.ts'

const LONGEST_MS = 24 * 3_600_000
/** A call waits for two commits: its hold and its settlement. */
const WAITS_PER_CALL = 2

/**
 * The deadline from the X-Request-Timeout-Ms header. Throws AppError invalid_params for an invalid value,
 * and overloaded when the gateway currently needs longer for the hold and settlement of any call.
 */
export function requestEndOf(
  { headers, raw }: RouteRequest,
  load: Pick<Calls['ledger']['load'], 'expectedWaitMs'>,
): RequestEnd {
  const header = headers['x-request-timeout-ms']
  if (header === undefined) return undefined
  const ms = /^\d{1,9}$/.test(String(header)) ? Number(header) : 0
  if (ms < 1 || ms > LONGEST_MS)
    throw new AppError(
      'invalid_params',
      `The X-Request-Timeout-Ms header must be a whole number from 1 to ${LONGEST_MS}.`,
      {
        param: 'X-Request-Timeout-Ms',
        fix: 'Send the milliseconds you will wait for the answer, such as 5000, or omit the header.',
      },
    )
  const nowMs = performance.now()
  const received: unknown = raw
  // An overload may have delayed the start of the call.
  const endsMs = (received instanceof DirectRequest ? received.arrivedMs : nowMs) + ms
  if (nowMs + WAITS_PER_CALL * load.expectedWaitMs() > endsMs)
    throw outOfTime('is shorter than the current wait of calls')
  return endsMs
}
