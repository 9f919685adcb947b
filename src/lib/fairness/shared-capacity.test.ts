import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SharedCapacity } from './shared-capacity.ts'

function fill(capacity: SharedCapacity, account: string | undefined, amount = 1): number {
  for (let count = 0; ; count += 1) {
    try {
      capacity.take(account, amount)
    } catch {
      return count
    }
  }
}

describe('capacity shared by accounts', () => {
  it('is never exceeded, and one account leaves half of it to others', () => {
    const capacity = new SharedCapacity(16, 'calls')
    assert.equal(fill(capacity, 'greedy'), 8)
    assert.throws(() => capacity.take('greedy'), { code: 'rate_limited', retryAfterSeconds: 1 })
    assert.deepEqual(
      [fill(capacity, 'second'), fill(capacity, 'third'), fill(capacity, 'fourth')],
      [4, 4, 0],
    )
    assert.throws(() => capacity.take('fourth'), { code: 'overloaded', retryAfterSeconds: 1 })
    assert.throws(() => capacity.take(undefined), { code: 'overloaded' })
  })

  it('is available again after its release', () => {
    const capacity = new SharedCapacity(8, 'calls')
    fill(capacity, 'greedy')
    for (let count = 0; count < 4; count += 1) capacity.giveBack('greedy')
    assert.equal(fill(capacity, 'other'), 4)
    for (let count = 0; count < 4; count += 1) capacity.giveBack('other')
    assert.equal(fill(capacity, 'greedy'), 4)
  })

  it('gives every account one item of any size, and counts no share without an account', () => {
    const capacity = new SharedCapacity(10, 'bodies')
    capacity.take('one', 6)
    capacity.take('two', 4)
    capacity.giveBack('one', 6)
    assert.throws(() => capacity.take('two', 2), { code: 'rate_limited' })
    assert.equal(fill(capacity, undefined), 6)
  })
})
