import assert from 'node:assert/strict'
import { it } from 'node:test'
import { FairQueue } from './fair-queue.ts'

function drain(queue: FairQueue<string>): string[] {
  const items: string[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item)
  return items
}

it('alternates between accounts; within one, first come, first served', () => {
  const queue = new FairQueue<string>(100)
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item.charAt(0), item)
  assert.deepEqual(drain(queue), ['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  assert.equal(queue.size, 0)
})

it('counts the turns before a new item', () => {
  const queue = new FairQueue<string>(1_000)
  for (let place = 0; place < 500; place += 1) queue.push('greedy', `greedy ${place}`)
  queue.push('b', 'b1')
  assert.deepEqual(
    [queue.turnsBefore('new'), queue.turnsBefore('b'), queue.turnsBefore('greedy')],
    [2, 3, 501],
  )
  queue.push('new', 'last')
  assert.equal(drain(queue).indexOf('last'), 2)
})

it('one account or a few cannot fill the queue', () => {
  const queue = new FairQueue<string>(1_000)
  for (const account of ['a', 'b', 'c']) while (queue.push(account, account)) continue
  assert.ok(queue.size < 1_000 && queue.size > 700, `${queue.size} wait`)
  assert.equal(queue.push('new', 'new'), true)
})

it('removing items keeps the order of the rest', () => {
  const queue = new FairQueue<string>(100)
  for (const item of ['a1', 'a2', 'b1', 'c1']) queue.push(item.charAt(0), item)
  assert.deepEqual(
    queue.removeWhere((item) => item.startsWith('b') || item === 'a1'),
    ['a1', 'b1'],
  )
  assert.equal(queue.size, 2)
  assert.deepEqual(drain(queue), ['a2', 'c1'])
})
