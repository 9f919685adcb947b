import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Box } from './box.ts'
import type { BoxOutput } from './box-program.ts'
import { createOpenBox } from './open-box.ts'

const DONE = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), exitCode: 0, isTimedOut: false }

it('runs at most eight programs of a box, rejects more, and accepts them after an end', async () => {
  const ends: (() => void)[] = []
  const run = (): Promise<BoxOutput> => new Promise((end) => ends.push(() => end(DONE)))
  const box: Box = {
    id: 'a1',
    isolation: 'namespaces',
    run,
    runCode: run,
    count: async () => ({ boot: 'a1', upMicroseconds: 0, cpuMicroseconds: 0, memoryBytes: 0 }),
    freeze: async () => {},
    hasEnded: () => false,
    ended: new Promise(() => {}),
    close: async () => {},
  }
  const open = createOpenBox(box, '1', { isMetered: false, lifeMs: null }, () => {})
  const command = { kind: 'run', args: ['true'], seconds: 1 } as const
  const code = { kind: 'code', language: 'python', code: '1', seconds: 1 } as const
  const running = [command, command, command, command, code, code, code, code].map((request) =>
    open.perform(request),
  )
  for (const request of [command, code])
    await assert.rejects(open.perform(request), { code: 'rate_limited', retryAfterSeconds: 1 })
  assert.equal(ends.length, 8)
  ends[0]?.()
  await running[0]
  running.push(open.perform(command))
  assert.equal(ends.length, 9)
  for (const end of ends) end()
  await Promise.all(running)
})
