/** A process with a ledger: prepares, waits for a line on standard input, then sends all calls concurrently. */
import { randomInt } from 'node:crypto'
import { connectDatabase } from '../../src/db/database.ts'
import type { DatabaseAddress } from '../../src/db/embedded-postgres.ts'
import { AppError } from '../../src/errors/app-error.ts'
import type { HoldRequest } from '../../src/ledger/hold.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { newId, type Id } from '../../src/lib/ids.ts'

export type Race = {
  readonly target: DatabaseAddress
  readonly nowMs: number
  readonly accountId: Id
  readonly walletIds: readonly number[]
  readonly budgetIds: readonly (Id | null)[]
  readonly calls: number
  readonly amountMicros: number
  /** Idempotency keys that all racers share; 0 for none. */
  readonly keys: number
  readonly settle: boolean
}

export type RaceResult = {
  readonly opened: number
  readonly repeated: number
  readonly refused: Readonly<Record<string, number>>
}

const race = JSON.parse(process.argv[2] ?? '') as Race
const database = connectDatabase(race.target, { poolSize: 4 })
const ledger = createLedger({
  database,
  now: () => race.nowMs,
  topupUrl: '',
  pause: async () => {},
})

function requestOf(call: number): HoldRequest {
  const pick = randomInt(race.walletIds.length)
  const claim =
    race.keys === 0
      ? null
      : {
          accountId: race.accountId,
          route: 'run',
          idempotencyKey: `key ${call % race.keys}`,
          fingerprint: '00',
          expiresMs: race.nowMs + 86_400_000,
        }
  return {
    id: newId(race.nowMs),
    walletId: race.walletIds[pick] as number,
    budgetId: race.budgetIds[randomInt(race.budgetIds.length)] as Id | null,
    amount: BigInt(race.amountMicros),
    deadlineMs: race.nowMs + 60_000,
    kind: 'call',
    service: 'search',
    action: 'web',
    externalId: null,
    claim,
  }
}

let opened = 0
let repeated = 0
const refused: Record<string, number> = {}

async function makeCall(place: number): Promise<void> {
  try {
    const hold = await ledger.hold(requestOf(place))
    if (!hold.opened) {
      repeated += 1
      return
    }
    opened += 1
    if (race.settle)
      await ledger.resolve({
        hold,
        charge: hold.amount,
        latencyMs: 1,
        errorCode: null,
        hops: null,
        answer: { status: 200, body: hold.id },
      })
  } catch (error) {
    const code = error instanceof AppError ? error.code : String(error)
    refused[code] = (refused[code] ?? 0) + 1
  }
}

await database.query('select 1')
process.stdout.write('ready\n')
await new Promise((go) => process.stdin.once('data', go))
process.stdin.destroy()
await Promise.all(Array.from({ length: race.calls }, (_, place) => makeCall(place)))
await ledger.close()
await database.close()
process.stdout.write(`${JSON.stringify({ opened, repeated, refused } satisfies RaceResult)}\n`)
