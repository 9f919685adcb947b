/** What a merchant asks for with status 402, as a wallet understands it. */
import type { Asset } from '../../catalog/vocabulary/merchant.ts'
import type { Micros } from '../../lib/money.ts'
import type { Incoming, Outgoing } from '../exchange.ts'

export type Offer = Asset & {
  /** The method that can pay it, such as "tempo.charge". */
  readonly method: string
  /** The merchant's name of this very request for money. */
  readonly challengeId: string
  /** The host on whose behalf the money is asked for. */
  readonly realm: string
  readonly amount: Micros
  readonly recipient: string | null
  readonly expiresMs: number | null
  /** Set when the offer cannot be paid, whatever it costs. */
  readonly flaw?: string
  /** Makes the headers that carry the payment. From here on money may move. */
  readonly sign: () => Promise<Readonly<Record<string, string>>>
}

/** The merchant's word that it was paid. */
export type Receipt = {
  readonly reference: string
  readonly details: Readonly<Record<string, unknown>>
}

/** One way to pay, with the wallet that it pays from. Nothing heavy is loaded before a merchant asks for money. */
export type PaymentMethod = {
  readonly name: string
  readonly assets: readonly Asset[]
  /** What of this answer it can read; an offer that it cannot read is none. */
  readonly offersIn: (answer: Incoming, request: Outgoing) => Promise<readonly Offer[]>
  readonly receiptIn: (answer: Incoming) => Promise<Receipt | null>
}
