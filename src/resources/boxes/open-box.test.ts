import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Box } from './box.ts'
import { BoxEnded, type BoxOutput } from './box-program.ts'
import { AppError } from '../../errors/app-error.ts'
import type { RunReply } from './box-requests.ts'
import { createOpenBox } from './open-box.ts'

const DONE = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), exitCode: 0, isTimedOut: false }

const COMMAND = { kind: 'run', args: ['true'], seconds: 1 } as const
const SO_FAR = { stdout: Buffer.from('so far'), stderr: Buffer.alloc(0) }

/** Each count is a second later. */
function fakeBox(run: () => Promise<BoxOutput>): Box {
  let count = 0
  return {
    id: 'a1',
    isolation: 'namespaces',
    run,
    runCode: run,
    count: async () => ({
      boot: 'a1',
      upMicroseconds: (count += 1),
      cpuMicroseconds: count,
      memoryBytes: 0,
    }),
    freeze: async () => {},
    hasEnded: () => false,
    ended: new Promise(() => {}),
    close: async () => {},
  }
}

for (const isMetered of [true, false])
  it(`returns the result and use of a program that ends a box, metered: ${isMetered}`, async () => {
    const box = fakeBox(() => Promise.reject(new BoxEnded(SO_FAR)))
    const open = createOpenBox(box, '1', { isMetered, lifeMs: null }, () => {})
    const reply = await open.perform(COMMAND)
    const { stdout, exitCode, hasEnded, use } = reply as RunReply
    assert.deepEqual([stdout, exitCode, hasEnded], ['so far', 137, true])
    assert.equal(use?.to.cpuMicroseconds, isMetered ? 2 : undefined)
  })

it('returns the use of a metered box also with the failure of a program', async () => {
  const box = fakeBox(() => Promise.reject(new AppError('upstream_error', 'No input.')))
  const open = createOpenBox(box, '1', { isMetered: true, lifeMs: null }, () => {})
  const { failure, use } = (await open.perform(COMMAND)) as RunReply
  assert.deepEqual([failure?.code, use?.to.cpuMicroseconds], ['upstream_error', 2])
})

for (const isMetered of [true, false])
  it(`fails programs that its own process stops, metered: ${isMetered}`, async () => {
    const { promise: running, reject } = Promise.withResolvers<BoxOutput>()
    const open = createOpenBox(
      fakeBox(() => running),
      '1',
      { isMetered, lifeMs: null },
      () => {},
    )
    const reply = open.perform(COMMAND)
    await open.stop()
    reject(new BoxEnded(SO_FAR))
    await assert.rejects(reply, { code: 'upstream_not_found' })
  })

it('runs at most eight programs of a box, rejects more, and accepts them after an end', async () => {
  const ends: (() => void)[] = []
  const run = (): Promise<BoxOutput> => new Promise((end) => ends.push(() => end(DONE)))
  const box = fakeBox(run)
  const open = createOpenBox(box, '1', { isMetered: false, lifeMs: null }, () => {})
  const code = { kind: 'code', language: 'python', code: '1', seconds: 1 } as const
  const running = [COMMAND, COMMAND, COMMAND, COMMAND, code, code, code, code].map((request) =>
    open.perform(request),
  )
  for (const request of [COMMAND, code])
    await assert.rejects(open.perform(request), { code: 'rate_limited', retryAfterSeconds: 1 })
  assert.equal(ends.length, 8)
  ends[0]?.()
  await running[0]
  running.push(open.perform(COMMAND))
  assert.equal(ends.length, 9)
  for (const end of ends) end()
  await Promise.all(running)
})
