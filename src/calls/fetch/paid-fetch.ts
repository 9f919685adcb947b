/** POST /api/fetch: requests any public URL, and pays for it within the caller's limit when the server asks for money. */
import { withAddressParam } from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { toStoredFailure } from '../../errors/stored-failure.ts'
import { limitCost } from '../../keys/policy/limit-cost.ts'
import { requireAllowed } from '../../keys/policy/require-allowed.ts'
import { HOLD_GRACE_MS } from '../../ledger/hold.ts'
import { minMicros, wholeCents, type Micros } from '../../lib/money.ts'
import type { CallAnswer, CallRequest, Calls } from '../call.ts'
import { holdFor, withHold, type HeldCall, type Order } from '../charge.ts'
import { claimFor, toReplay } from '../idempotency/claim.ts'
import {
  chargedWithoutResponse,
  purchaseHop,
  storeResponse,
} from '../payments/charge-at-signing.ts'
import { retryWrite } from '../retry-write.ts'
import { tallyCall } from '../tally-call.ts'
import {
  FETCH_NAME,
  FETCH_TIMEOUT_MS,
  fetchAndPay,
  type FetchDeps,
  type Fetch,
  type Fetched,
} from './fetch-and-pay.ts'
import { writeFetchEnvelope } from './fetch-envelope.ts'
import { outgoingOf, type PaidFetchInput } from './paid-fetch-input.ts'

export type FetchRequest = Omit<CallRequest, 'service' | 'action' | 'body' | 'gone'> & {
  readonly input: PaidFetchInput
}

/** Holds the caller's limit before the first request. Charges a payment when it is signed. Throws AppError, which reports the charge of a failed fetch. */
export function paidFetch(
  calls: Calls,
  deps: FetchDeps,
  request: FetchRequest,
): Promise<CallAnswer> {
  const { mode } = request.caller
  const isSimulated = mode === 'test' && calls.testWallet === undefined
  const labels = {
    service: FETCH_NAME.service,
    lane: isSimulated ? 'simulator' : 'in-house',
  } as const
  return tallyCall(calls, mode, labels, () => holdAndFetch(calls, deps, request))
}

async function holdAndFetch(
  calls: Calls,
  deps: FetchDeps,
  request: FetchRequest,
): Promise<CallAnswer> {
  const { input, caller } = request
  requireAllowed(caller, FETCH_NAME.service, FETCH_NAME.action)
  const asked = wholeCents(input.max_cost_cents)
  const url = checkUrl(deps, input.url)
  const fetch: Fetch = {
    call: { ...request, ...FETCH_NAME, body: input },
    url,
    outgoing: outgoingOf(url, input, deps.userAgent),
    most: limitCost(caller, asked).maxCost ?? asked,
  }
  if (fetch.most === 0n) return fetchFree(calls, deps, fetch)
  return withHold(calls, orderFor(calls, deps, fetch), async (held) => {
    const fetched = await fetchAndPay(calls, deps, fetch, held)
    return fetched.isCharged
      ? deliverCharged(calls, fetch, fetched, held)
      : settle(fetch, fetched, held)
  })
}

function orderFor(calls: Calls, deps: FetchDeps, fetch: Fetch): Order<CallAnswer> {
  const { call, most } = fetch
  const startedMs = calls.now()
  return {
    hold: holdFor(
      call,
      { kind: 'call', ...FETCH_NAME },
      {
        amount: most,
        deadlineMs: startedMs + FETCH_TIMEOUT_MS + HOLD_GRACE_MS,
        claim: claimFor(call, startedMs),
      },
    ),
    mode: call.caller.mode,
    startedMs,
    wait: canPay(calls, fetch) ? call.wait : undefined,
    replay: toReplay,
    onRejected: (error) => fetchUnpaid(calls, deps, fetch, error),
    onChargedFailure: (error, charged, held) => failCharged(calls, error, charged, held),
  }
}

/** Fetches a free URL. Throws AppError when the server asks for money. */
async function fetchFree(calls: Calls, deps: FetchDeps, fetch: Fetch): Promise<CallAnswer> {
  const fetched = await fetchAndPay(calls, deps, fetch, null)
  return toAnswer(writeFetchEnvelope(fetch.call, fetched), null)
}

/** More credit would not help on a gateway that cannot pay. It fetches free URLs and reports the missing wallet for others. */
async function fetchUnpaid(
  calls: Calls,
  deps: FetchDeps,
  fetch: Fetch,
  error: unknown,
): Promise<CallAnswer> {
  const isShortOfMoney = error instanceof AppError && SHORT_OF_MONEY.has(error.code)
  if (canPay(calls, fetch) || !isShortOfMoney) throw error
  return fetchFree(calls, deps, fetch)
}

const SHORT_OF_MONEY: ReadonlySet<ErrorCode> = new Set([
  'credits_required',
  'api_key_limit_exceeded',
  'room_held',
])

function canPay({ wallet }: Calls, { call }: Fetch): boolean {
  return call.caller.mode === 'test' || wallet !== undefined
}

/** Throws the failure of a charged fetch, and stores it: the same request must not pay again. */
async function failCharged(
  { database }: Calls,
  error: unknown,
  charged: Micros,
  { hold }: HeldCall,
): Promise<never> {
  const failure =
    error instanceof AppError && error.chargedMicros > 0
      ? error
      : chargedWithoutResponse('The gateway lost its database while it paid.', charged, null)
  // If this write fails, the sweep repeats it later.
  await retryWrite(() => storeResponse(database, hold, toStoredFailure(failure), null)).catch(
    () => null,
  )
  throw failure
}

function checkUrl({ guard }: FetchDeps, url: string): URL {
  try {
    return guard.checkUrl(url)
  } catch (error) {
    throw withAddressParam(error, 'url')
  }
}

/** Settles a free or simulated fetch. */
async function settle({ call }: Fetch, fetched: Fetched, held: HeldCall): Promise<CallAnswer> {
  const body = writeFetchEnvelope(call, fetched)
  if (fetched.receipt !== null) held.hops.push(purchaseHop(held, fetched.receipt))
  const { charged, wallet } = await held.settle(minMicros(fetched.charge, held.hold.amount), {
    status: 200,
    body,
  })
  return { ...toAnswer(body, wallet), charged }
}

/** Stores the response of a fetch that was charged when its payment was signed. */
async function deliverCharged(
  { database }: Calls,
  { call }: Fetch,
  fetched: Fetched,
  held: HeldCall,
): Promise<CallAnswer> {
  const body = writeFetchEnvelope(call, fetched)
  const hops =
    fetched.receipt === null ? null : JSON.stringify([purchaseHop(held, fetched.receipt)])
  // The caller gets the paid response even if it cannot be stored. The sweep then ends the idempotency key.
  const wallet = await retryWrite(() =>
    storeResponse(database, held.hold, { status: 200, body }, hops),
  ).catch(() => null)
  return { ...toAnswer(body, wallet), charged: fetched.charge }
}

function toAnswer(body: string, wallet: CallAnswer['wallet']): CallAnswer {
  return { status: 200, body, charged: 0n, wallet, replayed: false }
}
