import { createHash, hash } from 'node:crypto'
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

/**
 * SHA-256 of a body's text, which versions before 0.1.0 stored. A job's key lives 30 days, so repeats
 * of their requests arrive long after an upgrade.
 */
export function formerFingerprintOf(text: string | Uint8Array): string {
  return hash('sha256', text)
}
