import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import { createRoutesApp } from '../../test/harness/beds/routes-app.ts'
import { createWorld } from '../../test/harness/beds/world.ts'
import { AppError } from '../errors/app-error.ts'
import { openHistories } from './histories.ts'
import { listTransactions } from './list-transactions.ts'

const world = await createWorld()
const everything = { filter: {}, cursor: null, limit: 10 }

test('many concurrent pages and exports of one account leave connections for others', async () => {
  const { live, caller } = await world.account()
  await world.call(caller, { hold: '0.01' })
  const { ask } = await createRoutesApp(world)
  await ask('GET', '/api/v1/balance', live.key)
  const running = { isOver: false }
  const asked = Promise.all(
    Array.from({ length: 60 }, (_, place) =>
      ask(
        'GET',
        `/api/v1/${['transactions', 'transactions?service=rare', 'transactions?format=csv', 'spending'][place % 4]}`,
        live.key,
      ),
    ),
  ).finally(() => (running.isOver = true))
  const used: number[] = []
  while (!running.isOver) {
    const { open, idle, waiting } = world.database.poolUse()
    used.push(open - idle + waiting)
    await turn()
  }
  const most = Math.max(...used)
  assert.ok(most > 1 && most <= 4, `${most} connections were wanted at once`)
  assert.ok((await asked).every(({ status }) => status === 200))
})

test('an account that comes later waits only for reads in progress', async () => {
  const [{ caller: busy }, { caller: late }] = [await world.account(), await world.account()]
  const histories = openHistories(world.database)
  const answered: string[] = []
  const read = async ({ accountId, walletId }: typeof busy): Promise<void> => {
    await listTransactions(histories(accountId), { walletId, ...everything })
    answered.push(accountId)
  }
  await Promise.all([...Array.from({ length: 40 }, () => read(busy)), read(late)])
  assert.ok(
    answered.indexOf(late.accountId) <= 8,
    `${answered.indexOf(late.accountId)} were answered before`,
  )
})

test("rejects an account's reads beyond the queue limit and answers the earlier ones", async () => {
  const {
    caller: { accountId, walletId },
  } = await world.account()
  const histories = openHistories(world.database)
  const asked = await Promise.allSettled(
    Array.from({ length: 1_200 }, () =>
      listTransactions(histories(accountId), { walletId, ...everything }),
    ),
  )
  const refusals = asked.filter((one) => one.status === 'rejected')
  assert.ok(
    refusals.length > 0 &&
      refusals.every(({ reason }) => reason instanceof AppError && reason.code === 'rate_limited'),
  )
  assert.equal(
    asked.length - refusals.length,
    asked.filter((one) => one.status === 'fulfilled' && one.value.transactions.length === 1).length,
  )
})
