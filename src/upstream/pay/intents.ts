/** Where payments are written down before, while and after they are made. Every answer is durable. */
import type { Transaction } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'
import type { Offer, Receipt } from './offer.ts'

/** Who wants to buy: the call, and what it is for. */
export type Buyer = {
  readonly callId: Id
  readonly accountId: Id
  readonly service: string
  readonly action: string
}

/** `chosenByCaller`: the caller named the merchant, and could be the merchant. Such payments have limits of their own. */
export type Intent = Buyer & {
  readonly id: Id
  readonly offer: Offer
  readonly deadlineMs: number
  readonly chosenByCaller: boolean
}

/** Part of the commit that marks a payment as signed. What it throws undoes that commit, and nothing is sent. */
export type WithSigning = (tx: Transaction) => Promise<void>

export type Intents = {
  /** Takes room under the wallets' ceiling of the day. `repeated`: this challenge was paid, or is being paid, already. */
  open(
    intent: Intent,
  ): Promise<'opened' | 'over_ceiling' | 'over_share' | 'repeated' | 'too_many_open'>
  /** Just before a signed payment is sent. */
  signed(id: Id, credentialHash: string, withSigning?: WithSigning): Promise<void>
  paid(id: Id, receipt: Receipt): Promise<void>
  /** Signed, and nobody knows whether the money moved: into the queue. */
  unknown(id: Id, reason: string): Promise<void>
  /** Nothing was sent: gives the room back. */
  unsigned(id: Id, reason: string): Promise<void>
}
