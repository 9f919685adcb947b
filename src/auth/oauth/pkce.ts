import { hash, timingSafeEqual } from 'node:crypto'

/** A SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/
// RFC 7636, section 4.1.
const VERIFIER = /^[\w.~-]{43,128}$/

export function isCodeChallenge(text: string): boolean {
  return CHALLENGE.test(text)
}

/** Whether the verifier belongs to the S256 challenge (RFC 7636). */
export function isVerified(challenge: string, verifier: string): boolean {
  if (!VERIFIER.test(verifier) || !isCodeChallenge(challenge)) return false
  return timingSafeEqual(hash('sha256', verifier, 'buffer'), Buffer.from(challenge, 'base64url'))
}
