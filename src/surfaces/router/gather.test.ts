import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { Gatherer } from './gather.ts'

describe('the events of a burst', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  it('are written together in order, except the first; slower events are written immediately', () => {
    let now = 0
    const written: string[] = []
    const gatherer = new Gatherer(
      (bytes) => written.push(bytes.toString()),
      () => now,
    )
    const add = (text: string, atMs: number): void => {
      now = atMs
      gatherer.add(Buffer.from(text))
    }
    add('a', 0)
    assert.deepEqual(written, ['a'], 'the first event never waits')
    add('b', 1)
    add('c', 3.9)
    assert.deepEqual(written, ['a'])
    now = 5
    mock.timers.tick(4)
    assert.deepEqual(written, ['a', 'bc'])
    add('d', 9.1)
    add('e', 20)
    assert.deepEqual(written, ['a', 'bc', 'd', 'e'])
    add('f', 20.1)
    assert.deepEqual(gatherer.take().map(String), ['f'])
    mock.timers.tick(4)
    assert.deepEqual(written, ['a', 'bc', 'd', 'e'], 'taken events are not written again')
  })

  it('are written when they exceed 16 KiB', () => {
    const sizes: number[] = []
    const gatherer = new Gatherer(
      (bytes) => sizes.push(bytes.length),
      () => 0,
    )
    for (let count = 0; count < 40; count += 1) gatherer.add(Buffer.alloc(1_000))
    assert.deepEqual(sizes, [1_000, 17_000, 17_000])
    mock.timers.tick(4)
    assert.deepEqual(sizes, [1_000, 17_000, 17_000, 5_000])
  })
})
