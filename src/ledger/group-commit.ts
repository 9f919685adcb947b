import type pg from 'pg'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { flushBatch, type Batch, type BatchResult } from './flush.ts'
import type { HoldRequest, HoldVerdict, Resolution, ResolutionVerdict, WalletState } from './hold.ts'

/**
 * Group commit: operations that arrive while a round trip to the database is in flight go together in the next one.
 * One flush at a time; each operation gets a verdict of its own; the price of a durable commit is shared.
 *
 * A flush that fails for a reason in the data is repeated one operation at a time, so only the culprit fails.
 * A flush whose connection breaks fails as a whole, its outcome unknown: callers of `resolve` may ask again (a
 * resolution is idempotent), callers of `open` may not: a hold that nobody knows of is released by the sweep.
 */
export type GroupCommit = {
  open(request: HoldRequest): Promise<Verdict<HoldVerdict>>
  resolve(resolution: Resolution): Promise<Verdict<ResolutionVerdict>>
  /** Finishes what is queued, then ends the connection. */
  close(): Promise<void>
}

export type Verdict<Kind> = { readonly verdict: Kind; readonly wallet: WalletState }

type Waiting<Operation, Kind> = { readonly operation: Operation; readonly done: (verdict: Verdict<Kind>) => void; readonly fail: (error: unknown) => void }

// Bounds the longest statement; at this size a flush takes a few milliseconds.
const LARGEST_BATCH = 512
// Beyond this, new holds are refused rather than queued: memory stays bounded. Resolutions are always taken.
const LONGEST_QUEUE = 20_000

export function createGroupCommit(connect: () => pg.Client, now: Clock): GroupCommit {
  let holds: Waiting<HoldRequest, HoldVerdict>[] = []
  let resolutions: Waiting<Resolution, ResolutionVerdict>[] = []
  let client: Promise<pg.Client> | undefined
  let flushing = false
  let idle: (() => void) | undefined

  function connected(): Promise<pg.Client> {
    client ??= openConnection(connect, () => {
      client = undefined
    })
    return client
  }

  function wake(): void {
    if (flushing) return
    flushing = true
    // After the current round of I/O, so that calls read in the same round share the commit.
    setImmediate(() => void drain())
  }

  async function drain(): Promise<void> {
    while (holds.length + resolutions.length > 0) {
      const nextResolutions = resolutions.splice(0, LARGEST_BATCH)
      const nextHolds = holds.splice(0, LARGEST_BATCH)
      await commit(nextResolutions, nextHolds)
    }
    flushing = false
    idle?.()
  }

  async function commit(someResolutions: typeof resolutions, someHolds: typeof holds): Promise<void> {
    const batch: Batch = { nowMs: now(), resolutions: someResolutions.map(({ operation }) => operation), holds: someHolds.map(({ operation }) => operation) }
    let result: BatchResult
    try {
      result = await flushBatch(await connected(), batch)
    } catch (error) {
      const size = someResolutions.length + someHolds.length
      if (isFaultOfData(error) && size > 1) return commitOneByOne(someResolutions, someHolds)
      for (const waiting of [...someResolutions, ...someHolds]) waiting.fail(error)
      return
    }
    deliver(someResolutions, result.resolved, (operation) => operation.hold.walletId, result)
    deliver(someHolds, result.opened, (operation) => operation.walletId, result)
  }

  async function commitOneByOne(someResolutions: typeof resolutions, someHolds: typeof holds): Promise<void> {
    for (const waiting of someResolutions) await commit([waiting], [])
    for (const waiting of someHolds) await commit([], [waiting])
  }

  return {
    open: (operation) =>
      new Promise((done, fail) => {
        if (holds.length >= LONGEST_QUEUE) {
          fail(new AppError('overloaded', 'More calls are waiting for the ledger than it can take.', { retryAfterSeconds: 1 }))
          return
        }
        holds.push({ operation, done, fail })
        wake()
      }),
    resolve: (operation) =>
      new Promise((done, fail) => {
        resolutions.push({ operation, done, fail })
        wake()
      }),
    async close() {
      if (flushing) await new Promise<void>((done) => (idle = done))
      await (await client?.catch(() => undefined))?.end()
    },
  }
}

function deliver<Operation, Kind>(waiting: readonly Waiting<Operation, Kind>[], verdicts: readonly Kind[], walletOf: (operation: Operation) => number, result: BatchResult): void {
  for (let place = 0; place < waiting.length; place += 1) {
    const one = waiting[place] as Waiting<Operation, Kind>
    one.done({ verdict: verdicts[place] as Kind, wallet: result.wallets.get(walletOf(one.operation)) ?? { balance: 0n, held: 0n } })
  }
}

// The flush touches a few rows of large tables by their keys. Left alone, the planner plans every flush anew by the
// length of its arrays (which costs more than running it) and scans small tables that are about to be large.
const PLANNER_SETTINGS = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off'

async function openConnection(connect: () => pg.Client, onLost: () => void): Promise<pg.Client> {
  const client = connect()
  client.once('error', onLost)
  client.once('end', onLost)
  try {
    await client.connect()
    await client.query(PLANNER_SETTINGS)
  } catch (error) {
    onLost()
    throw error
  }
  return client
}

// PostgreSQL names its errors by five characters (SQLSTATE). Class 08 and 57 tell of the connection or the server,
// as does an error without one; all others tell of the statement and its data.
function isFaultOfData(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('08') && !code.startsWith('57') && !code.startsWith('53')
}
