/** Where payments are written down before, while and after they are made. Every answer is durable. */
import type { Id } from '../../lib/ids.ts'
import type { Offer, Receipt } from './offer.ts'

/** Who wants to buy: the call, and what it is for. */
export type Buyer = { readonly callId: Id; readonly accountId: Id; readonly service: string; readonly action: string }

/** `fromAnybody`: the merchant is whom the caller named, who could be the caller; the account's payments of open outcome are limited. */
export type Intent = Buyer & { readonly id: Id; readonly offer: Offer; readonly deadlineMs: number; readonly fromAnybody: boolean }

export type Intents = {
  /** Takes room under the wallets' ceiling of the day. `repeated`: this challenge was paid, or is being paid, already. */
  open(intent: Intent): Promise<'opened' | 'over_ceiling' | 'repeated' | 'too_many_open'>
  /** Just before a signed payment is sent. */
  signed(id: Id, credentialHash: string): Promise<void>
  paid(id: Id, receipt: Receipt): Promise<void>
  /** Signed, and nobody knows whether the money moved: into the queue. */
  unknown(id: Id, reason: string): Promise<void>
  /** Nothing was signed: gives the room back. */
  unsigned(id: Id, reason: string): Promise<void>
}
