/** A merchant's payment request (status 402) in a common form for all wallets. */
import type { Asset } from '../../catalog/vocabulary/merchant.ts'
import type { Micros } from '../../lib/money.ts'
import type { Incoming, Outgoing } from '../exchange.ts'

export type Offer = Asset & {
  /** The method that can pay it, such as "tempo.charge". */
  readonly method: string
  /** The merchant's id of this payment request. */
  readonly challengeId: string
  /** The host that the payment is for. */
  readonly realm: string
  readonly amount: Micros
  readonly recipient: string | null
  readonly expiresMs: number | null
  /** Set if the offer cannot be paid, regardless of its price. */
  readonly flaw?: string
  /** Creates the headers with the payment. From then on, money may move. */
  readonly sign: () => Promise<Readonly<Record<string, string>>>
}

/** The merchant's confirmation of a payment. */
export type Receipt = {
  readonly reference: string
  readonly details: Readonly<Record<string, unknown>>
}

/** A payment method with its wallet. Heavy code is loaded on first use. */
export type PaymentMethod = {
  readonly name: string
  readonly assets: readonly Asset[]
  /** The readable offers in a response. */
  readonly offersIn: (answer: Incoming, request: Outgoing) => Promise<readonly Offer[]>
  readonly receiptIn: (answer: Incoming) => Promise<Receipt | null>
}
