const SECRET_HEADER = /auth|cookie|key|token|secret|password|signature/i
/** Set by the HTTP client, or able to change where a request ends. */
const RESERVED_HEADER =
  /^(host|content-length|content-type|transfer-encoding|connection|upgrade|expect|te|trailer|keep-alive|proxy-.*|idempotency-key|accept-encoding)$/i

export function isReservedHeader(name: string): boolean {
  return RESERVED_HEADER.test(name)
}

export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name)
}
