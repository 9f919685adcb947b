import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Caller } from '../keys/caller.ts'
import { findPrimaryCaller } from '../keys/find-caller.ts'
import { postCredit } from '../ledger/credit.ts'
import type { Clock } from '../lib/clock.ts'
import { newId, parsePublicId, publicId } from '../lib/ids.ts'
import { wholeCents } from '../lib/money.ts'
import type { CardReversal } from './card-reversals.ts'

/** A payment confirmed by Stripe. */
export type CardPayment = {
  readonly kind: 'paid'
  readonly reference: string
  readonly account: string
  readonly cents: number
  /** The id by which refunds and disputes name it. */
  readonly intent: string | null
}

/** Sells credit by card. Stripe shows the card form and notifies the gateway of the payment. */
export type CardDesk = {
  /** The price of each pack and the credit that it contains, in cents. */
  readonly packs: readonly number[]
  /** Opens a checkout for a pack and returns its URL. Throws AppError. */
  open(request: {
    readonly account: string
    readonly cents: number
    readonly returnUrl: string
  }): Promise<string>
  /** Reads a notification of a payment or a reversal; null for other events. Throws AppError bad_request when the signature is invalid. */
  read(
    payload: Buffer,
    signature: string | undefined,
    nowMs: number,
  ): CardPayment | CardReversal | null
}

/** The URL of a checkout in which the caller's account buys a pack. Throws AppError, such as invalid_params for an unknown amount. */
export async function buyPack(
  desk: CardDesk,
  { accountId, mode }: Pick<Caller, 'accountId' | 'mode'>,
  cents: number,
  returnUrl: string,
): Promise<string> {
  if (mode === 'test')
    throw new AppError('bad_request', 'Test credit cannot be bought.', {
      fix: 'Sign in with a live key.',
    })
  if (!desk.packs.includes(cents))
    throw new AppError('invalid_params', 'Unknown credit pack.', {
      param: 'cents',
      fix: `Choose one of ${desk.packs.join(', ')} cents.`,
    })
  return desk.open({ account: publicId('account', accountId), cents, returnUrl })
}

/** `isNew`: this is the first notification. `ofClosed`: the account was closed meanwhile, so the credit cannot be spent. */
type Credited = { readonly isNew: boolean; readonly ofClosed: boolean }

/** Adds the payment to the account's balance, exactly once for any number of notifications. */
export async function creditCardPayment(
  { database, now }: { database: Database; now: Clock },
  { reference, account, cents, intent }: CardPayment,
): Promise<Credited> {
  const accountId = parsePublicId('account', account)
  const nowMs = now()
  const id = newId(nowMs)
  const amount = wholeCents(cents)
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<{ id: bigint }>(
      "select id from wallets where account_id = $1 and mode = 'live'",
      [accountId],
    )
    const wallet = rows[0]
    if (accountId === null || wallet === undefined)
      throw new AppError('not_found', 'A card payment names an unknown account.', {
        fix: 'Look up the payment at Stripe. Refund it there, or grant the credit by hand.',
      })
    const { count } = await tx.query(
      'insert into card_payments (reference, account_id, transaction_id, amount_micros, credited_at, intent) values ($1, $2, $3, $4, $5, $6) on conflict do nothing',
      [reference, accountId, id, amount, new Date(nowMs), intent],
    )
    if (count === 0) return { isNew: false, ofClosed: false }
    await postCredit(tx, {
      id,
      walletId: Number(wallet.id),
      kind: 'topup',
      amount,
      nowMs,
      reference,
    })
    return { isNew: true, ofClosed: (await findPrimaryCaller(tx, accountId, 'live')) === null }
  })
}
