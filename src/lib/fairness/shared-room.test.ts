import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SharedRoom } from './shared-room.ts'

function fill(room: SharedRoom, account: string | undefined, amount = 1): number {
  for (let count = 0; ; count += 1) {
    try {
      room.take(account, amount)
    } catch {
      return count
    }
  }
}

describe('capacity shared by accounts', () => {
  it('is never exceeded, and one account leaves half of it to others', () => {
    const room = new SharedRoom(16, 'calls')
    assert.equal(fill(room, 'greedy'), 8)
    assert.throws(() => room.take('greedy'), { code: 'rate_limited', retryAfterSeconds: 1 })
    assert.deepEqual([fill(room, 'second'), fill(room, 'third'), fill(room, 'fourth')], [4, 4, 0])
    assert.throws(() => room.take('fourth'), { code: 'overloaded', retryAfterSeconds: 1 })
    assert.throws(() => room.take(undefined), { code: 'overloaded' })
  })

  it('is available again after its release', () => {
    const room = new SharedRoom(8, 'calls')
    fill(room, 'greedy')
    for (let count = 0; count < 4; count += 1) room.giveBack('greedy')
    assert.equal(fill(room, 'other'), 4)
    for (let count = 0; count < 4; count += 1) room.giveBack('other')
    assert.equal(fill(room, 'greedy'), 4)
  })

  it('gives every account one item of any size, and counts no share without an account', () => {
    const room = new SharedRoom(10, 'bodies')
    room.take('one', 6)
    room.take('two', 4)
    room.giveBack('one', 6)
    assert.throws(() => room.take('two', 2), { code: 'rate_limited' })
    assert.equal(fill(room, undefined), 6)
  })
})
