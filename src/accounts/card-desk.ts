import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Caller } from '../keys/caller.ts'
import { findPrimaryCaller } from '../keys/find-caller.ts'
import { postCredit } from '../ledger/credit.ts'
import type { Clock } from '../lib/clock.ts'
import { newId, parsePublicId, publicId } from '../lib/ids.ts'
import { wholeCents } from '../lib/money.ts'
import type { CardReversal } from './card-reversals.ts'

/** A payment that the card company took and vouches for. */
export type CardPayment = {
  readonly kind: 'paid'
  readonly reference: string
  readonly account: string
  readonly cents: number
  /** What refunds and disputes of it name. */
  readonly intent: string | null
}

/** Sells packs of credit by card. The card company shows the form for the card and tells afterwards that it was paid. */
export type CardDesk = {
  /** What a pack costs and holds, in cents. */
  readonly packs: readonly number[]
  /** Opens a checkout for a pack; returns its address. Throws AppError. */
  open(wish: {
    readonly account: string
    readonly cents: number
    readonly returnUrl: string
  }): Promise<string>
  /** Reads what the card company tells, of a payment or of what it took back; null when it tells of something else. Throws AppError bad_request when it is not from there. */
  read(
    payload: Buffer,
    signature: string | undefined,
    nowMs: number,
  ): CardPayment | CardReversal | null
}

/** The address of a checkout at which the caller's account buys a pack. Throws AppError, such as invalid_params for an amount that is no pack. */
export async function buyPack(
  desk: CardDesk,
  { accountId, mode }: Pick<Caller, 'accountId' | 'mode'>,
  cents: number,
  returnUrl: string,
): Promise<string> {
  if (mode === 'test')
    throw new AppError('bad_request', 'Test credit is not for sale.', {
      fix: 'Sign in with a live key.',
    })
  if (!desk.packs.includes(cents))
    throw new AppError('invalid_params', 'There is no such pack of credit.', {
      param: 'cents',
      fix: `Choose one of ${desk.packs.join(', ')} cents.`,
    })
  return desk.open({ account: publicId('account', accountId), cents, returnUrl })
}

/** `isNew`: it was told for the first time. `ofClosed`: the account was closed meanwhile, so nobody can spend it. */
type Credited = { readonly isNew: boolean; readonly ofClosed: boolean }

/** Adds what was paid to the account's balance, once however often it is told. */
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
      throw new AppError('not_found', 'A card payment names an account that is not here.', {
        fix: 'Look the payment up at the card company, and refund it there or grant the credit by hand.',
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
