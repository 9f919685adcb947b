/** Secrets of webhooks: https://github.com/standard-webhooks/standard-webhooks, specification 1.0.0. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import { AppError } from '../../errors/app-error.ts'
import type { Id } from '../../lib/ids.ts'
import { openSealed, sealText } from '../../lib/seal.ts'

/** v1: HMAC-SHA256 with a shared secret. v1a: Ed25519, whose secret only the gateway has. */
export const SIGNATURES = ['v1', 'v1a'] as const
export type Signature = (typeof SIGNATURES)[number]

const SHARED = 'whsec_'
const PRIVATE = 'whsk_'
const PUBLIC = 'whpk_'
const NEW_SECRET_BYTES = 32
const SEED_BYTES = 32
const [LEAST_BYTES, MOST_BYTES] = [24, 64]
// RFC 8410: the beginning of an Ed25519 private key in PKCS #8.
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export function newSecret(signature: Signature): string {
  if (signature === 'v1') return `${SHARED}${randomBytes(NEW_SECRET_BYTES).toString('base64')}`
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-SEED_BYTES)
  return `${PRIVATE}${Buffer.concat([seed, rawPublicKey(publicKey)]).toString('base64')}`
}

/** Checks a secret that the caller chose. Throws AppError invalid_params. */
export function checkSecret(secret: string): string {
  const text = secret.startsWith(SHARED) ? secret.slice(SHARED.length) : ''
  const bytes = Buffer.from(text, 'base64')
  const isValid =
    bytes.length >= LEAST_BYTES && bytes.length <= MOST_BYTES && bytes.toString('base64') === text
  if (isValid) return secret
  throw new AppError('invalid_params', 'The secret is not a webhook secret.', {
    param: 'secret',
    fix: `Send "${SHARED}" and ${LEAST_BYTES} to ${MOST_BYTES} random bytes in base64, or omit it to get a new one.`,
  })
}

/** The part of a secret that receivers get: the shared secret, or the public key (whpk_…). */
export function receiversPart(secret: string): string {
  return secret.startsWith(PRIVATE)
    ? `${PUBLIC}${Buffer.from(secret.slice(PRIVATE.length), 'base64').subarray(SEED_BYTES).toString('base64')}`
    : secret
}

export function sharedKeyOf(secret: string): Buffer | null {
  return secret.startsWith(SHARED) ? Buffer.from(secret.slice(SHARED.length), 'base64') : null
}

export function privateKeyOf(secret: string): KeyObject {
  const seed = Buffer.from(secret.slice(PRIVATE.length), 'base64').subarray(0, SEED_BYTES)
  return createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  })
}

function rawPublicKey(publicKey: KeyObject): Buffer {
  return createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }))
    .export({ type: 'spki', format: 'der' })
    .subarray(-SEED_BYTES)
}

/** Seals secrets with the installation's own key. */
export type SecretBox = {
  seal(secret: string, webhookId: Id): Buffer
  open(sealed: Buffer, webhookId: Id): string
  /** Signs the events of jobs with a `webhook_url`: one secret per key. */
  jobSecret(keyId: Id): string
}

/** `master`: at least 32 bytes, the same in all processes. */
export function createSecretBox(master: Buffer): SecretBox {
  const derive = (salt: string, purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', master, salt, `tollgate ${purpose}`, NEW_SECRET_BYTES))
  return {
    seal: (secret, webhookId) => sealText(derive(webhookId, 'webhook secret'), secret),
    open: (sealed, webhookId) => openSealed(derive(webhookId, 'webhook secret'), sealed),
    jobSecret: (keyId) => `${SHARED}${derive(keyId, 'job webhooks').toString('base64')}`,
  }
}
