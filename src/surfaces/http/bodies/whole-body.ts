import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../errors/app-error.ts'
import { GatheredBytes } from '../../../lib/gathered-bytes.ts'
import { LargeBodyQueue } from './large-body-queue.ts'

/** One queue per process, because all bodies share its event loop. */
const queue = new LargeBodyQueue()

type BodyParser = (
  request: FastifyRequest,
  payload: unknown,
  done: (error: Error | null, body?: unknown) => void,
) => void

/**
 * Creates a parser of complete bodies for `addContentTypeParser`. Fastify's own `parseAs` keeps every
 * chunk: a body of 20 MB in chunks of one byte would take 5 GB.
 */
export function parseWholeBody(
  parse: (bytes: Buffer, request: FastifyRequest) => unknown,
): BodyParser {
  return (request, _payload, done) => {
    const {
      raw,
      headers,
      routeOptions: { bodyLimit },
    } = request
    if (Number(headers['content-length']) > bodyLimit) {
      done(tooLarge())
      return
    }
    const gathered = new GatheredBytes()
    const take = (part: Buffer): void => {
      const size = gathered.size + part.length
      try {
        request.onBodyGrowth?.(size)
      } catch (error) {
        finish(error as Error)
        return
      }
      if (size > bodyLimit) finish(tooLarge())
      else gathered.add(part)
    }
    const end = (): void => finish(null)
    const fail = (error: Error): void =>
      finish(
        new AppError('bad_request', 'The body is incomplete.', {
          fix: 'Send the whole request.',
          cause: error,
        }),
      )
    function finish(problem: Error | null): void {
      raw.off('data', take).off('end', end).off('error', fail)
      if (problem !== null) {
        done(problem)
        return
      }
      queue.run(gathered.size, () => {
        try {
          done(null, parse(gathered.bytes, request))
        } catch (error) {
          done(error as Error)
        }
      })
    }
    raw.on('data', take).on('end', end).on('error', fail)
    raw.resume()
  }
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', 'The body is larger than this address accepts.')
}
