import { setTimeout as delay } from 'node:timers/promises'
import { faultOf, isLockTimeout } from '../db/fault.ts'
import { AppError } from '../errors/app-error.ts'
import { DatabaseAway } from '../errors/database-away.ts'
import type { Clock } from '../lib/clock.ts'
import type { Batch, BatchResult } from './batch.ts'
import { flushBatch, type FlushClient } from './flush.ts'
import { createFlushConnection, turnsOfOthersMs, type FlushPipeline } from './flush-connection.ts'
import { toFlushRow } from './flush-statement.ts'
import { createLoadGate, type LoadGate } from './load-gate.ts'
import { MarkedWallets } from './marked-wallets.ts'
import type {
  HoldRequest,
  HoldVerdict,
  Resolution,
  ResolutionVerdict,
  WalletState,
} from './hold.ts'

/**
 * Operations that arrive during a flush share the next one, and each gets its own
 * verdict. If at least as many operations wait as the last flush carried, a second flush is sent
 * before the first one is answered, so the database never idles. Next to other processes only one
 * is sent.
 *
 * After a broken connection the outcome is unknown: repeat `resolve`, which is idempotent, and not
 * `open`, because the sweep releases unknown holds.
 */
export type GroupCommit = {
  open(request: HoldRequest): Promise<Verdict<HoldVerdict>>
  resolve(resolution: Resolution): Promise<Verdict<ResolutionVerdict>>
  figures(): FlushFigures
  readonly load: LoadGate
  /** Flushes the queue, then ends the connection. */
  close(): Promise<void>
}

/** Totals since the start, and the current queue. */
export type FlushFigures = {
  readonly flushes: number
  readonly operations: number
  readonly lostConnections: number
  readonly waitingHolds: number
  readonly waitingResolutions: number
  readonly rejectedCalls: number
}

export type Verdict<Kind> = { readonly verdict: Kind; readonly wallet: WalletState }

type Waiting<Operation, Kind> = {
  readonly operation: Operation
  readonly sinceMs: number
  readonly done: (verdict: Verdict<Kind>) => void
  readonly fail: (error: unknown) => void
}

/** Settles the promises of a flush. */
type Deliver = () => void
const ignore = (): void => {}
// Bounds the longest statement; at this size a flush takes a few milliseconds.
const LARGEST_BATCH = 512
// More holds are refused instead of queued, which bounds memory. Resolutions are always accepted.
const LONGEST_QUEUE = 20_000
const CONTENTION_REPEATS = 5
// Short enough that callers are still connected.
const HOLD_WITHIN_MS = 4_500
// A third would only make each of them smaller.
const MOST_IN_FLIGHT = 2

export type GroupCommitDeps = {
  readonly connect: () => FlushPipeline
  readonly now: Clock
  readonly monotonicMs?: () => number
  readonly holdWithinMs?: number
  /** Waits for the turns of other processes. */
  readonly pause?: (ms: number) => Promise<unknown>
  /** Called for each resolution that ended its hold. */
  readonly onResolved?: (hold: Resolution['hold']) => void
}

export function createGroupCommit({
  connect,
  now,
  monotonicMs = () => performance.now(),
  holdWithinMs = HOLD_WITHIN_MS,
  pause = delay,
  onResolved = ignore,
}: GroupCommitDeps): GroupCommit {
  const load = createLoadGate({ nowMs: monotonicMs })
  let holds: Waiting<HoldRequest, HoldVerdict>[] = []
  let resolutions: Waiting<Resolution, ResolutionVerdict>[] = []
  const connection = createFlushConnection(connect)
  const marked = new MarkedWallets()
  /** Flushes that are sent or scheduled. */
  let inFlight = 0
  /** The number of operations in the last flush. */
  let sentLast = 0
  const totals = { flushes: 0, operations: 0 }
  let closing: Promise<void> | undefined
  let idle: (() => void) | undefined

  // A second, smaller flush costs more than a database that idles until the first response is read.
  function isTimeToFlush(others: number): boolean {
    const waiting = holds.length + resolutions.length
    if (others === 0) return waiting > 0
    return others < (connection.others() > 0 ? 1 : MOST_IN_FLIGHT) && waiting >= sentLast
  }

  function wake(): void {
    if (!isTimeToFlush(inFlight)) return
    inFlight += 1
    // The first flush takes the operations of this tick. A second one waits for the current round
    // of I/O, so that calls read in the same round share a commit.
    if (inFlight === 1) queueMicrotask(() => void drain())
    else setImmediate(() => void drain())
  }

  // Delivers the verdicts of a flush after sending the next one, so the database works while calls
  // continue.
  async function drain(): Promise<void> {
    let deliver: Deliver = ignore
    while (isTimeToFlush(inFlight - 1)) {
      const sentMs = monotonicMs()
      const flush = commit(resolutions.splice(0, LARGEST_BATCH), holds.splice(0, LARGEST_BATCH))
      deliver()
      deliver = await flush
      const turnsMs = turnsOfOthersMs(connection.others(), sentLast, monotonicMs() - sentMs)
      if (turnsMs === 0) continue
      deliver()
      deliver = ignore
      await pause(turnsMs)
    }
    inFlight -= 1
    deliver()
    if (inFlight === 0) idle?.()
  }

  async function commit(
    someResolutions: typeof resolutions,
    someHolds: typeof holds,
    repeats = 0,
  ): Promise<Deliver> {
    sentLast = someResolutions.length + someHolds.length
    totals.flushes += 1
    totals.operations += sentLast
    const resolved = someResolutions.map(({ operation }) => operation)
    const sinceMs = monotonicMs()
    const uncounted = marked.without(
      resolved.map(({ hold }) => hold.walletId),
      sinceMs,
    )
    const batch: Batch = {
      nowMs: now(),
      resolutions: resolved,
      holds: someHolds.map(({ operation }) => operation),
      uncounted,
    }
    const line = connection.opened()
    try {
      const result = await flushBatch(clientOf(await line), batch)
      marked.add(uncounted, sinceMs)
      return () => {
        leaveQueue(someResolutions, someHolds)
        settle(someResolutions, result.resolved, (operation) => operation.hold.walletId, result)
        settle(someHolds, result.opened, (operation) => operation.walletId, result)
        for (const [place, { operation }] of someResolutions.entries())
          if (result.resolved[place] === 'resolved') onResolved(operation.hold)
      }
    } catch (error) {
      const fault = faultOf(error)
      if (fault === 'contention' && repeats < CONTENTION_REPEATS && !isLockTimeout(error))
        return commit(someResolutions, someHolds, repeats + 1)
      if (fault === 'data' && someResolutions.length + someHolds.length > 1)
        return commitOneByOne(someResolutions, someHolds)
      if (fault === 'connection') connection.drop(line)
      return () => {
        leaveQueue(someResolutions, someHolds)
        for (const waiting of [...someResolutions, ...someHolds]) waiting.fail(error)
      }
    }
  }

  function leaveQueue(someResolutions: typeof resolutions, someHolds: typeof holds): void {
    const oldestMs = Math.min(
      someResolutions[0]?.sinceMs ?? Number.POSITIVE_INFINITY,
      someHolds[0]?.sinceMs ?? Number.POSITIVE_INFINITY,
    )
    load.leave(someResolutions.length + someHolds.length, oldestMs)
  }

  async function commitOneByOne(
    someResolutions: typeof resolutions,
    someHolds: typeof holds,
  ): Promise<Deliver> {
    const deliveries: Deliver[] = []
    for (const waiting of someResolutions) deliveries.push(await commit([waiting], []))
    for (const waiting of someHolds) deliveries.push(await commit([], [waiting]))
    return () => {
      for (const deliver of deliveries) deliver()
    }
  }

  /** Releases a hold that opened after its caller was refused. */
  function releaseUnused(hold: HoldRequest): void {
    const resolution: Resolution = {
      hold,
      charge: 0n,
      latencyMs: 0,
      errorCode: 'overloaded',
      hops: null,
      ...(hold.claim === null ? {} : { answer: null }),
    }
    // If this fails, the sweep releases the hold.
    load.enter()
    resolutions.push({ operation: resolution, sinceMs: monotonicMs(), done: ignore, fail: ignore })
    wake()
  }

  async function close(): Promise<void> {
    if (inFlight > 0) await new Promise<void>((done) => (idle = done))
    await connection.end()
  }

  return {
    open: (operation) =>
      new Promise((done, fail) => {
        if (holds.length >= LONGEST_QUEUE) {
          fail(
            new AppError('overloaded', 'Too many calls are waiting for the ledger.', {
              retryAfterSeconds: 1,
            }),
          )
          return
        }
        let isRefused = false
        const waiting: Waiting<HoldRequest, HoldVerdict> = {
          operation,
          sinceMs: monotonicMs(),
          done(verdict) {
            clearTimeout(timer)
            if (isRefused && verdict.verdict === 'opened') releaseUnused(operation)
            else done(verdict)
          },
          fail(error) {
            clearTimeout(timer)
            fail(error)
          },
        }
        const timer = setTimeout(() => {
          isRefused = true
          const place = holds.indexOf(waiting)
          if (place !== -1) leaveQueue([], holds.splice(place, 1))
          fail(
            new DatabaseAway(
              'The ledger is not responding.',
              new Error(`A hold took longer than ${holdWithinMs} ms.`),
            ),
          )
        }, holdWithinMs)
        load.enter()
        holds.push(waiting)
        wake()
      }),
    resolve: (operation) =>
      new Promise((done, fail) => {
        load.enter()
        resolutions.push({ operation, done, fail, sinceMs: monotonicMs() })
        wake()
      }),
    load,
    figures: () => ({
      ...totals,
      lostConnections: connection.dropped(),
      waitingHolds: holds.length,
      waitingResolutions: resolutions.length,
      rejectedCalls: load.rejected(),
    }),
    close: () => (closing ??= close()),
  }
}

function clientOf(line: FlushPipeline): FlushClient {
  return { query: async (statement) => ({ rows: (await line.query(statement)).map(toFlushRow) }) }
}

function settle<Operation, Kind>(
  waiting: readonly Waiting<Operation, Kind>[],
  verdicts: readonly Kind[],
  walletOf: (operation: Operation) => number,
  result: BatchResult,
): void {
  for (let place = 0; place < waiting.length; place += 1) {
    const one = waiting[place] as Waiting<Operation, Kind>
    one.done({
      verdict: verdicts[place] as Kind,
      wallet: result.wallets.get(walletOf(one.operation)) ?? { balance: 0n, held: 0n },
    })
  }
}
