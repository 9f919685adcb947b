/** POST /api/fetch: any address of the public web, paid for where it asks for money, under the caller's own ceiling. */
import type { HopReceipt } from '../catalog/handlers.ts'
import { hopOf } from '../catalog/hop.ts'
import type { Data } from '../catalog/outcome.ts'
import { isTextual } from '../catalog/wire.ts'
import { namingAddress } from '../catalog/web-address.ts'
import { AppError } from '../errors/app-error.ts'
import { assertHeld } from '../ledger/assert-held.ts'
import { HOLD_GRACE_MS, type Hold } from '../ledger/hold.ts'
import { Deadline } from '../lib/deadline.ts'
import { minMicros, toCentsRoundedUp, wholeCents, type Micros } from '../lib/money.ts'
import { downloadFailure } from '../upstream/download.ts'
import { exchange, type Incoming, type Outgoing } from '../upstream/exchange.ts'
import type { Guard } from '../upstream/guard.ts'
import { purchase, type Purchase } from '../upstream/pay/purchase.ts'
import { storedFailure } from './answers.ts'
import { claimOf, replay } from './claim.ts'
import { answerBody } from './envelope.ts'
import { errorOf } from './outcome-error.ts'
import { outgoingOf, type PaidFetchInput } from './paid-fetch-input.ts'
import { purchaseFailure, receiptOf } from './payments/till.ts'
import type { CallAnswer, CallRequest, Calls } from './run.ts'
import { simulatedFetch } from './simulated-fetch.ts'
import { tallied } from './tallied.ts'

export type Fetching = { readonly guard: Pick<Guard, 'checkUrl' | 'dispatcher'>; readonly userAgent: string }
export type FetchRequest = Omit<CallRequest, 'service' | 'action' | 'body' | 'gone'> & { readonly input: PaidFetchInput }

const NAME = { service: 'web', action: 'fetch' } as const
const TIMEOUT_MS = 60_000
const MAX_BYTES = 5 * 1024 * 1024

/** What is asked for, and the most that may be paid for it. */
type Wanted = { readonly url: URL; readonly outgoing: Outgoing; readonly room: Micros }
type Fetched = { readonly answer: Incoming; readonly receipt: HopReceipt | null; readonly charge: Micros }

/** Holds the ceiling before anything is asked; charges what the merchant was paid. Throws AppError, nothing being charged then. */
export function paidFetch(calls: Calls, fetching: Fetching, request: FetchRequest): Promise<CallAnswer> {
  const { mode } = request.caller
  return tallied(calls, mode, { service: NAME.service, lane: mode === 'test' ? 'simulator' : 'in-house' }, () => carryOut(calls, fetching, request))
}

async function carryOut(calls: Calls, fetching: Fetching, request: FetchRequest): Promise<CallAnswer> {
  const { id, caller, input } = request
  const url = checked(fetching, input.url)
  const room = wholeCents(input.max_cost_cents)
  const wanted: Wanted = { url, outgoing: outgoingOf(url, input, fetching.userAgent), room }
  const call: CallRequest = { ...request, ...NAME, body: input }
  const startedMs = calls.now()
  if (room === 0n) return answered(call, await obtain(calls, fetching, call, wanted), null)

  const hold = await calls.ledger.hold({
    id, walletId: caller.walletId, budgetId: caller.budgetId, amount: room, deadlineMs: startedMs + TIMEOUT_MS + HOLD_GRACE_MS, kind: 'call', ...NAME, externalId: caller.externalId, claim: claimOf(call, startedMs),
  })
  if (!hold.opened) return replay(calls, call)
  const fetched = await obtain(calls, fetching, call, wanted).catch(async (error: unknown) => {
    const code = error instanceof AppError ? error.code : 'internal'
    const answer = error instanceof AppError && code === 'payment_unknown' ? storedFailure(error) : null
    await calls.ledger.resolve({ hold, charge: 0n, latencyMs: calls.now() - startedMs, errorCode: code, hops: null, answer })
    throw error
  })
  return settle(calls, call, fetched, hold, calls.now() - startedMs)
}

function checked({ guard }: Fetching, url: string): URL {
  try {
    return guard.checkUrl(url)
  } catch (error) {
    throw namingAddress(error, 'url')
  }
}

async function settle(calls: Calls, call: CallRequest, fetched: Fetched, hold: Hold, latencyMs: number): Promise<CallAnswer> {
  const charge = minMicros(fetched.charge, hold.amount)
  const body = bodyOf(call, fetched)
  const hop = fetched.receipt === null ? null : [{ ...hopOf({ service: { id: NAME.service }, name: NAME.action }, { ok: true, charge, latencyMs }), receipt: fetched.receipt }]
  const settled = await calls.ledger.resolve({ hold, charge, latencyMs, errorCode: null, hops: hop === null ? null : JSON.stringify(hop), answer: { status: 200, body } })
  assertHeld(settled)
  calls.tally?.charged(call.caller.mode, NAME.service, settled.charged)
  return { ...answered(call, fetched, settled.wallet), body, charged: settled.charged }
}

async function obtain(calls: Calls, { guard }: Fetching, { id, caller }: CallRequest, { url, outgoing, room }: Wanted): Promise<Fetched> {
  if (caller.mode === 'test') return simulatedFetch(url, room)
  const deadline = new Deadline(TIMEOUT_MS)
  const send = (one: Outgoing): Promise<Incoming> => exchange(guard.dispatcher, one, { deadline, maxBytes: MAX_BYTES, binary: true })
  try {
    return fetchedOf(await buy(), room)
  } catch (error) {
    throw namingAddress(downloadFailure(error), 'url')
  } finally {
    deadline.end()
  }

  async function buy(): Promise<Purchase> {
    if (calls.wallet !== undefined) return purchase(calls.wallet, { ...NAME, callId: id, accountId: caller.accountId, request: outgoing, send, expected: { cap: room, realm: url.host }, timeoutMs: TIMEOUT_MS, fromAnybody: true })
    const answer = await send(outgoing)
    if (answer.status !== 402) return { kind: 'free', answer }
    throw new AppError('upstream_not_configured', 'The address asks for a payment, and this gateway has no wallet to pay from. Nothing was charged.', { fix: 'The operator of this gateway sets PAY_TEMPO_KEY or PAY_EVM_KEY.' })
  }
}

function fetchedOf(bought: Purchase, room: Micros): Fetched {
  if (bought.kind === 'free') return { answer: bought.answer, receipt: null, charge: 0n }
  if (bought.kind === 'paid') return { answer: bought.answer, receipt: receiptOf(bought.payment), charge: bought.payment.amount }
  throw errorOf(purchaseFailure(bought, NAME, room))
}

function answered(call: CallRequest, fetched: Fetched, wallet: CallAnswer['wallet']): CallAnswer {
  return { status: 200, body: bodyOf(call, fetched), charged: 0n, wallet, replayed: false }
}

/** Headers that speak of the connection, or that would set something up with whoever reads them. */
const LEFT_OUT = new Set(['connection', 'keep-alive', 'transfer-encoding', 'set-cookie', 'payment-receipt', 'payment-response', 'x-payment-response'])

function bodyOf({ id, caller }: CallRequest, { answer, receipt, charge }: Fetched): string {
  const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !LEFT_OUT.has(name)))
  const response = { status: answer.status, headers, encoding: isTextual(answer.headers['content-type'] ?? '') ? 'text' : 'base64', body: answer.text }
  const data: Data = { price_cents: toCentsRoundedUp(charge), price_micros: Number(charge), receipt, response }
  return answerBody({ data, untrusted: true, charge, requestId: id, isTest: caller.mode === 'test' })
}
