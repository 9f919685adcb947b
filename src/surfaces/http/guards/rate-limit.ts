import type { Database } from '../../../db/database.ts'
import { AppError } from '../../../errors/app-error.ts'
import { countInRates, hasRate } from '../../../keys/policy/key-rates.ts'
import { isRecent, type Clock } from '../../../lib/clock.ts'
import { RecentMap } from '../../../lib/recent-map.ts'
import type { RouteReply, RouteRequest } from '../route-objects.ts'

const WINDOW_SECONDS = 60
const WINDOW_MS = WINDOW_SECONDS * 1000
// Bounds memory. The least recently used keys are evicted, and start a new window later.
const KEYS_REMEMBERED = 50_000

type Window = { startMs: number; count: number }

/**
 * Creates a hook that limits the requests per key, minute and process, so that a runaway loop does not
 * starve other callers. Adds the RateLimit fields of the IETF draft. Then counts the request in the rate
 * limits of the key's policies. The ledger enforces money limits.
 */
export function limitRate(settings: {
  readonly perMinute: number
  readonly now: Clock
  readonly database: Pick<Database, 'query'>
}) {
  const { perMinute, now, database } = settings
  const windows = new RecentMap<string, Window>(KEYS_REMEMBERED)
  const policy = `"default";q=${perMinute};w=${WINDOW_SECONDS}`

  return function countRequest(
    request: RouteRequest,
    reply: RouteReply,
    done: (error?: Error) => void,
  ): void {
    const nowMs = now()
    const { keyId } = request.caller
    let window = windows.get(keyId)
    if (window === undefined || !isRecent(window.startMs, WINDOW_MS, nowMs)) {
      window = { startMs: nowMs, count: 0 }
      windows.set(keyId, window)
    }
    window.count += 1
    const resetSeconds = Math.max(1, Math.ceil((window.startMs + WINDOW_MS - nowMs) / 1000))
    reply.header('ratelimit-policy', policy)
    reply.header(
      'ratelimit',
      `"default";r=${Math.max(0, perMinute - window.count)};t=${resetSeconds}`,
    )
    if (window.count > perMinute)
      done(
        new AppError(
          'rate_limited',
          `This key sent more than ${perMinute} requests within a minute.`,
          { retryAfterSeconds: resetSeconds },
        ),
      )
    else if (hasRate(request.caller))
      countInRates(database, request.caller, nowMs).then(() => done(), done)
    else done()
  }
}
