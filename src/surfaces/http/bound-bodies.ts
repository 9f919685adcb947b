import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import type { Caller } from '../../keys/caller.ts'
import type { Id } from '../../lib/ids.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What goes on with the body, also after the caller has hung up. */
    work: Promise<unknown> | null
    /** Is told how long the body is, once it has come. */
    bodyCame: ((bytes: number) => void) | null
  }
  interface FastifyContextConfig {
    /** The body is passed on as it comes, and never lies in memory as a whole. */
    readonly streamsBody?: boolean
  }
}

export type BodyHook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

// What most requests have is not counted.
const UNCOUNTED_BYTES = 256 * 1024
// One account that sends slowly leaves the rest to the others.
const SHARE_OF_AN_ACCOUNT = 4
const RETRY_AFTER_SECONDS = 1
const BODILESS = new Set(['GET', 'HEAD'])

/**
 * Bounds the large bodies of all requests in progress on the routes that are added from here on, with one count for all of
 * them. Asked behind the other hooks of a route, so that a request without a key takes no room from those that have one.
 */
export function boundBodies(app: FastifyInstance, { mostBytes, bodyLimitBytes }: { readonly mostBytes: number; readonly bodyLimitBytes: number }): void {
  const hookFor = createBodyBound(mostBytes)
  app.decorateRequest('work', null)
  app.decorateRequest('bodyCame', null)
  app.addHook('onRoute', (route) => {
    const limitBytes = route.bodyLimit ?? bodyLimitBytes
    if (limitBytes <= UNCOUNTED_BYTES || route.config?.streamsBody === true || [route.method].flat().every((method) => BODILESS.has(method))) return
    route.onRequest = [...[route.onRequest ?? []].flat(), hookFor(limitBytes)]
  })
}

/**
 * Makes hooks that refuse requests while the large bodies of those in progress come to more than `mostBytes`: they all lie
 * in memory. One account has a quarter of that, or one body of the route where that is more. Memory: a number for each
 * account that has one in progress.
 */
export function createBodyBound(mostBytes: number, uncountedBytes = UNCOUNTED_BYTES): (bodyLimitBytes: number) => BodyHook {
  let taken = 0
  const takenByAccount = new Map<Id, number>()
  const counted = (bytes: number): number => (bytes <= uncountedBytes ? 0 : bytes)
  const takenBy = (account: Id | undefined): number => (account === undefined ? 0 : (takenByAccount.get(account) ?? 0))

  function move(account: Id | undefined, bytes: number): void {
    taken += bytes
    if (account === undefined) return
    const now = takenBy(account) + bytes
    if (now === 0) takenByAccount.delete(account)
    else takenByAccount.set(account, now)
  }

  function take(bytes: number, request: FastifyRequest, reply: FastifyReply): void {
    const account = accountOf(request)
    let held = bytes
    const keep = (most: number): void => {
      const kept = Math.min(held, counted(most))
      move(account, kept - held)
      held = kept
    }
    const giveBack = (): void => keep(0)
    move(account, bytes)
    // More than one bound may hold room for it.
    const { bodyCame } = request
    request.bodyCame = (came) => {
      keep(came)
      bodyCame?.(came)
    }
    reply.raw.once('close', () => {
      if (request.work === null) giveBack()
      else request.work.then(giveBack, giveBack)
    })
  }

  return (bodyLimitBytes) => (request, reply, done) => {
    const bytes = counted(bytesOf(request, bodyLimitBytes))
    // A caller who has hung up will not hang up again, which is when its bytes are given back.
    if (bytes === 0 || reply.raw.destroyed) {
      done()
      return
    }
    if (taken + bytes > mostBytes) {
      done(new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS }))
      return
    }
    if (takenBy(accountOf(request)) + bytes > Math.max(mostBytes / SHARE_OF_AN_ACCOUNT, bodyLimitBytes)) {
      done(new AppError('rate_limited', 'The large bodies of the requests that this account has in progress take up its share of the room for them.', { retryAfterSeconds: RETRY_AFTER_SECONDS }))
      return
    }
    take(bytes, request, reply)
    done()
  }
}

/** Nobody where a route asks for no key. */
function accountOf(request: FastifyRequest): Id | undefined {
  return (request.caller as Caller | undefined)?.accountId
}

function bytesOf({ headers }: FastifyRequest, bodyLimitBytes: number): number {
  const stated = headers['content-length']
  if (stated !== undefined) return Math.min(Number(stated), bodyLimitBytes)
  // One in chunks may be as long as any until it has come.
  return headers['transfer-encoding'] === undefined ? 0 : bodyLimitBytes
}
