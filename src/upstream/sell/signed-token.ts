import { createPrivateKey, randomBytes, sign, type KeyObject } from 'node:crypto'

/** An API key for a facilitator that requires signed requests, as Coinbase's CDP does. */
export type FacilitatorKey = { readonly id: string; readonly key: KeyObject }

const LIFE_SECONDS = 120

/**
 * Parses a key's secret: 64 bytes in base64 (Ed25519: seed and public key), or an EC key in PEM,
 * whose line breaks may be written as `\n`. Null for anything else.
 */
export function readFacilitatorSecret(secret: string): KeyObject | null {
  try {
    if (secret.includes('-----BEGIN')) {
      const key = createPrivateKey(secret.replaceAll('\\n', '\n'))
      return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
        ? key
        : null
    }
    const bytes = Buffer.from(secret, 'base64')
    if (bytes.length !== 64) return null
    return createPrivateKey({
      key: {
        kty: 'OKP',
        crv: 'Ed25519',
        d: bytes.subarray(0, 32).toString('base64url'),
        x: bytes.subarray(32).toString('base64url'),
      },
      format: 'jwk',
    })
  } catch {
    return null
  }
}

/** A JSON Web Token for one method, host and path, valid for two minutes. */
export function signedToken(
  { id, key }: FacilitatorKey,
  method: 'GET' | 'POST',
  url: URL,
  nowMs: number,
): string {
  const isEdwards = key.asymmetricKeyType === 'ed25519'
  const seconds = Math.floor(nowMs / 1000)
  const header = {
    alg: isEdwards ? 'EdDSA' : 'ES256',
    kid: id,
    typ: 'JWT',
    nonce: randomBytes(16).toString('hex'),
  }
  const claims = {
    sub: id,
    iss: 'cdp',
    aud: ['cdp_service'],
    uris: [`${method} ${url.host}${url.pathname}`],
    iat: seconds,
    nbf: seconds,
    exp: seconds + LIFE_SECONDS,
  }
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign(isEdwards ? null : 'sha256', Buffer.from(text), {
    key,
    dsaEncoding: 'ieee-p1363',
  })
  return `${text}.${signature.toString('base64url')}`
}
