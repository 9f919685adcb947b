import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ProxiedTarget } from '../../../upstream/guard-proxy.ts'
import { createPace } from './box-network.ts'
import { createTargetLog } from './target-log.ts'

it('starts requests one after another, and rejects more than may wait', async () => {
  const ends: (() => void)[] = []
  const waitForNext = createPace(10, 2, (ms) => {
    assert.equal(ms, 10)
    return new Promise<void>((end) => ends.push(end))
  })
  await waitForNext()
  const started: number[] = []
  const waiting = [1, 2].map((number) => waitForNext().then(() => started.push(number)))
  await assert.rejects(waitForNext(), { code: 'rate_limited' })
  assert.deepEqual(started, [])
  ends[0]?.()
  await waiting[0]
  assert.deepEqual(started, [1])
  ends[1]?.()
  await waiting[1]
  const last = assert.doesNotReject(waitForNext())
  ends[2]?.()
  await last
})

it('logs each host once, at most 100, and the number of requests at the end', () => {
  const lines: object[] = []
  const log = createTargetLog({ info: (fields) => void lines.push(fields) }, { box: 'a1' })
  const target = (hostname: string): ProxiedTarget => ({ hostname, port: 443, failure: null })
  for (const _ of [1, 2]) log.add(target('one.example'))
  log.add({ ...target('one.example'), failure: new RangeError('no') })
  assert.deepEqual(lines, [
    { box: 'a1', host: 'one.example:443', result: 'allowed' },
    { box: 'a1', host: 'one.example:443', result: 'failed' },
  ])
  for (let count = 0; count < 200; count += 1) log.add(target(`${count}.example`))
  assert.equal(lines.length, 100)
  log.end()
  assert.deepEqual(lines.at(-1), { box: 'a1', allowed: 202, failed: 1 })
})
