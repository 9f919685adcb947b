/**
 * Records payments before, during and after they are made. All methods resolve after the record is
 * durable.
 */
import type { Transaction } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'
import type { Offer, Receipt } from './offer.ts'

/** The call that pays, and its purpose. */
export type Buyer = {
  readonly callId: Id
  readonly accountId: Id
  readonly service: string
  readonly action: string
}

/**
 * `chosenByCaller`: the caller named the merchant, and could be the merchant. Such payments have
 * separate limits.
 */
export type Intent = Buyer & {
  readonly id: Id
  readonly offer: Offer
  readonly deadlineMs: number
  readonly chosenByCaller: boolean
}

/**
 * Runs in the commit that marks a payment as signed. If it throws, the commit is rolled back and
 * nothing is sent.
 */
export type WithSigning = (tx: Transaction) => Promise<void>

export type Intents = {
  /**
   * Reserves the amount under the wallets' daily limit. `repeated`: this challenge was paid or is
   * being paid already.
   */
  open(
    intent: Intent,
  ): Promise<'opened' | 'over_ceiling' | 'over_share' | 'repeated' | 'too_many_open'>
  /** Call just before a signed payment is sent. */
  signed(id: Id, credentialHash: string, withSigning?: WithSigning): Promise<void>
  paid(id: Id, receipt: Receipt): Promise<void>
  /** A signed payment with unknown outcome: queues it for the operator. */
  unknown(id: Id, reason: string): Promise<void>
  /** Nothing was sent: releases the reserved amount. */
  unsigned(id: Id, reason: string): Promise<void>
}
