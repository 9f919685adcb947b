import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'

// What most requests have is not counted.
const UNCOUNTED_BYTES = 256 * 1024

/** A hook that refuses requests while the large bodies of those in progress come to more than `mostBytes`: they all lie in memory. */
export function boundBodies({ mostBytes, bodyLimitBytes }: { readonly mostBytes: number; readonly bodyLimitBytes: number }) {
  let taken = 0
  return function countBody(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const stated = request.headers['content-length']
    // One that does not say how long it is may be as long as any.
    const bytes = stated === undefined ? bodyLimitBytes : Math.min(Number(stated), bodyLimitBytes)
    // A caller who has hung up will not hang up again, which is when its bytes are taken off.
    if (bytes <= UNCOUNTED_BYTES || reply.raw.destroyed) {
      done()
      return
    }
    if (taken + bytes > mostBytes) {
      done(new AppError('overloaded', undefined, { retryAfterSeconds: 1 }))
      return
    }
    taken += bytes
    reply.raw.once('close', () => {
      taken -= bytes
    })
    done()
  }
}
