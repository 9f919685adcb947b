import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../errors/app-error.ts'
import { hasMoreValuesThan } from './value-count.ts'
import { ofWholeBody } from './whole-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the body as it came, in hexadecimal; made only when the request carries an Idempotency-Key. */
    bodyFingerprint: string | null
  }
}

const EMPTY_FINGERPRINT = createHash('sha256').digest('hex')

// JSON under a name of its own, such as application/merge-patch+json.
const STRUCTURED_JSON = /^application\/[\w.-]+\+json(?=[ ;]|$)/

// Reading, copying and writing an object for each of the millions that 20 MiB can hold takes ten seconds, and every other
// call waits. A mebibyte of tokens for embeddings lists fewer than this. Each value takes two bytes at least.
const MOST_VALUES = 250_000

/** JSON bodies for every route of this instance. What is not JSON is a 400 that says where it breaks, never a 500. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyFingerprint', null)
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['idempotency-key'] !== undefined)
      request.bodyFingerprint = EMPTY_FINGERPRINT
    done()
  })
  for (const type of ['application/json', STRUCTURED_JSON]) {
    app.addContentTypeParser(
      type,
      ofWholeBody((bytes, request) => {
        request.bodyCame?.(bytes.length)
        if (request.bodyFingerprint !== null)
          request.bodyFingerprint = createHash('sha256').update(bytes).digest('hex')
        refuseCompressed(request.headers['content-encoding'])
        return parseJson(bytes)
      }),
    )
  }
}

function refuseCompressed(encoding: string | undefined): void {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw new AppError('unsupported_media_type', 'A compressed body is not read here.', {
    fix: 'Send the JSON as it is, without the Content-Encoding header.',
  })
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (bytes.length > 2 * MOST_VALUES && hasMoreValuesThan(bytes, MOST_VALUES))
    throw new AppError('payload_too_large', `The body lists more than ${MOST_VALUES} values.`, {
      fix: 'Send fewer of them. Large content belongs in one text, in a file or behind a URL.',
    })
  if (!isUtf8(bytes))
    throw new AppError('bad_request', 'The body is not valid UTF-8.', {
      fix: 'Encode the JSON body as UTF-8.',
    })
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch (error) {
    throw new AppError('bad_request', `The body is not valid JSON: ${(error as Error).message}.`, {
      fix: 'Send one JSON object. Many shells need the body in single quotes.',
      cause: error,
    })
  }
}
