import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { fingerprintOf, formerFingerprintOf } from '../../../calls/idempotency/fingerprint.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { RouteRequest } from '../route-objects.ts'
import { hasMoreValuesThan } from './value-count.ts'
import { parseWholeBody } from './whole-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The fingerprint of the body's meaning. Only computed for requests with an Idempotency-Key. */
    bodyFingerprint: string | null
    /** The fingerprint of the body's bytes; empty without a body or an Idempotency-Key. */
    formerFingerprint: string
  }
}

const EMPTY_FINGERPRINT = fingerprintOf(undefined)

// Such as application/merge-patch+json.
const STRUCTURED_JSON = /^application\/[\w.-]+\+json(?=[ ;]|$)/

// 20 MiB can hold millions of objects. Parsing and copying them would block every call for ten seconds.
// 1 MiB of tokens for embeddings has fewer values. Each value takes at least two bytes.
const MOST_VALUES = 250_000

/** Parses JSON bodies for every route of this instance. Invalid JSON answers 400 with the position of the error. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyFingerprint', null)
  app.decorateRequest('formerFingerprint', '')
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['idempotency-key'] !== undefined)
      request.bodyFingerprint = EMPTY_FINGERPRINT
    done()
  })
  for (const type of ['application/json', STRUCTURED_JSON]) {
    app.addContentTypeParser(type, parseWholeBody(readJsonBody))
  }
}

/** Parses a whole body, and notes its fingerprints for an Idempotency-Key. Throws AppError. */
export function readJsonBody(bytes: Buffer, request: RouteRequest): unknown {
  const { headers } = request
  rejectCompressed(headers['content-encoding'])
  const body = parseJson(bytes)
  if (request.bodyFingerprint !== null || headers['idempotency-key'] !== undefined) {
    request.bodyFingerprint = fingerprintOf(body)
    request.formerFingerprint = formerFingerprintOf(bytes)
  }
  return body
}

function rejectCompressed(encoding: string | undefined): void {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw new AppError('unsupported_media_type', 'Compressed bodies are not supported.', {
    fix: 'Send uncompressed JSON, without the Content-Encoding header.',
  })
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (bytes.length > 2 * MOST_VALUES && hasMoreValuesThan(bytes, MOST_VALUES))
    throw new AppError('payload_too_large', `The body has more than ${MOST_VALUES} values.`, {
      fix: 'Send fewer values. Put large content into one string, a file or a URL.',
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
