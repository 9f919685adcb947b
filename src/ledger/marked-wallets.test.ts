import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MarkedWallets } from './marked-wallets.ts'

test('a wallet needs a mark again half a minute after the commit that marked it began', () => {
  const marked = new MarkedWallets()
  assert.deepEqual(marked.without([7, 8, 7], 0), [7, 8])
  marked.add([7], 1_000)
  assert.deepEqual(marked.without([7, 8], 30_999), [8])
  assert.deepEqual(marked.without([7, 8], 31_000), [7, 8])
})
