/** POST /api/fetch: any address of the public web, paid for where it asks for money, under the caller's own ceiling. */
import type { HopReceipt } from '../../catalog/vocabulary/handlers.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { isTextual } from '../../catalog/vocabulary/wire.ts'
import { withAddressParam } from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import { assertHeld } from '../../ledger/assert-held.ts'
import { boughtCredit, boughtCreditShort } from '../../ledger/bought.ts'
import { HOLD_GRACE_MS, type Hold } from '../../ledger/hold.ts'
import { Deadline } from '../../lib/deadline.ts'
import { minMicros, toCentsRoundedUp, wholeCents, type Micros } from '../../lib/money.ts'
import { downloadFailure } from '../../upstream/download.ts'
import { exchange, type Incoming, type Outgoing } from '../../upstream/exchange.ts'
import type { Guard } from '../../upstream/guard.ts'
import { purchase, type Purchase } from '../../upstream/pay/purchase.ts'
import { storedFailure } from '../idempotency/answers.ts'
import { claimOf, replay } from '../idempotency/claim.ts'
import { answerBody } from '../perform/envelope.ts'
import { errorOf } from '../perform/outcome-error.ts'
import { outgoingOf, type PaidFetchInput } from './paid-fetch-input.ts'
import {
  chargeAtSigning,
  chargedWithoutResponse,
  hopsOf,
  storeResponse,
} from '../payments/charge-at-signing.ts'
import { purchaseFailure, receiptOf } from '../payments/payment-session.ts'
import type { CallAnswer, CallRequest, Calls } from '../call.ts'
import { simulatedFetch } from './simulated-fetch.ts'
import { tallyCall } from '../tally-call.ts'
import { writeDown } from '../retry-write.ts'

export type Fetching = {
  readonly guard: Pick<Guard, 'checkUrl' | 'dispatcher'>
  readonly userAgent: string
}
export type FetchRequest = Omit<CallRequest, 'service' | 'action' | 'body' | 'gone'> & {
  readonly input: PaidFetchInput
}

const NAME = { service: 'web', action: 'fetch' } as const
const TIMEOUT_MS = 60_000
const MAX_BYTES = 5 * 1024 * 1024

/** What is asked for, and the most that may be paid for it. `hold` is null where that is nothing. */
type Wanted = {
  readonly url: URL
  readonly outgoing: Outgoing
  readonly room: Micros
  readonly hold: Hold | null
  readonly startedMs: number
}
type Fetched = {
  readonly answer: Incoming
  readonly receipt: HopReceipt | null
  readonly charge: Micros
  /** Whether the charge was posted when the payment was signed. */ readonly isCharged: boolean
}

/** Holds the ceiling before anything is asked; charges what the merchant is paid, when the payment is signed. Throws AppError, which shows what was charged. */
export function paidFetch(
  calls: Calls,
  fetching: Fetching,
  request: FetchRequest,
): Promise<CallAnswer> {
  const { mode } = request.caller
  return tallyCall(
    calls,
    mode,
    {
      service: NAME.service,
      lane: mode === 'test' && calls.testWallet === undefined ? 'simulator' : 'in-house',
    },
    () => carryOut(calls, fetching, request),
  )
}

async function carryOut(
  calls: Calls,
  fetching: Fetching,
  request: FetchRequest,
): Promise<CallAnswer> {
  const { id, caller, input } = request
  const url = checked(fetching, input.url)
  const room = wholeCents(input.max_cost_cents)
  const startedMs = calls.now()
  const wanted: Wanted = {
    url,
    outgoing: outgoingOf(url, input, fetching.userAgent),
    room,
    hold: null,
    startedMs,
  }
  const call: CallRequest = { ...request, ...NAME, body: input }
  if (room === 0n) return answered(call, await obtain(calls, fetching, call, wanted), null)

  const hold = await calls.ledger
    .hold({
      id,
      walletId: caller.walletId,
      budgetId: caller.budgetId,
      amount: room,
      deadlineMs: startedMs + TIMEOUT_MS + HOLD_GRACE_MS,
      kind: 'call',
      ...NAME,
      externalId: caller.externalId,
      claim: claimOf(call, startedMs),
    })
    .catch((error: unknown) => {
      if (canPay(calls, call) || !isShortOfMoney(error)) throw error
      return null
    })
  // Credit would not help: this gateway cannot pay. Free addresses are read, and others are not set up.
  if (hold === null) return answered(call, await obtain(calls, fetching, call, wanted), null)
  if (!hold.opened) return replay(calls, call)
  const fetched = await obtain(calls, fetching, call, { ...wanted, hold }).catch((error: unknown) =>
    giveUp(calls, { call, hold, startedMs }, error),
  )
  const latencyMs = calls.now() - startedMs
  return fetched.isCharged
    ? deliver(calls, call, fetched, { hold, latencyMs })
    : settle(calls, call, fetched, { hold, latencyMs })
}

/** Whether the gateway can pay for calls of this mode, with a wallet or by simulation. */
function canPay(calls: Calls, { caller }: CallRequest): boolean {
  return caller.mode === 'test' || calls.wallet !== undefined
}

function isShortOfMoney(error: unknown): boolean {
  return (
    error instanceof AppError &&
    (error.code === 'credits_required' || error.code === 'api_key_limit_exceeded')
  )
}

/** Releases the hold, unless its payment was charged: then the failure stays the answer to the idempotency key. */
async function giveUp(calls: Calls, held: Held, error: unknown): Promise<never> {
  const failure =
    error instanceof AppError && error.chargedMicros > 0 ? error : await release(calls, held, error)
  calls.tally?.charged(held.call.caller.mode, NAME.service, BigInt(failure.chargedMicros))
  // Where this cannot be written the sweep does it later.
  await writeDown(() =>
    storeResponse(calls.database, held.hold, storedFailure(failure), null),
  ).catch(() => null)
  throw failure
}

type Held = { readonly call: CallRequest; readonly hold: Hold; readonly startedMs: number }

/** Throws `error`. Resolves where the connection broke while the charge was committed: the payment was signed, and not sent. */
async function release(calls: Calls, { hold, startedMs }: Held, error: unknown): Promise<AppError> {
  const errorCode = error instanceof AppError ? error.code : 'internal'
  const { charged } = await calls.ledger.resolve({
    hold,
    charge: 0n,
    latencyMs: calls.now() - startedMs,
    errorCode,
    hops: null,
    answer: null,
  })
  if (charged === 0n) throw error
  return chargedWithoutResponse('The gateway lost its database while it paid.', charged, null)
}

function checked({ guard }: Fetching, url: string): URL {
  try {
    return guard.checkUrl(url)
  } catch (error) {
    throw withAddressParam(error, 'url')
  }
}

type Ended = { readonly hold: Hold; readonly latencyMs: number }

/** Of what was free, and of simulations. */
async function settle(
  calls: Calls,
  call: CallRequest,
  fetched: Fetched,
  { hold, latencyMs }: Ended,
): Promise<CallAnswer> {
  const charge = minMicros(fetched.charge, hold.amount)
  const body = bodyOf(call, fetched)
  const hops =
    fetched.receipt === null ? null : hopsOf(hold, { receipt: fetched.receipt, latencyMs })
  const settled = await calls.ledger.resolve({
    hold,
    charge,
    latencyMs,
    errorCode: null,
    hops,
    answer: { status: 200, body },
  })
  assertHeld(settled)
  calls.tally?.charged(call.caller.mode, NAME.service, settled.charged)
  return { ...answered(call, fetched, settled.wallet), body, charged: settled.charged }
}

/** Of what was charged when its payment was signed. */
async function deliver(
  calls: Calls,
  call: CallRequest,
  fetched: Fetched,
  { hold, latencyMs }: Ended,
): Promise<CallAnswer> {
  const body = bodyOf(call, fetched)
  const hops =
    fetched.receipt === null ? null : hopsOf(hold, { receipt: fetched.receipt, latencyMs })
  calls.tally?.charged(call.caller.mode, NAME.service, fetched.charge)
  // The response is here and charged, so the caller gets it also where it cannot be stored; the sweep ends the idempotency key then.
  const wallet = await writeDown(() =>
    storeResponse(calls.database, hold, { status: 200, body }, hops),
  ).catch(() => null)
  return { ...answered(call, fetched, wallet), body, charged: fetched.charge }
}

async function obtain(
  calls: Calls,
  { guard }: Fetching,
  { id, caller }: CallRequest,
  { url, outgoing, room, hold, startedMs }: Wanted,
): Promise<Fetched> {
  const isLive = caller.mode === 'live'
  const wallet = isLive ? calls.wallet : calls.testWallet
  if (!isLive && wallet === undefined) return { ...simulatedFetch(url, room), isCharged: false }
  const deadline = new Deadline(TIMEOUT_MS)
  const send = (one: Outgoing): Promise<Incoming> =>
    exchange(guard.dispatcher, one, { deadline, maxBytes: MAX_BYTES, binary: true })
  try {
    return fetchedOf(await buy(), room)
  } catch (error) {
    throw withAddressParam(downloadFailure(error), 'url')
  } finally {
    deadline.end()
  }

  async function buy(): Promise<Purchase> {
    if (wallet === undefined) return unlessPaid(await send(outgoing))
    const charge =
      hold === null
        ? noCharge
        : chargeAtSigning({ hold, mode: caller.mode, startedMs, now: calls.now })
    const bought =
      isLive && hold !== null ? await boughtCredit(calls.database, caller.walletId) : room
    const purchased = await purchase(wallet, {
      ...NAME,
      callId: id,
      accountId: caller.accountId,
      request: outgoing,
      send,
      expected: { cap: minMicros(room, bought), realm: url.host },
      timeoutMs: TIMEOUT_MS,
      charge,
    })
    if (
      purchased.kind === 'refused' &&
      purchased.because === 'over_cap' &&
      purchased.price !== null &&
      purchased.price <= room
    )
      throw boughtCreditShort(purchased.price, bought)
    return purchased
  }
}

function unlessPaid(answer: Incoming): Purchase {
  if (answer.status !== 402) return { kind: 'free', answer }
  throw new AppError(
    'upstream_not_configured',
    'The address asks for a payment, and this gateway has no wallet to pay from. Nothing was charged.',
    { fix: 'The operator of this gateway sets PAY_TEMPO_KEY or PAY_EVM_KEY.' },
  )
}

/** Without a hold the cap is zero, so that at most a payment of nothing is signed. */
const noCharge = (): Promise<void> => Promise.resolve()

function fetchedOf(bought: Purchase, room: Micros): Fetched {
  if (bought.kind === 'free')
    return { answer: bought.answer, receipt: null, charge: 0n, isCharged: false }
  if (bought.kind === 'paid')
    return {
      answer: bought.answer,
      receipt: receiptOf(bought.payment),
      charge: bought.payment.amount,
      isCharged: true,
    }
  if (bought.kind === 'unknown')
    throw chargedWithoutResponse(bought.reason, bought.amount, bought.status)
  throw errorOf(purchaseFailure(bought, NAME, room))
}

function answered(call: CallRequest, fetched: Fetched, wallet: CallAnswer['wallet']): CallAnswer {
  return { status: 200, body: bodyOf(call, fetched), charged: 0n, wallet, replayed: false }
}

/** Headers that speak of the connection, or that would set something up with whoever reads them. */
const LEFT_OUT = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'set-cookie',
  'payment-receipt',
  'payment-response',
  'x-payment-response',
])

function bodyOf({ id, caller }: CallRequest, { answer, receipt, charge }: Fetched): string {
  const headers = Object.fromEntries(
    Object.entries(answer.headers).filter(([name]) => !LEFT_OUT.has(name)),
  )
  const response = {
    status: answer.status,
    headers,
    encoding: isTextual(answer.headers['content-type'] ?? '') ? 'text' : 'base64',
    body: answer.text,
  }
  const data: Data = {
    price_cents: toCentsRoundedUp(charge),
    price_micros: Number(charge),
    receipt,
    response,
  }
  return answerBody({
    data,
    untrusted: true,
    charge,
    requestId: id,
    isTest: caller.mode === 'test',
  })
}
