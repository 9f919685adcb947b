import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckAddress } from './check-address.ts'
import { findAddress } from './find-address.ts'

/** Waits for its turn until the signal ends it, like a check at a busy provider. */
const waitForever: CheckAddress = (_email, { signal }) =>
  new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  )

const find = (wholeMs: number, signal: AbortSignal) =>
  findAddress(
    {
      checkAddress: waitForever,
      readSite: async () => ({ addresses: [], readMs: 0 }),
      findTimes: { siteMs: 1_000, wholeMs },
    },
    { name: 'Ana Lund', domain: 'acme.example' },
    { accountId: 'a', signal },
  )

test('reports a search that ended by its time limit as unchecked', async () => {
  const { report, unchecked } = await find(20, new AbortController().signal)
  assert.deepEqual([report, typeof unchecked], [null, 'string'])
})

test('rejects when the caller ends the search', async () => {
  await assert.rejects(find(60_000, AbortSignal.timeout(5)), { name: 'TimeoutError' })
})
