import { AppError } from '../../errors/app-error.ts'
import type { Headers } from './acceptance.ts'

type Fields = Readonly<Record<string, unknown>>
type Read = { readonly value: Fields } | { readonly fault: string }

type PaymentHeader = {
  readonly name: string
  readonly encodedIn: (header: string) => string
  readonly faultOf: (payment: Fields) => string | null
}

/** Node.js accepts this many bytes of headers in total. */
const LONGEST = 16_384
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/
const CHALLENGE_FIELDS = ['id', 'realm', 'method', 'intent', 'request']
const FIX =
  'Send the base64 of the JSON payment, as your x402 or MPP client builds it. Nothing was taken.'

/** Every header that carries a payment, in either protocol. */
const PAYMENT_HEADERS: Readonly<Record<string, PaymentHeader>> = {
  'payment-signature': {
    name: 'PAYMENT-SIGNATURE',
    encodedIn: (header) => header,
    faultOf: ({ payload, accepted }) =>
      faultOfX402(payload) ?? (isObject(accepted) ? null : 'has no object "accepted"'),
  },
  'x-payment': {
    name: 'X-PAYMENT',
    encodedIn: (header) => header,
    faultOf: ({ payload }) => faultOfX402(payload),
  },
  authorization: {
    name: 'Authorization',
    encodedIn: (header) => header.replace(/^payment\s*/i, ''),
    faultOf: ({ challenge, payload }) => {
      if (!isObject(payload)) return 'has no object "payload"'
      if (!isObject(challenge)) return 'has no object "challenge"'
      const missing = CHALLENGE_FIELDS.find((field) => typeof challenge[field] !== 'string')
      return missing === undefined ? null : `has no text "challenge.${missing}"`
    },
  },
}

/** Whether the request has a payment in any header. */
export function hasPayment(headers: Headers): boolean {
  return Object.keys(PAYMENT_HEADERS).some((name) => headers[name] !== undefined)
}

/**
 * Rejects a payment that no version of its protocol can read (specs/transports-v2/http.md of x402:
 * 400). Throws AppError bad_request, which names the header and the fault.
 */
export function requireReadablePayments(headers: Headers): void {
  for (const [key, { name, encodedIn, faultOf }] of Object.entries(PAYMENT_HEADERS)) {
    const header = headers[key]
    if (header === undefined) continue
    const read = readPayment(encodedIn(header))
    const fault = 'fault' in read ? read.fault : faultOf(read.value)
    if (fault !== null)
      throw new AppError('bad_request', `The payment in the header ${name} ${fault}.`, {
        param: name,
        fix: FIX,
      })
  }
}

/** The object in a payment header: base64, in either alphabet, of JSON. */
export function readPayment(encoded: string): Read {
  if (encoded === '') return { fault: 'is empty' }
  if (encoded.length > LONGEST) return { fault: `is longer than ${LONGEST} characters` }
  if (!BASE64.test(encoded)) return { fault: 'is not base64' }
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
    return isObject(value) ? { value } : { fault: 'is not a JSON object' }
  } catch {
    return { fault: 'is base64 of text that is not JSON' }
  }
}

function faultOfX402(payload: unknown): string | null {
  return isObject(payload) && Object.keys(payload).length > 0
    ? null
    : 'has no object "payload" with a signature'
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
