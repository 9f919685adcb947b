import { createHmac, sign as signWithKey } from 'node:crypto'
import { privateKeyOf, sharedKeyOf } from '../webhooks/secrets.ts'

export type SignedMessage = {
  /** The event's id, the same on every try. */
  readonly id: string
  /** The time of the try, in Unix seconds. */
  readonly timestamp: number
  readonly body: string
}

/** The headers of Standard Webhooks, with one signature per secret. */
export function signedHeaders(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): Record<string, string> {
  const content = `${id}.${timestamp}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => signatureOf(content, secret)).join(' '),
  }
}

function signatureOf(content: string, secret: string): string {
  const shared = sharedKeyOf(secret)
  return shared === null
    ? `v1a,${signWithKey(null, Buffer.from(content), privateKeyOf(secret)).toString('base64')}`
    : `v1,${createHmac('sha256', shared).update(content).digest('base64')}`
}
