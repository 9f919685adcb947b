/** Verifies deliveries by Standard Webhooks 1.0.0, with the cryptography of the platform. */
import type { TollgateEvent } from './event.ts'
import { TollgateError } from './tollgate-error.ts'

export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

export type WebhookOptions = {
  /** The most seconds between the delivery and now. Default: 300. */
  readonly toleranceS?: number
  /** Milliseconds since 1970. Default: the clock of the system. */
  readonly now?: () => number
}

type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>
type Key = { readonly version: string; readonly key: ImportedKey; readonly algorithm: string }

/**
 * The event of a delivery. `secret` is the secret of the webhook (whsec_…), or its public key
 * (whpk_…) for the signature v1a. `body` is the unchanged body. Throws TollgateError
 * invalid_signature.
 */
export async function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  { toleranceS = 300, now = Date.now }: WebhookOptions = {},
): Promise<TollgateEvent> {
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const distance = Math.abs(now() / 1000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || distance > toleranceS)
    throw invalid(
      `The timestamp of the delivery differs from the clock by more than ${toleranceS} s.`,
      'Check the clock of this machine. Answer 400: an old delivery is not repeated as it is.',
    )
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const content = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const { version, key, algorithm } = await importKey(secret)
  for (const signature of readHeader(headers, 'webhook-signature').split(' ')) {
    const [itsVersion, encoded = ''] = signature.split(',', 2)
    const bytes = itsVersion === version ? decodeBase64(encoded) : null
    // `verify` compares in constant time.
    if (bytes !== null && (await crypto.subtle.verify(algorithm, key, bytes, content)))
      return JSON.parse(text) as TollgateEvent
  }
  throw invalid(
    'No signature of the delivery fits the secret.',
    'Pass the secret of this webhook, and the body exactly as it was received.',
  )
}

async function importKey(secret: string): Promise<Key> {
  const [, kind, encoded = ''] = /^(whsec_|whpk_)(.+)$/.exec(secret) ?? []
  const bytes = decodeBase64(encoded)
  if (kind === undefined || bytes === null)
    throw invalid(
      'The secret does not have the format of a secret of a webhook.',
      'Pass the text that begins with whsec_ or whpk_.',
    )
  return kind === 'whsec_'
    ? {
        version: 'v1',
        algorithm: 'HMAC',
        key: await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
          'verify',
        ]),
      }
    : {
        version: 'v1a',
        algorithm: 'Ed25519',
        key: await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']),
      }
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  const text = typeof value === 'string' ? value : (value?.[0] ?? '')
  if (text === '')
    throw invalid(`The delivery has no header ${name}.`, 'Pass the headers of the request.')
  return text
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}

function invalid(message: string, fix: string): TollgateError {
  return new TollgateError({ code: 'invalid_signature', message, fix })
}
