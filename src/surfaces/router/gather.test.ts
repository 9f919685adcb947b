import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { Gatherer } from './gather.ts'

test('events of a burst are written together, in order, after the first of them; slower ones at once', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const written: string[] = []
  const gatherer = new Gatherer((bytes) => written.push(bytes.toString()), () => now)
  const add = (text: string, atMs: number): void => {
    now = atMs
    gatherer.add(Buffer.from(text))
  }
  add('a', 0)
  assert.deepEqual(written, ['a'], 'the first event never waits')
  add('b', 0.3)
  add('c', 0.6)
  assert.deepEqual(written, ['a'])
  now = 1.3
  mock.timers.tick(1)
  assert.deepEqual(written, ['a', 'bc'])
  add('d', 2.4)
  add('e', 20)
  assert.deepEqual(written, ['a', 'bc', 'd', 'e'])
  add('f', 20.1)
  assert.deepEqual(gatherer.take().map(String), ['f'])
  mock.timers.tick(1)
  assert.deepEqual(written, ['a', 'bc', 'd', 'e'], 'what was taken is not written again')
  mock.timers.reset()
})

test('a burst is not gathered beyond what a socket takes well', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const sizes: number[] = []
  const gatherer = new Gatherer((bytes) => sizes.push(bytes.length), () => 0)
  for (let count = 0; count < 40; count += 1) gatherer.add(Buffer.alloc(1_000))
  assert.deepEqual(sizes, [1_000, 17_000, 17_000])
  mock.timers.tick(1)
  assert.deepEqual(sizes, [1_000, 17_000, 17_000, 5_000])
  mock.timers.reset()
})
