import type { HopReceipt } from '../../catalog/vocabulary/handlers.ts'
import { withAddressParam } from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import { boughtCredit, boughtCreditShort } from '../../ledger/bought-credit.ts'
import { Deadline } from '../../lib/deadline.ts'
import { minMicros, type Micros } from '../../lib/money.ts'
import { downloadFailure } from '../../upstream/download.ts'
import { exchange, type Incoming, type Outgoing } from '../../upstream/exchange.ts'
import type { Guard } from '../../upstream/guard.ts'
import { purchase, type Purchase, type Wallet } from '../../upstream/pay/purchase.ts'
import type { CallRequest, Calls } from '../call.ts'
import type { HeldCall } from '../charge.ts'
import { chargeAtSigning, chargedWithoutResponse } from '../payments/charge-at-signing.ts'
import { purchaseFailure, toReceipt } from '../payments/payment-session.ts'
import { toAppError } from '../perform/outcome-error.ts'
import { simulatedFetch } from './simulated-fetch.ts'

export type FetchDeps = {
  readonly guard: Pick<Guard, 'checkUrl' | 'dispatcher'>
  readonly userAgent: string
}

/** The request to send, and the most that it may cost. */
export type Fetch = {
  readonly call: CallRequest
  readonly url: URL
  readonly outgoing: Outgoing
  readonly most: Micros
}

export type Fetched = {
  readonly answer: Incoming
  readonly receipt: HopReceipt | null
  readonly charge: Micros
  /** The charge was posted when the payment was signed. */
  readonly isCharged: boolean
}

export const FETCH_NAME = { service: 'web', action: 'fetch' } as const
export const FETCH_TIMEOUT_MS = 60_000
const MAX_BYTES = 5 * 1024 * 1024

/** Sends the request, and pays when the server asks for money. Without a hold it pays nothing. Throws AppError. */
export async function fetchAndPay(
  calls: Calls,
  { guard }: FetchDeps,
  fetch: Fetch,
  held: HeldCall | null,
): Promise<Fetched> {
  const { call, url, outgoing, most } = fetch
  const isLive = call.caller.mode === 'live'
  const wallet = isLive ? calls.wallet : calls.testWallet
  if (!isLive && wallet === undefined) return { ...simulatedFetch(url, most), isCharged: false }
  const deadline = new Deadline(FETCH_TIMEOUT_MS)
  const send = (one: Outgoing): Promise<Incoming> =>
    exchange(guard.dispatcher, one, { deadline, maxBytes: MAX_BYTES, binary: true })
  try {
    const purchased =
      wallet === undefined
        ? rejectPaid(await send(outgoing))
        : await buy(calls, { fetch, wallet, held, send })
    return toFetched(purchased, most)
  } catch (error) {
    throw withAddressParam(downloadFailure(error), 'url')
  } finally {
    deadline.end()
  }
}

type Order = {
  readonly fetch: Fetch
  readonly wallet: Wallet
  readonly held: HeldCall | null
  readonly send: (outgoing: Outgoing) => Promise<Incoming>
}

async function buy(
  { database }: Calls,
  { fetch: { call, url, outgoing, most }, wallet, held, send }: Order,
): Promise<Purchase> {
  const { id, caller } = call
  const isLive = caller.mode === 'live'
  const bought = isLive && held !== null ? await boughtCredit(database, caller.walletId) : most
  const purchased = await purchase(wallet, {
    ...FETCH_NAME,
    callId: id,
    accountId: caller.accountId,
    request: outgoing,
    send,
    expected: { cap: minMicros(most, bought), realm: url.host },
    timeoutMs: FETCH_TIMEOUT_MS,
    charge: held === null ? noCharge : chargeAtSigning(held, caller.mode),
  })
  if (
    purchased.kind === 'refused' &&
    purchased.because === 'over_cap' &&
    purchased.price !== null &&
    purchased.price <= most
  )
    throw boughtCreditShort(purchased.price, bought)
  return purchased
}

function rejectPaid(answer: Incoming): Purchase {
  if (answer.status !== 402) return { kind: 'free', answer }
  throw new AppError(
    'upstream_not_configured',
    'The address asks for a payment, and this gateway has no wallet to pay from. Nothing was charged.',
    { fix: 'The operator of this gateway sets PAY_TEMPO_KEY or PAY_EVM_KEY.' },
  )
}

/** Without a hold the cap is zero, so only a payment of zero can be signed. */
const noCharge = (): Promise<void> => Promise.resolve()

function toFetched(bought: Purchase, most: Micros): Fetched {
  switch (bought.kind) {
    case 'free':
      return { answer: bought.answer, receipt: null, charge: 0n, isCharged: false }
    case 'paid': {
      const { answer, payment } = bought
      return { answer, receipt: toReceipt(payment), charge: payment.amount, isCharged: true }
    }
    case 'unknown':
      throw chargedWithoutResponse(bought.reason, bought.amount, bought.status)
    case 'refused':
      throw toAppError(purchaseFailure(bought, FETCH_NAME, most))
  }
}
