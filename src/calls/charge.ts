/**
 * The billing bracket of a call: hold, work, then settle or release. Invariants:
 *
 * 1. Work starts after the commit of the hold. A rejected or repeated request runs none.
 * 2. Every exit resolves the hold once. Other processes release a dead one's holds.
 * 3. A charge is a whole number of micro-dollars, at most the amount held.
 * 4. No release follows a settlement with an unknown outcome.
 * 5. Metrics count a charge after its commit.
 */
import type { Hop } from '../catalog/vocabulary/handlers.ts'
import { withoutCharge } from '../catalog/prices/hop.ts'
import { priceIdFor } from '../catalog/prices/price-id.ts'
import type { Database, Transaction } from '../db/database.ts'
import { AppError, invariant } from '../errors/app-error.ts'
import { assertHeld } from '../ledger/assert-held.ts'
import { resolveFromBought } from '../ledger/bought-credit.ts'
import type {
  Claim,
  Hold,
  HoldKind,
  HoldRequest,
  HoldWait,
  Resolution,
  WalletState,
} from '../ledger/hold.ts'
import type { OpenHold } from '../ledger/capacity/waiter.ts'
import type { Ledger, Repeated, Settlement } from '../ledger/ledger.ts'
import { resolveWithin } from '../ledger/within-transaction.ts'
import type { Micros } from '../lib/money.ts'
import type { Mode } from '../lib/mode.ts'
import { noteBooked } from './booked-calls.ts'
import type { Call, CallRequest } from './call.ts'
import type { LoopWatch } from './loops/loop-watch.ts'
import { replayClaim, type StoredAnswer } from './idempotency/answers.ts'
import type { TallyDeps } from './tally-call.ts'

export type ChargeDeps = TallyDeps & {
  readonly database: Database
  readonly ledger: Pick<Ledger, 'hold' | 'admit' | 'resolve' | 'enlarge'>
  readonly loops?: Pick<LoopWatch, 'spent'>
}

/** The hold to open, and what depends on how it ends. */
export type Order<Result> = {
  readonly hold: HoldRequest
  readonly mode: Mode
  /** Unix milliseconds; the latency in the transaction counts from here. */
  readonly startedMs: number
  /** How long the call waits for money that other calls hold. By default it does not wait. */
  readonly wait?: HoldWait | undefined
  /** The result for a repeated request. */
  readonly replay: (stored: StoredAnswer) => Result
  /** Ends a call whose hold did not open. Throws an error for the caller, or carries the call out without money. */
  readonly onRejected?: (error: unknown) => Result | Promise<Result>
  /** The answer that an uncharged failure leaves under the idempotency key. Null frees the key. */
  readonly storeFailure?: (error: unknown) => StoredAnswer | null
  /** Ends a call that failed after its charge committed. */
  readonly onChargedFailure?: (error: unknown, charged: Micros, held: HeldCall) => Promise<Result>
}

/** The hold of a call. Every field that describes the call to the ledger is set here. */
export function holdFor(
  { id, caller, app, surface }: Pick<CallRequest, 'id' | 'caller' | 'app' | 'surface'>,
  action: {
    readonly kind: HoldKind
    readonly service: string
    readonly action: string
    readonly priceId?: string | undefined
  },
  terms: {
    readonly amount: Micros
    /** Unix milliseconds. */
    readonly deadlineMs: number
    readonly claim: Claim | null
  },
): HoldRequest {
  return {
    id,
    walletId: caller.walletId,
    budgetId: caller.budgetId,
    ancestorIds: caller.ancestorIds,
    externalId: caller.externalId,
    app,
    surface,
    kind: action.kind,
    service: action.service,
    action: action.action,
    priceId: action.priceId,
    amount: terms.amount,
    deadlineMs: terms.deadlineMs,
    claim: terms.claim,
  }
}

/** The action of a call of the catalog, for `holdFor`. */
export function heldAction(kind: HoldKind, { entry, input }: Pick<Call, 'entry' | 'input'>) {
  const { service, name } = entry
  return { kind, service: service.id, action: name, priceId: priceIdFor(entry, input) }
}

/** Opens the hold, runs `work` and resolves the hold. Throws the errors of the hold, of `work` and of the settlement. */
export async function withHold<Result>(
  deps: ChargeDeps,
  order: Order<Result>,
  work: (held: HeldCall) => Promise<Result>,
): Promise<Result> {
  let hold: Hold | Repeated
  try {
    hold = await deps.ledger.hold(order.hold, order.wait)
  } catch (error) {
    if (order.onRejected === undefined) throw error
    return order.onRejected(error)
  }
  if (!hold.opened) return replay(deps, order)
  const held = new HeldCall(deps, order, hold)
  try {
    const result = await work(held)
    held.finish()
    return result
  } catch (error) {
    return await endFailed(order, held, error)
  }
}

/** Opens a hold within a larger transaction, which `open` runs and commits. Returns `opened` if it did. */
export async function withHoldOf<Result>(
  deps: ChargeDeps,
  order: Pick<Order<Result>, 'hold' | 'wait' | 'replay' | 'onRejected'>,
  open: OpenHold,
  opened: () => Result,
): Promise<Result> {
  let verdict: 'opened' | 'repeated'
  try {
    verdict = await deps.ledger.admit(order.hold, order.wait ?? { ms: 0 }, open)
  } catch (error) {
    if (order.onRejected === undefined) throw error
    return order.onRejected(error)
  }
  if (verdict !== 'opened') return replay(deps, order)
  noteBooked(order.hold.id)
  return opened()
}

async function replay<Result>(
  { database }: ChargeDeps,
  { hold: { claim }, replay: toResult }: Pick<Order<Result>, 'hold' | 'replay'>,
): Promise<Result> {
  invariant(claim !== null, 'a repeated request has an idempotency key')
  return toResult(await replayClaim(database, claim))
}

async function endFailed<Result>(
  order: Order<Result>,
  held: HeldCall,
  error: unknown,
): Promise<Result> {
  noteBooked(held.hold.id)
  if (held.isResolved) throw error
  const charged = await held.releaseUnlessCharged(error, order.storeFailure?.(error) ?? null)
  if (charged === 0n || order.onChargedFailure === undefined) throw error
  return order.onChargedFailure(error, charged, held)
}

/** A call whose money is held. */
export class HeldCall {
  readonly startedMs: number
  /** Receipt lines, in the order in which the steps ended. */
  readonly hops: Hop[] = []
  readonly #deps: ChargeDeps
  readonly #mode: Mode
  #hold: Hold
  #state: 'open' | 'in_transaction' | 'resolved' = 'open'
  #charged: Micros = 0n

  constructor(deps: ChargeDeps, { mode, startedMs }: Order<unknown>, hold: Hold) {
    this.#deps = deps
    this.#mode = mode
    this.#hold = hold
    this.startedMs = startedMs
  }

  get hold(): Hold {
    return this.#hold
  }

  get latencyMs(): number {
    return this.#deps.now() - this.startedMs
  }

  get isResolved(): boolean {
    return this.#state === 'resolved'
  }

  /** Adds at most `wanted` to the hold, as far as credit and limits allow. Returns the amount held now. */
  async enlarge(wanted: Micros): Promise<Micros> {
    this.#hold = await this.#deps.ledger.enlarge(this.#hold, wanted)
    return this.#hold.amount
  }

  /** Charges the call and stores its answer under the idempotency key. Throws AppError when the hold had ended. */
  async settle(charge: Micros, answer: StoredAnswer | null): Promise<Settlement> {
    this.#assertChargeable(charge)
    this.#state = 'resolved'
    const settled = await this.#deps.ledger.resolve({
      hold: this.#hold,
      charge,
      latencyMs: this.latencyMs,
      errorCode: null,
      hops: hopsText(this.hops),
      answer,
    })
    assertHeld(settled)
    this.#count(settled.charged)
    return settled
  }

  /**
   * Charges the call as part of the caller's transaction. `work` must let a failure of that transaction
   * through. `boughtOnly` charges bought credit and no grants; it throws AppError credits_required
   * when bought credit is short.
   */
  async settleWithin(
    tx: Transaction,
    charge: Micros,
    answer: StoredAnswer,
    { hops = this.hops, boughtOnly = false }: { hops?: readonly Hop[]; boughtOnly?: boolean } = {},
  ): Promise<WalletState | null> {
    this.#assertChargeable(charge)
    this.#state = 'in_transaction'
    const nowMs = this.#deps.now()
    const resolution: Resolution = {
      hold: this.#hold,
      charge,
      latencyMs: nowMs - this.startedMs,
      errorCode: null,
      hops: hopsText(hops),
      ...(this.#hold.claim === null ? {} : { answer }),
    }
    const { verdict, wallet } = boughtOnly
      ? { verdict: await resolveFromBought(tx, resolution, nowMs), wallet: null }
      : await resolveWithin(tx, resolution, nowMs)
    if (verdict === 'gone') assertHeld({ charged: 0n, expired: true, wallet })
    this.#charged = charge
    return wallet
  }

  /** Returns the hold uncharged. Without an `answer` the idempotency key is free again. */
  async release(errorCode: string, answer: StoredAnswer | null = null): Promise<Settlement> {
    invariant(this.#state !== 'resolved', 'a hold is resolved once')
    this.#state = 'resolved'
    return this.#deps.ledger.resolve({
      hold: this.#hold,
      charge: 0n,
      latencyMs: this.latencyMs,
      errorCode,
      hops: hopsText(this.hops.map(withoutCharge)),
      answer,
    })
  }

  /** For `withHold`: ends a failed call. Returns the charge that committed before the failure, else 0. */
  async releaseUnlessCharged(error: unknown, answer: StoredAnswer | null): Promise<Micros> {
    const reported = error instanceof AppError ? BigInt(error.chargedMicros) : 0n
    // The ledger also reports a charge whose commit succeeded while its response was lost.
    const charged = reported > 0n ? reported : (await this.release(codeOf(error), answer)).charged
    this.#state = 'resolved'
    if (charged > 0n) this.#count(charged)
    return charged
  }

  /** For `withHold`: ends a call whose work returned. */
  finish(): void {
    invariant(this.#state !== 'open', 'the work of a call settles or releases its hold')
    if (this.#state === 'in_transaction') this.#count(this.#charged)
    this.#state = 'resolved'
  }

  #assertChargeable(charge: Micros): void {
    const { amount } = this.#hold
    invariant(this.#state === 'open', 'a hold is resolved once')
    invariant(charge >= 0n && charge <= amount, `${charge} µ$ is within the ${amount} µ$ held`)
  }

  #count(charged: Micros): void {
    if (charged === 0n) noteBooked(this.#hold.id)
    this.#deps.tally?.charged(this.#mode, this.#hold.service, charged)
    if (this.#hold.budgetId !== null) this.#deps.loops?.spent(this.#hold.budgetId, charged)
  }
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : 'internal'
}

/** Null when the service, action and latency of the transaction are the whole receipt. */
function hopsText(hops: readonly Hop[]): string | null {
  return hops.length === 0 ? null : JSON.stringify(hops)
}
