/** A process of its own that asks one vendor for leave, many times at once: makes ready, waits for a line on standard input, then races. */
import { setImmediate as nextRound } from 'node:timers/promises'
import type { VendorLimits } from '../../../catalog/vocabulary/wire.ts'
import { connectDatabase } from '../../../db/database.ts'
import type { DatabaseAddress } from '../../../db/embedded-postgres.ts'
import { allowanceOf } from '../allowance.ts'
import { Limiter } from '../limiter.ts'
import { systemAlarm } from '../turn.ts'
import { createTurnStore } from '../turn-store.ts'

export type Race = {
  readonly target: DatabaseAddress
  readonly name: string
  readonly vendors: Readonly<
    Record<string, { readonly limits: VendorLimits; readonly calls: number }>
  >
}
/**
 * When requests that had leave began and ended, in milliseconds of a clock that all processes of the machine share. A request
 * begins when the limiter looks at its clock for the last time before it lets it go: what a busy machine does with the
 * process after that is no matter of the limiter.
 */
export type RaceResult = Readonly<
  Record<string, readonly { readonly beganMs: number; readonly endedMs: number }[]>
>

const race = JSON.parse(process.argv[2] ?? '') as Race
const database = connectDatabase(race.target, { poolSize: 4 })
const sharedMs = (): number => Number(process.hrtime.bigint()) / 1e6
const store = createTurnStore({ database, process: race.name, now: () => Math.floor(sharedMs()) })
const PATIENCE = { leftMs: 30_000, isOver: false }
const ROUNDS_OF_A_REQUEST = 20

async function request(
  limiter: Limiter,
  account: string,
  lookedMs: () => number,
): Promise<RaceResult[string]> {
  const turn = await limiter.enter(account, PATIENCE)
  if (turn.refusal !== null) return []
  const beganMs = lookedMs()
  for (let round = 0; round < ROUNDS_OF_A_REQUEST; round += 1) await nextRound()
  const endedMs = sharedMs()
  limiter.leave(turn)
  return [{ beganMs, endedMs }]
}

async function askAll(
  label: string,
  { limits, calls }: Race['vendors'][string],
): Promise<[string, RaceResult[string]]> {
  let lookedMs = 0
  const now = (): number => {
    lookedMs = sharedMs()
    return Math.floor(lookedMs)
  }
  const limiter = new Limiter({
    label,
    allowance: allowanceOf(limits),
    store,
    now,
    alarm: systemAlarm,
  })
  return [
    label,
    (
      await Promise.all(
        Array.from({ length: calls }, (_, call) =>
          request(limiter, `account ${call % 3}`, () => lookedMs),
        ),
      )
    ).flat(),
  ]
}

await database.query('select 1')
process.stdout.write('ready\n')
await new Promise((go) => process.stdin.once('data', go))
process.stdin.destroy()
const results = await Promise.all(
  Object.entries(race.vendors).map(([label, vendor]) => askAll(label, vendor)),
)
await database.close()
process.stdout.write(`${JSON.stringify(Object.fromEntries(results) satisfies RaceResult)}\n`)
