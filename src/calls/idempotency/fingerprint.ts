import { createHash } from 'node:crypto'
import { canonicalJson } from '../../lib/canonical-json.ts'

/**
 * SHA-256 in hexadecimal of a request's body by its meaning: a client that writes the members in
 * another order repeats the same request. An absent body equals none.
 */
export function fingerprintOf(body: unknown): string {
  return createHash('sha256')
    .update(body === undefined ? '' : canonicalJson(body))
    .digest('hex')
}
