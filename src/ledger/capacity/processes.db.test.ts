import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBank } from '../../../test/harness/beds/ledger.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { fc } from '../../../test/harness/property.ts'
import type { Hold } from '../hold.ts'
import type { Ledger } from '../ledger.ts'
import { openExchange, type Exchange } from './exchange.ts'

const bank = await openBank()
const { clock, database } = bank
const LONG = { ms: 60_000 }

type Bus = {
  join(): Exchange
  /** Returns when the processes have announced this many calls of the wallet. */
  untilAnnounced(walletId: number, count: number): Promise<void>
}

/** Delivers messages immediately, and shows which calls were announced. */
function createBus(): Bus {
  const receivers = new Map<string, (message: string) => void>()
  const announced = new Map<string, number>()
  let count = 0
  return {
    join() {
      const self = `process ${(count += 1)}`
      return {
        self,
        send(message) {
          const { waiting = {} } = JSON.parse(message) as { waiting?: Record<string, unknown[]> }
          for (const [scope, calls] of Object.entries(waiting))
            announced.set(`${self} ${scope}`, calls.length)
          for (const [name, receive] of receivers) if (name !== self) receive(message)
        },
        listen: (receive) => void receivers.set(self, receive),
        ready: Promise.resolve(),
        close: async () => {},
      }
    },
    async untilAnnounced(walletId, expected) {
      const known = (): number =>
        [...announced]
          .filter(([name]) => name.endsWith(` wallet/${walletId}`))
          .reduce((sum, [, calls]) => sum + calls, 0)
      await until(() => known() === expected)
    },
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  const untilMs = performance.now() + 10_000
  while (!isTrue()) {
    assert.ok(performance.now() < untilMs, 'it happens in time')
    await database.query('select 1')
  }
}

const untilWaiting = (count: number, ledgers: readonly Ledger[]): Promise<void> =>
  until(() => ledgers.reduce((sum, ledger) => sum + ledger.figures().waitingForMoney, 0) === count)

async function openAndSettle(
  ledger: Ledger,
  walletId: number,
  amount: bigint,
  onOpen: () => void,
): Promise<void> {
  const hold = await ledger.hold(bank.request(walletId, amount), LONG)
  assert.ok(hold.opened)
  onOpen()
  await settle(ledger, hold)
}

const settle = (ledger: Ledger, hold: Hold) =>
  ledger.resolve({ hold, charge: 0n, latencyMs: 1, errorCode: null, hops: null })

test('calls of one wallet in three processes open in the order of their arrival', async () => {
  const bus = createBus()
  const ledgers = [0, 1, 2].map(() => bank.anotherLedger({ exchange: bus.join() }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ process: fc.nat({ max: 2 }), amount: fc.bigInt({ min: 51n, max: 100n }) }),
        {
          minLength: 2,
          maxLength: 8,
        },
      ),
      async (calls) => {
        const wallet = await bank.openWallet(100n)
        const first = await bank.hold(wallet, 100n)
        const order: number[] = []
        const asked: Promise<void>[] = []
        for (const [place, { process, amount }] of calls.entries()) {
          clock.advance(1)
          const ledger = ledgers[process] ?? assert.fail()
          asked.push(openAndSettle(ledger, wallet, amount, () => order.push(place)))
          await bus.untilAnnounced(wallet, place + 1)
        }
        await bank.settle(first, 0n)
        await Promise.all(asked)
        assert.deepEqual(
          order,
          calls.map((_, place) => place),
        )
      },
    ),
    { numRuns: 5 },
  )
  await bank.assertSound()
})

test('a call of another process does not pass a waiting one that needs more', async () => {
  const bus = createBus()
  const [one, other] = [
    bank.anotherLedger({ exchange: bus.join() }),
    bank.anotherLedger({ exchange: bus.join() }),
  ]
  const wallet = await bank.openWallet(100n)
  const first = await bank.hold(wallet, 50n)
  const order: string[] = []
  const large = openAndSettle(one, wallet, 90n, () => order.push('large'))
  await bus.untilAnnounced(wallet, 1)
  clock.advance(1)
  const small = openAndSettle(other, wallet, 10n, () => order.push('small'))
  await untilWaiting(2, [one, other])
  await bank.settle(first, 0n)
  await Promise.all([large, small])
  assert.deepEqual(order, ['large', 'small'])
})

test('a process that died with waiting calls delays others for a second', async () => {
  const bus = createBus()
  const [dead, other] = [bus.join(), bank.anotherLedger({ exchange: bus.join() })]
  const wallet = await bank.openWallet(100n)
  dead.send(
    JSON.stringify({ from: dead.self, waiting: { [`wallet/${wallet}`]: [[clock() - 1, 100]] } }),
  )
  const asked = openAndSettle(other, wallet, 10n, () => {})
  await untilWaiting(1, [other])
  clock.advance(1_001)
  await asked
})

test('processes exchange messages over PostgreSQL: a call opens without a look', async () => {
  const never = (ms: number, work: () => void): (() => void) => {
    const timer = ms === 250 ? undefined : setTimeout(work, ms)
    return () => clearTimeout(timer)
  }
  const announced = Promise.withResolvers<void>()
  const exchanges = [0, 1].map(() => openExchange(database, clock()))
  const [one, other] = exchanges.map((exchange) =>
    bank.anotherLedger({
      after: never,
      exchange: {
        ...exchange,
        listen: (receive, onGap) =>
          exchange.listen((message) => {
            receive(message)
            announced.resolve()
          }, onGap),
      },
    }),
  ) as [Ledger, Ledger]
  await Promise.all(exchanges.map(({ ready }) => ready))
  cleanUp(() => Promise.all([one.close(), other.close()]))
  const wallet = await bank.openWallet(100n)
  const first = await one.hold(bank.request(wallet, 100n))
  assert.ok(first.opened)
  const second = other.hold(bank.request(wallet, 60n), LONG)
  await announced.promise
  await settle(one, first)
  const held = await second
  assert.ok(held.opened)
  await settle(other, held)
})
