import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWarmUp, untilIdle } from './warm-up.ts'

test('work after the start waits for a second without calls, and a minute at most', async () => {
  for (const [counts, pauses] of [
    [[7, 7, 7, 7, 7], 4],
    [[1, 2, 2, 2, 3, 3, 3, 3, 3], 8],
    [Array.from({ length: 1_000 }, (_, place) => place), 240],
  ] as const) {
    const left = [...counts]
    const waits: number[] = []
    await untilIdle(
      () => left.shift() ?? 0,
      async (ms) => waits.push(ms),
    )
    assert.deepEqual(
      waits,
      Array.from({ length: pauses }, () => 250),
    )
  }
})

test('each task waits until the process is idle, and a failed one does not stop the others', async () => {
  const done: string[] = []
  const warmUp = createWarmUp()
  warmUp.add(async () => done.push('first'))
  warmUp.add(() => Promise.reject(new Error('broken')))
  warmUp.add(async () => done.push('last'))
  const errors: unknown[] = []
  await warmUp.run(
    async () => void done.push('idle'),
    (error) => errors.push(error),
  )
  assert.deepEqual(done, ['idle', 'first', 'idle', 'idle', 'last'])
  assert.match(String(errors), /broken/)
})
