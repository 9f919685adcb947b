import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBank } from '../../test/harness/beds/ledger.ts'
import type { Batch } from './batch.ts'
import { flushBatch, flushWithin } from './flush.ts'
import { flushTogether } from './flush-together.ts'
import type { HoldRequest, Resolution } from './hold.ts'

const bank = await openBank()
const { clock, database, ledger } = bank
const client = database.connect('marks')
await client.connect()

const settlementOf = (hold: HoldRequest): Resolution => ({
  hold,
  charge: 1n,
  latencyMs: 1,
  errorCode: null,
  hops: null,
})
const settling = (holds: readonly HoldRequest[], more: Partial<Batch> = {}): Batch => ({
  nowMs: clock(),
  resolutions: holds.map(settlementOf),
  holds: [],
  ...more,
})

/** A wallet without a mark, with open holds. */
async function openUnmarked(holds: number) {
  const wallet = await bank.openWallet(100n)
  const open = await Promise.all(Array.from({ length: holds }, () => bank.hold(wallet, 1n)))
  await database.query('delete from uncounted_wallets where wallet_id = $1', [wallet])
  return { wallet, open }
}

/** The database transaction that marked it last; null without a mark. */
async function markOf(wallet: number): Promise<string | null> {
  const { rows } = await database.query<{ mark: string }>(
    'select marked_by::text as mark from uncounted_wallets where wallet_id = $1',
    [wallet],
  )
  return rows[0]?.mark ?? null
}

const isMarked = async (wallet: number): Promise<boolean> => (await markOf(wallet)) !== null

test('every way of posting a transaction marks its wallet', async () => {
  for (const calls of [1, 4, 20]) {
    const { wallet, open } = await openUnmarked(calls)
    await flushBatch(client, settling(open))
    assert.ok(await isMarked(wallet), `${calls} calls`)
  }
  // A call that was resolved before makes the ledger decide call by call.
  for (const calls of [1, 4]) {
    const { wallet, open } = await openUnmarked(calls + 1)
    await flushBatch(client, settling(open.slice(0, 1), { uncounted: [] }))
    await flushBatch(client, settling(open))
    assert.ok(await isMarked(wallet), `${calls} calls after another`)
  }
  const within = await openUnmarked(1)
  await database.transaction((tx) =>
    flushWithin(
      { query: ({ name, text, values }) => tx.query(text, values, name) },
      settling(within.open),
    ),
  )
  assert.ok(await isMarked(within.wallet), 'within a transaction')
  assert.ok(await isMarked(await bank.openWallet(5n)), 'credit')
  const expiring = await openUnmarked(0)
  await database.query('update lots set expires_at = to_timestamp(0) where wallet_id = $1', [
    expiring.wallet,
  ])
  await database.query('select ledger_expire_lots($1, $2)', [expiring.wallet, clock()])
  assert.ok(await isMarked(expiring.wallet), 'expired credit')
})

test('a process of a former version, which passes no list, marks the wallets too', async () => {
  const { wallet, open } = await openUnmarked(4)
  const { text, values } = flushTogether(settling(open, { uncounted: [] }), 'durable')
  const former = text.replace(/, uncounted => \$\d+::bigint\[\]/, '')
  assert.notEqual(former, text)
  const { rows } = await client.query({ name: '', text: former, values: values.slice(0, -1) })
  assert.equal(rows[0]?.resolved, 'kkkk')
  assert.ok(await isMarked(wallet))
})

test('the next calls of a process leave the mark as it is', async () => {
  const { wallet, open } = await openUnmarked(6)
  const [first, ...rest] = open
  assert.ok(first)
  await ledger.resolve({ ...settlementOf(first), hold: first })
  const mark = await markOf(wallet)
  assert.notEqual(mark, null)
  await Promise.all(rest.map((hold) => ledger.resolve({ ...settlementOf(hold), hold })))
  assert.equal(await markOf(wallet), mark)
})
