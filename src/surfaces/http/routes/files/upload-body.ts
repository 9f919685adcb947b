import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../../../../errors/app-error.ts'

/** The announced length of the body; null for a chunked body. */
export function announcedBytes(headers: IncomingHttpHeaders): number | null {
  return headers['content-length'] === undefined
    ? headers['transfer-encoding'] === undefined
      ? 0
      : null
    : Number(headers['content-length'])
}

/** The SHA-256 in Content-Digest or Repr-Digest (RFC 9530), or null. Throws AppError bad_request for an invalid digest. */
export function digestOf(headers: IncomingHttpHeaders): Buffer | null {
  const header = headers['content-digest'] ?? headers['repr-digest']
  const encoded = /(?:^|,)\s*sha-256=([^,]*)/i.exec(String(header ?? ''))?.[1]?.trim()
  if (encoded === undefined) return null
  const digest = Buffer.from(/^:([A-Za-z0-9+/]{43}=):$/.exec(encoded)?.[1] ?? '', 'base64')
  if (digest.length !== 32)
    throw new AppError('bad_request', 'The digest header is invalid.', {
      fix: 'Send Content-Digest: sha-256=:<base64>:, or omit the header.',
    })
  return digest
}
