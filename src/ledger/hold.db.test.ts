import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBank } from '../../test/harness/ledger.ts'
const bank = await openBank()
test('a hold takes room and a settle charges', async () => {
  const wallet = await bank.openWallet(100n)
  const hold = await bank.hold(wallet, 60n)
  assert.deepEqual(await bank.wallet(wallet), { balance: 100n, held: 60n })
  assert.equal((await bank.settle(hold, 50n)).charged, 50n)
  await bank.assertSound()
})
