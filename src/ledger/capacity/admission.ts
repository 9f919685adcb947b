/**
 * Opens holds, and lets calls wait for money that other calls hold. Invariants:
 *
 * 1. A call waits only if it fits once every hold has ended.
 * 2. Calls of a wallet, budget or day open in the order of their arrival.
 * 3. A waiting call holds nothing and claims no idempotency key. The ledger decides about each hold.
 * 4. A wait ends with its time, with its caller's connection, and when the process stops.
 */
import { AppError } from '../../errors/app-error.ts'
import type { HoldRequest, HoldWait } from '../hold.ts'
import { windowResetMs } from '../windows.ts'
import {
  explainState,
  explainWait,
  isClaimed,
  isOfKeyState,
  judgeCall,
  type JudgeDeps,
} from './judge-call.ts'
import { scopesOf, type Scope } from './limits.ts'
import { Neighbors, type Waiting } from './neighbors.ts'
import { createSharedReads } from './shared-reads.ts'
import { scopeOfVerdict, Waiter, type After, type OpenHold, type WaiterDeps } from './waiter.ts'
import { WaitingCalls, type WaitingCall } from './waiting-calls.ts'

export type Admission = {
  /** Opens the hold, after a wait if necessary. Throws AppError for a call that is refused. */
  admit(request: HoldRequest, wait: HoldWait, open: OpenHold): Promise<'opened' | 'repeated'>
  /** A hold ended. */
  freed(hold: Pick<HoldRequest, 'walletId' | 'budgetId' | 'ancestorIds' | 'kind'>): void
  /** A message of another process. */
  receive(message: string): void
  /** Looks at every queue, because messages may have been missed. */
  lookAll(): void
  /** The number of waiting calls. */
  waiting(): number
  /** Refuses every waiting call. Later calls do not wait. */
  stop(): void
}

export type AdmissionDeps = Omit<JudgeDeps, 'share'> & {
  readonly after: After
  /** Sends a message to other processes. */
  readonly send: (message: string) => void
  /** Distinguishes processes. */
  readonly self: string
}

// Finds credit that was added, a raised limit, and money that jobs and sessions released.
const LOOK_EVERY_MS = 250
/** Queues that are looked at concurrently, so that calls still get connections of the pool. */
const LOOKS = 4
const MOST_CAPPED_WALLETS = 10_000
const RETRY_AFTER_SECONDS = 1

export function createAdmission(given: AdmissionDeps): Admission {
  const deps = { ...given, share: createSharedReads() }
  const { now, after } = deps
  const waiters = new Set<Waiter>()
  let arrivals = 0
  let isStopped = false
  let isLooking = false
  const neighbors = new Neighbors({
    self: deps.self,
    nowMs: now,
    after,
    send: deps.send,
    waitingIn: (scope) => queues.callsIn(scope).map(toWaiting),
    onChange: (scope) => queues.look(scope),
  })
  const queues = new WaitingCalls((scope) => {
    neighbors.announce(scope)
    lookLater()
  })
  const daily = rememberCapped(now)
  const waiterDeps: WaiterDeps = {
    ...deps,
    amountAhead: (scope, sinceMs) => neighbors.amountAhead(scope, sinceMs),
    findQueue: (request, place, except) => queues.findQueue(request, place, except),
    onEnd(waiter) {
      waiters.delete(waiter)
      queues.remove(waiter)
    },
  }

  function lookLater(): void {
    if (isLooking || queues.isEmpty || isStopped) return
    isLooking = true
    after(LOOK_EVERY_MS, () => {
      void lookAtEach().finally(() => {
        isLooking = false
        lookLater()
      })
    })
  }

  async function lookAtEach(): Promise<void> {
    const scopes = [...queues.scopes]
    const lane = async (): Promise<void> => {
      for (let scope = scopes.pop(); scope !== undefined; scope = scopes.pop()) {
        neighbors.announce(scope)
        await queues.serve(scope)
      }
    }
    await Promise.all(Array.from({ length: LOOKS }, lane))
  }

  /** The queue that an arriving call joins. Undefined if the ledger can decide immediately. */
  function findQueue(request: HoldRequest, place: number): Scope | undefined {
    if (queues.isEmpty && neighbors.isQuiet && !daily.isCapped(request)) return undefined
    return (
      queues.findQueue(request, place) ??
      scopesOf(request).find((scope) => neighbors.isWaitedFor(scope)) ??
      (daily.isCapped(request) ? scopeOfVerdict('capped', request) : undefined)
    )
  }

  async function admit(
    request: HoldRequest,
    wait: HoldWait,
    open: OpenHold,
  ): Promise<'opened' | 'repeated'> {
    const place = (arrivals += 1)
    let queue = findQueue(request, place)
    const isRefused = queue === undefined
    if (queue === undefined) {
      const verdict = await open(0)
      if (verdict === 'opened' || verdict === 'repeated') return verdict
      if (isOfKeyState(verdict)) throw await explainState(deps, request, verdict)
      if (verdict === 'capped') daily.remember(request)
      queue = scopeOfVerdict(verdict, request)
    }
    if (wait.ms <= 0 || isStopped) return admitNow(request, open, queue, place, isRefused)
    const waiter = new Waiter(waiterDeps, request, place, open, wait)
    waiters.add(waiter)
    queues.add(queue, waiter)
    queues.look(queue)
    waiter.check(isRefused, wait).catch((error: unknown) => waiter.fail(error))
    return waiter.done
  }

  /** Opens the hold of a call that does not wait, if it fits and passes no other call. */
  async function admitNow(
    request: HoldRequest,
    open: OpenHold,
    queue: Scope,
    place: number,
    isRefused: boolean,
  ): Promise<'opened' | 'repeated'> {
    const { claim } = request
    if (!isRefused && claim !== null && (await isClaimed(deps.database, claim, now())))
      return 'repeated'
    const sinceMs = now()
    const judged = await judgeCall(deps, request, (scope) => neighbors.amountAhead(scope, sinceMs))
    if (judged.kind === 'refused') throw judged.error
    if (judged.kind === 'fits' && queues.findQueue(request, place) === undefined) {
      const verdict = await open(0)
      if (verdict === 'opened' || verdict === 'repeated') return verdict
      if (isOfKeyState(verdict)) throw await explainState(deps, request, verdict)
    }
    throw await explainWait(deps, request, judged)
  }

  return {
    admit,
    freed(hold) {
      if (queues.isEmpty && neighbors.isQuiet) return
      const scopes = scopesOf(hold)
      for (const scope of scopes) queues.look(scope)
      neighbors.free(scopes)
    },
    receive: (message) => neighbors.receive(message),
    lookAll: () => void lookAtEach(),
    waiting: () => waiters.size,
    stop() {
      isStopped = true
      for (const waiter of waiters)
        waiter.fail(
          new AppError('shutting_down', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS }),
        )
    },
  }
}

const toWaiting = ({ sinceMs, request: { amount } }: WaitingCall): Waiting => ({ sinceMs, amount })

/**
 * Wallets that reached their daily cap. A hold above the cap makes the ledger repeat its flush call
 * by call, so further calls of such a wallet are compared with the cap first.
 */
function rememberCapped(now: AdmissionDeps['now']) {
  const untilMs = new Map<number, number>()
  return {
    isCapped: ({ kind, walletId }: HoldRequest): boolean =>
      kind === 'llm' && (untilMs.get(walletId) ?? 0) > now(),
    remember({ walletId }: HoldRequest): void {
      if (untilMs.size >= MOST_CAPPED_WALLETS) untilMs.clear()
      untilMs.set(walletId, windowResetMs('day', now()))
    },
  }
}
