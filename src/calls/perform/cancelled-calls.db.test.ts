import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openCallBed, type CallBed } from '../../../test/harness/beds/calls.ts'
import { runCall } from '../run.ts'
import { Cancellation } from './cancellation.ts'

const FOUND = { requestId: 'r', results: [{ id: 'a', url: 'https://a.example/' }] }

describe('a cancelled call', () => {
  let bed: CallBed
  before(async () => {
    bed = await openCallBed()
  })
  const start = (caller: AbortController) =>
    runCall(
      bed.calls,
      bed.request(
        'semantic',
        'search',
        { query: 'ledgers' },
        { cancellation: new Cancellation(caller.signal) },
      ),
    )

  it('that has reached no vendor releases its hold and asks none', async () => {
    const before = await bed.balance()
    const caller = new AbortController()
    caller.abort()
    await assert.rejects(start(caller), { code: 'call_cancelled' })
    assert.equal(bed.vendor.requests.length, 0)
    assert.deepEqual(await bed.balance(), before)
    assert.equal((await bed.transactions())[0]?.status, 'released')
  })

  it('that has reached a vendor continues and is charged once', async () => {
    const { balance } = await bed.balance()
    const caller = new AbortController()
    bed.vendor.answerWith(() => {
      caller.abort()
      return { body: FOUND }
    })
    assert.equal((await start(caller)).charged, 10_000n)
    assert.deepEqual(await bed.balance(), { balance: balance - 10_000n, held: 0n })
    assert.equal(bed.vendor.requests.length, 1)
  })
})
