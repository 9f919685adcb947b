import { faultOf, isLockTimeout } from '../db/fault.ts'
import { AppError } from '../errors/app-error.ts'
import { DatabaseAway } from '../errors/database-away.ts'
import type { Clock } from '../lib/clock.ts'
import type { Batch, BatchResult } from './batch.ts'
import { flushBatch, type FlushClient } from './flush.ts'
import { createFlushConnection, type FlushLine } from './flush-connection.ts'
import { flushRowOf } from './flush-statement.ts'
import { createLoadGate, type LoadGate } from './load-gate.ts'
import type {
  HoldRequest,
  HoldVerdict,
  Resolution,
  ResolutionVerdict,
  WalletState,
} from './hold.ts'

/**
 * Group commit: operations that arrive while a round trip to the database is in flight go together in the next one.
 * Each operation gets a verdict of its own; the price of a commit is shared. The database takes one flush after the
 * other; when as much is waiting as is under way, a second one already lies before it, so that it need not wait until this
 * process comes round to reading the first one's answer.
 *
 * A flush that fails for a reason in the data is repeated one operation at a time, so only the culprit fails; one
 * that lost against another process (a deadlock) is repeated as it is. One that waited for a lock for too long fails as a
 * whole, with nothing of it written. A flush whose connection breaks or falls silent
 * fails as a whole, its outcome unknown, and so does the one behind it: callers of `resolve` may ask again (a resolution
 * is idempotent), callers of `open` may not: a hold that nobody knows of is released by the sweep.
 */
export type GroupCommit = {
  open(request: HoldRequest): Promise<Verdict<HoldVerdict>>
  resolve(resolution: Resolution): Promise<Verdict<ResolutionVerdict>>
  figures(): FlushFigures
  readonly load: LoadGate
  /** Finishes what is queued, then ends the connection. */
  close(): Promise<void>
}

/** What it did so far, and what waits. */
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

/** Hands out the verdicts of a flush. */
type Tell = () => void
const nothingToTell: Tell = () => undefined
const ignore = (): void => {}

// Bounds the longest statement; at this size a flush takes a few milliseconds.
const LARGEST_BATCH = 512
// Beyond this, new holds are refused rather than queued: memory stays bounded. Resolutions are always taken.
const LONGEST_QUEUE = 20_000
const CONTENTION_REPEATS = 5
// A caller is told to come back while it still listens.
const HOLD_WITHIN_MS = 4_500
// A third would only make each of them smaller.
const MOST_UNDER_WAY = 2

export type GroupCommitDeps = {
  readonly connect: () => FlushLine
  readonly now: Clock
  readonly monotonicMs?: () => number
  readonly holdWithinMs?: number
}

export function createGroupCommit({
  connect,
  now,
  monotonicMs = () => performance.now(),
  holdWithinMs = HOLD_WITHIN_MS,
}: GroupCommitDeps): GroupCommit {
  const load = createLoadGate({ nowMs: monotonicMs })
  let holds: Waiting<HoldRequest, HoldVerdict>[] = []
  let resolutions: Waiting<Resolution, ResolutionVerdict>[] = []
  const connection = createFlushConnection(connect)
  /** Flushes that are on their way, or about to be. */
  let underWay = 0
  /** Operations in the flush that was sent last. */
  let sentLast = 0
  const soFar = { flushes: 0, operations: 0 }
  let closing: Promise<void> | undefined
  let idle: (() => void) | undefined

  // A second flush that carries less than the first costs more than the database's idling until the first was read.
  function isTimeToFlush(others: number): boolean {
    const waiting = holds.length + resolutions.length
    return others === 0 ? waiting > 0 : others < MOST_UNDER_WAY && waiting >= sentLast
  }

  function wake(): void {
    if (!isTimeToFlush(underWay)) return
    underWay += 1
    // With nothing under way at once, with what came in this turn. Otherwise after the current round of I/O, so that calls
    // read in the same round share the commit.
    if (underWay === 1) queueMicrotask(() => void drain())
    else setImmediate(() => void drain())
  }

  // What a flush brought is told only when the next one is on its way: the database works while calls go on.
  async function drain(): Promise<void> {
    let tell: Tell = nothingToTell
    while (isTimeToFlush(underWay - 1)) {
      const flush = commit(resolutions.splice(0, LARGEST_BATCH), holds.splice(0, LARGEST_BATCH))
      tell()
      tell = await flush
    }
    underWay -= 1
    tell()
    if (underWay === 0) idle?.()
  }

  async function commit(
    someResolutions: typeof resolutions,
    someHolds: typeof holds,
    repeats = 0,
  ): Promise<Tell> {
    sentLast = someResolutions.length + someHolds.length
    soFar.flushes += 1
    soFar.operations += sentLast
    const batch: Batch = {
      nowMs: now(),
      resolutions: someResolutions.map(({ operation }) => operation),
      holds: someHolds.map(({ operation }) => operation),
    }
    const line = connection.opened()
    try {
      const result = await flushBatch(clientOf(await line), batch)
      return () => {
        left(someResolutions, someHolds)
        deliver(someResolutions, result.resolved, (operation) => operation.hold.walletId, result)
        deliver(someHolds, result.opened, (operation) => operation.walletId, result)
      }
    } catch (error) {
      const fault = faultOf(error)
      if (fault === 'contention' && repeats < CONTENTION_REPEATS && !isLockTimeout(error))
        return commit(someResolutions, someHolds, repeats + 1)
      if (fault === 'data' && someResolutions.length + someHolds.length > 1)
        return commitOneByOne(someResolutions, someHolds)
      if (fault === 'connection') connection.drop(line)
      return () => {
        left(someResolutions, someHolds)
        for (const waiting of [...someResolutions, ...someHolds]) waiting.fail(error)
      }
    }
  }

  function left(someResolutions: typeof resolutions, someHolds: typeof holds): void {
    const oldestMs = Math.min(
      someResolutions[0]?.sinceMs ?? Number.POSITIVE_INFINITY,
      someHolds[0]?.sinceMs ?? Number.POSITIVE_INFINITY,
    )
    load.left(someResolutions.length + someHolds.length, oldestMs)
  }

  async function commitOneByOne(
    someResolutions: typeof resolutions,
    someHolds: typeof holds,
  ): Promise<Tell> {
    const tells: Tell[] = []
    for (const waiting of someResolutions) tells.push(await commit([waiting], []))
    for (const waiting of someHolds) tells.push(await commit([], [waiting]))
    return () => {
      for (const tell of tells) tell()
    }
  }

  /** The caller of a hold that opened late was refused long ago. */
  function releaseUnused(hold: HoldRequest): void {
    const resolution: Resolution = {
      hold,
      charge: 0n,
      latencyMs: 0,
      errorCode: 'overloaded',
      hops: null,
      ...(hold.claim === null ? {} : { answer: null }),
    }
    // What fails here is left to the sweep.
    load.entered()
    resolutions.push({ operation: resolution, sinceMs: monotonicMs(), done: ignore, fail: ignore })
    wake()
  }

  async function close(): Promise<void> {
    if (underWay > 0) await new Promise<void>((done) => (idle = done))
    await connection.end()
  }

  return {
    open: (operation) =>
      new Promise((done, fail) => {
        if (holds.length >= LONGEST_QUEUE) {
          fail(
            new AppError('overloaded', 'More calls are waiting for the ledger than it can take.', {
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
          if (place !== -1) left([], holds.splice(place, 1))
          fail(
            new DatabaseAway(
              'The ledger does not answer at the moment.',
              new Error(`A hold took longer than ${holdWithinMs} ms.`),
            ),
          )
        }, holdWithinMs)
        load.entered()
        holds.push(waiting)
        wake()
      }),
    resolve: (operation) =>
      new Promise((done, fail) => {
        load.entered()
        resolutions.push({ operation, done, fail, sinceMs: monotonicMs() })
        wake()
      }),
    load,
    figures: () => ({
      ...soFar,
      lostConnections: connection.droppedSoFar(),
      waitingHolds: holds.length,
      waitingResolutions: resolutions.length,
      rejectedCalls: load.rejectedSoFar(),
    }),
    close: () => (closing ??= close()),
  }
}

function clientOf(line: FlushLine): FlushClient {
  return { query: async (statement) => ({ rows: (await line.ask(statement)).map(flushRowOf) }) }
}

function deliver<Operation, Kind>(
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
