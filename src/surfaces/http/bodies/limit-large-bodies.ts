import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../../keys/caller.ts'
import { SharedRoom } from '../../../lib/fairness/shared-room.ts'

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

export type BodyHook = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
) => void

// What most requests have is not counted.
const UNCOUNTED_BYTES = 256 * 1024
const BODILESS = new Set(['GET', 'HEAD'])

/**
 * Bounds the large bodies of all requests in progress on the routes that are added from here on, with one count for all of
 * them. Asked behind the other hooks of a route, so that a request without a key takes no room from those that have one.
 */
export function limitLargeBodies(
  app: FastifyInstance,
  {
    mostBytes,
    bodyLimitBytes,
    uncountedBytes = UNCOUNTED_BYTES,
  }: {
    readonly mostBytes: number
    readonly bodyLimitBytes: number
    readonly uncountedBytes?: number | undefined
  },
): void {
  const hookFor = createLargeBodyLimit(mostBytes, uncountedBytes)
  app.decorateRequest('work', null)
  app.decorateRequest('bodyCame', null)
  app.addHook('onRoute', (route) => {
    const limitBytes = route.bodyLimit ?? bodyLimitBytes
    if (
      limitBytes <= uncountedBytes ||
      route.config?.streamsBody === true ||
      [route.method].flat().every((method) => BODILESS.has(method))
    )
      return
    route.onRequest = [...[route.onRequest ?? []].flat(), hookFor(limitBytes)]
  })
}

/** Makes hooks that refuse requests while the large bodies of those in progress come to more than `mostBytes`: they all lie in memory. One account that sends slowly leaves room to the others. */
export function createLargeBodyLimit(
  mostBytes: number,
  uncountedBytes = UNCOUNTED_BYTES,
): (bodyLimitBytes: number) => BodyHook {
  const room = new SharedRoom(mostBytes, 'large request bodies')
  const counted = (bytes: number): number => (bytes <= uncountedBytes ? 0 : bytes)

  function take(bytes: number, request: FastifyRequest, reply: FastifyReply): void {
    const account = accountOf(request)
    room.take(account, bytes)
    let held = bytes
    const keep = (most: number): void => {
      const kept = Math.min(held, counted(most))
      room.giveBack(account, held - kept)
      held = kept
    }
    const giveBack = (): void => keep(0)
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
    try {
      take(bytes, request, reply)
      done()
    } catch (error) {
      done(error as Error)
    }
  }
}

/** Nobody where a route asks for no key. */
function accountOf(request: FastifyRequest): string | undefined {
  return (request.caller as Caller | undefined)?.accountId
}

function bytesOf({ headers }: FastifyRequest, bodyLimitBytes: number): number {
  const stated = headers['content-length']
  if (stated !== undefined) return Math.min(Number(stated), bodyLimitBytes)
  // One in chunks may be as long as any until it has come.
  return headers['transfer-encoding'] === undefined ? 0 : bodyLimitBytes
}
