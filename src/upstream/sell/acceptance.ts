/** Payment methods that callers without an account can use to pay the gateway. */
import type { Asset } from '../../catalog/vocabulary/merchant.ts'
import type { Micros } from '../../lib/money.ts'

/** The terms of payment for one request. */
export type PaymentTerms = {
  /** The host that the payment is for. */
  readonly realm: string
  /** URL of the resource. */
  readonly url: string
  /** The product, for people and catalogs. */
  readonly description: string
  readonly discovery: Discovery
  readonly amount: Micros
  /** Digest of the body (RFC 9530), or null without a body. */
  readonly digest: string | null
  readonly expiresMs: number
  /** Why the received payment was not accepted. */
  readonly error?: string
}

/** How to send the request, for catalogs of paid resources: a valid body and its JSON schema. */
export type Discovery = { readonly example: unknown; readonly schema: object }

export type Headers = Readonly<Record<string, string>>

/** `body`: fields of the response's body. */
export type PaymentRequest = {
  readonly headers: Headers
  readonly body?: Readonly<Record<string, unknown>>
}

export type Presented = {
  /** A unique key of the payment. */
  readonly key: string
  /**
   * Whether it pays the requested amount. A payment accepted before stays valid after a price
   * change.
   */
  readonly paysFullAmount: boolean
  /** Too late to be taken. A payment taken in time stays valid. */
  readonly isExpired: boolean
  /**
   * Takes the money. `isRepeat`: an earlier attempt has an unknown outcome. A rejection is an
   * unknown outcome, too.
   */
  readonly settle: (isRepeat?: boolean) => Promise<Settled | NotSettled>
}

export type Settled = { readonly reference: string; readonly headers: Headers }
/** The payment was not taken and cannot be, with the reason. */
export type Refused = { readonly refused: string }
/** No money moved, and the payment may be good: the buyer can send it again. With the reason. */
export type Unchecked = { readonly unchecked: string }
/** The money may have moved or may still move. With the facts for the operator. */
export type Unknown = { readonly unknown: string }
export type NotSettled = Refused | Unchecked | Unknown

export type Acceptance = {
  readonly name: string
  readonly request: (terms: PaymentTerms) => Promise<PaymentRequest>
  /**
   * The payment in a request; null without one of this kind, or for other terms than requested,
   * except the amount.
   */
  readonly read: (headers: Headers, terms: PaymentTerms, nowMs: number) => Promise<Presented | null>
}

/** The account that receives the money. */
export type Destination = { readonly asset: Asset; readonly recipient: string }
