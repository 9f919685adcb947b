import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../../errors/app-error.ts'
import { isRecent, type Clock } from '../../../lib/clock.ts'

const WINDOW_SECONDS = 60
const WINDOW_MS = WINDOW_SECONDS * 1000
// Keys beyond this are forgotten, the least active first: memory is bounded, and a forgotten key starts a new window.
const KEYS_REMEMBERED = 50_000

type Window = { startMs: number; count: number }

/**
 * A flood guard: so many requests a key, a minute and a process. Money limits are the ledger's; this one only keeps
 * a loop that went wild from starving everybody else. Adds the RateLimit fields of the IETF draft.
 */
export function limitRate(settings: { readonly perMinute: number; readonly now: Clock }) {
  const { perMinute, now } = settings
  const windows = new LRUCache<string, Window>({ max: KEYS_REMEMBERED })
  const policy = `"default";q=${perMinute};w=${WINDOW_SECONDS}`

  return function countRequest(
    request: FastifyRequest,
    reply: FastifyReply,
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
    const isOver = window.count > perMinute
    done(
      isOver
        ? new AppError(
            'rate_limited',
            `This key made more than ${perMinute} requests within a minute.`,
            { retryAfterSeconds: resetSeconds },
          )
        : undefined,
    )
  }
}
