/** Notifications of the card processor about anything but payments. */

/** The total that Stripe has reversed for a payment so far: all refunds, or one dispute. */
export type CardReversal = {
  readonly kind: 'reversed'
  readonly reference: string
  readonly intent: string
  readonly cents: number
  /** Later notifications of this reference are older than this one. */
  readonly isFinal: boolean
  /** The payment was certainly for credit of this gateway. */
  readonly isOurs: boolean
  readonly reason: 'refund' | 'dispute'
  /** The time of the notification, in Unix seconds. */
  readonly atSeconds: number
}

/** A refund that the bank returned, with its own reference. */
export type FailedRefund = Pick<
  CardReversal,
  'reference' | 'intent' | 'cents' | 'isOurs' | 'atSeconds'
> & { readonly kind: 'refund_failed' }

/** An event about money of this gateway in a form that it does not know, such as another currency. */
export type UnreadCardEvent = {
  readonly kind: 'unread'
  readonly id: string
  readonly type: string
  readonly account: string | null
  readonly intent: string | null
  /** The checkout that it is about. */
  readonly session: string | null
  /** In the smallest unit of the currency. */
  readonly amount: number | null
  readonly currency: string | null
}
