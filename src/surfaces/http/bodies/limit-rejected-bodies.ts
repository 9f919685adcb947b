import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../../errors/app-error.ts'
import { isRecent, type Clock } from '../../../lib/clock.ts'
import { RecentMap } from '../../../lib/recent-map.ts'
import { callOnGrowth, isChunked, statedBytes } from './limit-large-bodies.ts'

const LARGE_BYTES = 1024 * 1024
const WINDOW_MS = 60_000
const MOST_REJECTED = 20
const ACCOUNTS_REMEMBERED = 10_000

type Window = { readonly startMs: number; count: number }

/**
 * Limits rejected large bodies per account and minute, because reading one costs the gateway more than
 * a call and the caller nothing. Further large bodies are rejected unread. Add it after the hooks that
 * authenticate the caller.
 */
export function limitRejectedBodies(app: FastifyInstance, now: Clock): void {
  /** Requests whose chunked body has become large. */
  const largeChunked = new WeakSet<FastifyRequest>()
  const windows = new RecentMap<string, Window>(ACCOUNTS_REMEMBERED)
  const windowOf = (account: string): Window | undefined => {
    const window = windows.get(account)
    return window !== undefined && isRecent(window.startMs, WINDOW_MS, now()) ? window : undefined
  }

  function rejectIfMany(account: string): void {
    const window = windowOf(account)
    if (window !== undefined && window.count >= MOST_REJECTED)
      throw new AppError(
        'rate_limited',
        `The gateway rejected more than ${MOST_REJECTED} bodies above 1 MiB from this account within a minute.`,
        {
          fix: 'Fix the errors in the earlier responses before you send such bodies again.',
          retryAfterSeconds: Math.max(1, Math.ceil((window.startMs + WINDOW_MS - now()) / 1000)),
        },
      )
  }

  app.addHook('onRequest', (request, _reply, done) => {
    const { accountId } = request.caller
    if (isChunked(request))
      callOnGrowth(request, (bytes) => {
        if (bytes <= LARGE_BYTES || largeChunked.has(request)) return
        rejectIfMany(accountId)
        largeChunked.add(request)
      })
    try {
      if (statedBytes(request) > LARGE_BYTES) rejectIfMany(accountId)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
  app.addHook('onResponse', (request, reply, done) => {
    const isLarge = statedBytes(request) > LARGE_BYTES || largeChunked.has(request)
    if (isLarge && reply.statusCode >= 400 && reply.statusCode < 500) {
      const { accountId } = request.caller
      const window = windowOf(accountId) ?? { startMs: now(), count: 0 }
      window.count += 1
      windows.set(accountId, window)
    }
    done()
  })
}
