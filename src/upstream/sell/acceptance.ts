/** Ways in which the gateway itself is paid for a call, by callers without an account. */
import type { Asset } from '../../catalog/vocabulary/merchant.ts'
import type { Micros } from '../../lib/money.ts'

/** What is asked for one request. */
export type PaymentTerms = {
  /** The host on whose behalf money is asked. */
  readonly realm: string
  /** Address of the resource. */
  readonly url: string
  /** What is sold, for people and catalogs. */
  readonly description: string
  readonly discovery: Discovery
  readonly amount: Micros
  /** Digest of the body (RFC 9530), or null without a body. */
  readonly digest: string | null
  readonly expiresMs: number
  /** Why the payment that came was not taken. */
  readonly error?: string
}

/** How to send the request, for catalogs that list what is sold: a valid body and its JSON schema. */
export type Discovery = { readonly example: unknown; readonly schema: object }

export type Headers = Readonly<Record<string, string>>

/** `body`: fields of the response's body. */
export type Asking = {
  readonly headers: Headers
  readonly body?: Readonly<Record<string, unknown>>
}

export type Presented = {
  /** What makes this payment one of a kind. */
  readonly key: string
  /** Whether it is of the amount that is asked. One that was taken before stays good when the price has changed since. */
  readonly paysAsked: boolean
  /** Too late to be taken; one that was taken in time stays good. */
  readonly isExpired: boolean
  /** Takes the money; resolves to a refusal when it cannot be taken and was not. Rejects when nobody knows. */
  readonly settle: () => Promise<Settled | Refused>
}

export type Settled = { readonly reference: string; readonly headers: Headers }
/** Not taken, and why. */
export type Refused = { readonly refused: string }

export type Acceptance = {
  readonly name: string
  readonly ask: (asked: PaymentTerms) => Promise<Asking>
  /** The payment that a request carries; null when it carries none of this kind, or one for something else than what is asked, whatever it pays. */
  readonly read: (headers: Headers, asked: PaymentTerms, nowMs: number) => Promise<Presented | null>
}

/** Where the money goes. */
export type Destination = { readonly asset: Asset; readonly recipient: string }
