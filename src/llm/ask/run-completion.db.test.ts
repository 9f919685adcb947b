import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openRouterBed } from '../../../test/harness/beds/router.ts'
import { refusal } from '../../../test/harness/refusal.ts'
import { newId } from '../../lib/ids.ts'
import { runCompletion } from './run-completion.ts'

const bed = await openRouterBed()

describe('a completion whose caller stopped waiting before the upstream request', () => {
  it('releases its hold immediately and frees its idempotency key', async () => {
    const { caller } = await bed.world.account()
    const call = {
      caller,
      body: { model: 'maker/large', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 10 },
      idempotency: { key: 'late', fingerprint: 'aa' },
      endsMs: performance.now(),
      wire: 'chat' as const,
      headers: {},
    }
    const line = {
      isDisconnected: false,
      onDisconnect: () => {},
      start: () => {},
      write: () => true,
      onDrain: () => {},
      end: () => {},
    }
    for (let attempt = 0; attempt < 2; attempt += 1)
      await refusal(
        runCompletion(bed.router, { ...call, id: newId(bed.world.now()) }, line),
        'overloaded',
      )
    assert.equal((await bed.wallet(caller.walletId)).held, 0n)
    assert.deepEqual(
      (await bed.posted(caller.walletId)).map(({ error_code, charged }) => [error_code, charged]),
      [
        ['overloaded', 0n],
        ['overloaded', 0n],
      ],
    )
    assert.ok(await bed.isSound())
  })
})
