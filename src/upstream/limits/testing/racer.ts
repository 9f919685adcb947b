/**
 * Runs as a separate process: requests many permits for one vendor at the same time. Prepares,
 * waits for a line on standard input, then starts.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import type { VendorLimits } from '../../../catalog/vocabulary/wire.ts'
import { connectDatabase } from '../../../db/database.ts'
import type { DatabaseAddress } from '../../../db/embedded-postgres.ts'
import { allowanceOf } from '../allowance.ts'
import { Limiter } from '../limiter.ts'
import { systemAlarm } from '../permit.ts'
import { createPermitStore } from '../permit-store.ts'

export type Race = {
  readonly target: DatabaseAddress
  readonly name: string
  readonly vendors: Readonly<
    Record<string, { readonly limits: VendorLimits; readonly calls: number }>
  >
}
/**
 * When requests with a permit began and ended, in milliseconds of a clock that all processes share.
 * A request begins at the limiter's last look at its clock before it grants the permit: later
 * delays of a busy machine do not count.
 */
export type RaceResult = Readonly<
  Record<string, readonly { readonly beganMs: number; readonly endedMs: number }[]>
>

const race = JSON.parse(process.argv[2] ?? '') as Race
const database = connectDatabase(race.target, { poolSize: 4 })
const sharedMs = (): number => Number(process.hrtime.bigint()) / 1e6
const store = createPermitStore({ database, process: race.name, now: () => Math.floor(sharedMs()) })
const TIME_LEFT = { leftMs: 30_000, isOver: false }
const ROUNDS_OF_A_REQUEST = 20

async function request(
  limiter: Limiter,
  account: string,
  lookedMs: () => number,
): Promise<RaceResult[string]> {
  const permit = await limiter.acquire(account, TIME_LEFT)
  if (permit.refusal !== null) return []
  const beganMs = lookedMs()
  for (let round = 0; round < ROUNDS_OF_A_REQUEST; round += 1) await nextRound()
  const endedMs = sharedMs()
  limiter.release(permit)
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
