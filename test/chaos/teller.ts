/**
 * A process to be killed: it makes calls on several lanes and writes a line, with the time, for every request to the
 * ledger and every acknowledgement. It freezes at its `stopAt` point, so the kill happens exactly there.
 */
import { randomInt } from 'node:crypto'
import { writeSync } from 'node:fs'
import { connectDatabase } from '../../src/db/database.ts'
import type { DatabaseAddress } from '../../src/db/embedded-postgres.ts'
import type { Hold } from '../../src/ledger/hold.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { newId, type Id } from '../../src/lib/ids.ts'

/** `sent` points freeze when the question is with PostgreSQL and its answer, commit included, is never read. */
export const POINTS = [
  'hold-asked',
  'hold-sent',
  'hold-acknowledged',
  'settle-sent',
  'settle-acknowledged',
  'release-sent',
  'release-acknowledged',
  'sweep-sent',
] as const
export type Point = (typeof POINTS)[number]

export type Shift = {
  readonly target: DatabaseAddress
  readonly nowMs: number
  readonly holdLivesMs: number
  readonly walletIds: readonly number[]
  readonly budgetIds: readonly Id[]
  /** The point to freeze at, in the first call that reaches it after a few others; null to continue until killed. */
  readonly stopAt: Point | null
}

const LANES = 6
const LINES_BEFORE_STOP = 30
const STDOUT = 1

if (import.meta.main) await work(JSON.parse(process.argv[2] ?? '') as Shift)

async function work(shift: Shift): Promise<void> {
  const database = connectDatabase(shift.target, { poolSize: 2 })
  const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
  const ledger = createLedger({ database, now: () => shift.nowMs, topupUrl: '', pause })
  let lines = 0

  function say(line: string): void {
    lines += 1
    writeSync(STDOUT, `${line} ${systemClock()}\n`)
  }

  function reach(point: Point): void {
    if (shift.stopAt !== point || (lines < LINES_BEFORE_STOP && point !== 'sweep-sent')) return
    say('frozen')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }

  /** The flush is written out in one round of the event loop; its answer cannot be read before the next but one. */
  function reachWhenSent(point: Point): void {
    if (shift.stopAt === point) setImmediate(() => setImmediate(() => reach(point)))
  }

  async function open(): Promise<Hold | null> {
    const request = {
      id: newId(shift.nowMs),
      walletId: shift.walletIds[randomInt(shift.walletIds.length)] as number,
      budgetId: shift.budgetIds[randomInt(shift.budgetIds.length)] as Id,
      amount: BigInt(randomInt(1, 100)),
      deadlineMs: shift.nowMs + shift.holdLivesMs,
      kind: 'call',
      service: 'search',
      action: 'web',
      externalId: null,
      claim: null,
    } as const
    say(`asked-hold ${request.id} ${request.amount}`)
    reach('hold-asked')
    const opening = ledger.hold(request)
    reachWhenSent('hold-sent')
    const hold = await opening
    if (!hold.opened) return null
    say(`held ${hold.id}`)
    reach('hold-acknowledged')
    return hold
  }

  async function end(hold: Hold): Promise<void> {
    const isCharged = randomInt(4) > 0
    const charge = isCharged ? BigInt(randomInt(Number(hold.amount) + 1)) : 0n
    say(`asked-end ${hold.id} ${charge}`)
    const ending = ledger.resolve({
      hold,
      charge,
      latencyMs: 1,
      errorCode: isCharged ? null : 'upstream_error',
      hops: null,
    })
    reachWhenSent(isCharged ? 'settle-sent' : 'release-sent')
    const { charged, expired } = await ending
    say(`ended ${hold.id} ${charged} ${expired}`)
    reach(isCharged ? 'settle-acknowledged' : 'release-acknowledged')
  }

  async function lane(): Promise<never> {
    for (;;) {
      try {
        const hold = await open()
        if (hold !== null) await end(hold)
      } catch {
        // The database is away: nothing was acknowledged. Another try when it may be back.
        await pause(20)
      }
    }
  }

  const sweeping = ledger.sweep().catch(() => 0)
  reachWhenSent('sweep-sent')
  await Promise.all([sweeping, ...Array.from({ length: LANES }, lane)])
}
