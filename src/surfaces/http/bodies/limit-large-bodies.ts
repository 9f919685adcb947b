import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../../keys/caller.ts'
import { SharedCapacity } from '../../../lib/fairness/shared-capacity.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Work that uses the body, which may continue after the caller hangs up. */
    work: Promise<unknown> | null
    /** Receives the bytes of the body that have arrived, before they are stored. May throw AppError. */
    onBodyGrowth: ((bytes: number) => void) | null
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
  app.decorateRequest('onBodyGrowth', null)
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
    let held = 0
    let isOver = false
    const growTo = (size: number): void => {
      const more = counted(size) - held
      if (more <= 0 || isOver) return
      capacity.take(account, more)
      held += more
    }
    const release = (): void => {
      isOver = true
      capacity.giveBack(account, held)
      held = 0
    }
    growTo(bytes)
    if (isChunked(request)) callOnGrowth(request, growTo)
    reply.raw.once('close', () => {
      if (request.work === null) release()
      else request.work.then(release, release)
    })
  }

  return (bodyLimitBytes) => (request, reply, done) => {
    const bytes = Math.min(statedBytes(request), bodyLimitBytes)
    const isCounted = counted(bytes) > 0 || isChunked(request)
    // The close event, which releases the bytes, is over for a caller who has already hung up.
    if (!isCounted || reply.raw.destroyed) {
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

/** Zero for a chunked body, which states no length. */
export function statedBytes({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0)
}

export function isChunked({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined
}

/** Adds a function that gets the bytes of the body that have arrived. Several limits may count the same body. */
export function callOnGrowth(request: FastifyRequest, grown: (bytes: number) => void): void {
  const { onBodyGrowth: before } = request
  request.onBodyGrowth = (bytes) => {
    before?.(bytes)
    grown(bytes)
  }
}
