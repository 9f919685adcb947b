import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../../../../errors/app-error.ts'

/** The length that the request announces, or null when it is sent in chunks. */
export function announcedBytes(headers: IncomingHttpHeaders): number | null {
  return headers['content-length'] === undefined
    ? headers['transfer-encoding'] === undefined
      ? 0
      : null
    : Number(headers['content-length'])
}

/** The SHA-256 in Content-Digest or Repr-Digest (RFC 9530); null when there is none. Throws AppError bad_request for one that cannot be read. */
export function digestOf(headers: IncomingHttpHeaders): Buffer | null {
  const header = headers['content-digest'] ?? headers['repr-digest']
  const encoded = /(?:^|,)\s*sha-256=([^,]*)/i.exec(String(header ?? ''))?.[1]?.trim()
  if (encoded === undefined) return null
  const digest = Buffer.from(/^:([A-Za-z0-9+/]{43}=):$/.exec(encoded)?.[1] ?? '', 'base64')
  if (digest.length !== 32)
    throw new AppError('bad_request', 'The digest in the headers cannot be read.', {
      fix: 'Send it as Content-Digest: sha-256=:<base64>:, or leave it out.',
    })
  return digest
}
