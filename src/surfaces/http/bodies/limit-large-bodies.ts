import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../../keys/caller.ts'
import { SharedCapacity } from '../../../lib/fairness/shared-capacity.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Work that uses the body, which may continue after the caller hangs up. */
    work: Promise<unknown> | null
    /** Receives the length of the body once it is complete. */
    onBodyLength: ((bytes: number) => void) | null
  }
  interface FastifyContextConfig {
    /** The route streams the body, which is never in memory as a whole. */
    readonly streamsBody?: boolean
  }
}

export type BodyHook = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
) => void

// Most bodies are smaller.
const UNCOUNTED_BYTES = 256 * 1024
const BODILESS = new Set(['GET', 'HEAD'])

/**
 * Limits the total size of large bodies in progress on all routes added later. The check runs after
 * the other hooks of a route, so that a request without a key takes no capacity from authenticated ones.
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
  app.decorateRequest('onBodyLength', null)
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

/**
 * Creates hooks that reject requests while the large bodies in progress, which are all in memory, exceed
 * `mostBytes`. A single slow account cannot use all of the capacity.
 */
export function createLargeBodyLimit(
  mostBytes: number,
  uncountedBytes = UNCOUNTED_BYTES,
): (bodyLimitBytes: number) => BodyHook {
  const capacity = new SharedCapacity(mostBytes, 'large request bodies')
  const counted = (bytes: number): number => (bytes <= uncountedBytes ? 0 : bytes)

  function take(bytes: number, request: FastifyRequest, reply: FastifyReply): void {
    const account = accountOf(request)
    capacity.take(account, bytes)
    let held = bytes
    const reduceTo = (most: number): void => {
      const size = Math.min(held, counted(most))
      capacity.giveBack(account, held - size)
      held = size
    }
    const release = (): void => reduceTo(0)
    // Several limits may count the same body.
    const { onBodyLength } = request
    request.onBodyLength = (length) => {
      reduceTo(length)
      onBodyLength?.(length)
    }
    reply.raw.once('close', () => {
      if (request.work === null) release()
      else request.work.then(release, release)
    })
  }

  return (bodyLimitBytes) => (request, reply, done) => {
    const bytes = counted(bytesOf(request, bodyLimitBytes))
    // The close event, which releases the bytes, is over for a caller who has already hung up.
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

/** Undefined on routes without a key. */
function accountOf(request: FastifyRequest): string | undefined {
  return (request.caller as Caller | undefined)?.accountId
}

function bytesOf({ headers }: FastifyRequest, bodyLimitBytes: number): number {
  const stated = headers['content-length']
  if (stated !== undefined) return Math.min(Number(stated), bodyLimitBytes)
  // A chunked body may reach the limit.
  return headers['transfer-encoding'] === undefined ? 0 : bodyLimitBytes
}
