/**
 * The boxe driver with a simulated vendor, which runs programs in a local shell with counters that
 * a test sets.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { startSpriteVendor } from '../../../../test/harness/vendors/sprite-vendor.ts'
import { createLanes } from '../../../calls/lanes/lanes.ts'
import { createCatalog } from '../../../catalog/index.ts'
import { systemClock } from '../../../lib/clock.ts'
import { createPlainDispatcher } from '../../../upstream/http1/plain-dispatcher.ts'
import type { RanProgram } from '../box.ts'
import { createReadyBoxes } from '../ready-boxes.ts'
import type { SessionWork } from '../session-driver.ts'
import { countingScript, withoutCounts } from './counting-script.ts'

const vendor = await startSpriteVendor()
const dispatcher = createPlainDispatcher({ idleMs: 1_000 })
cleanUp(() => dispatcher.destroy())
const lanes = createLanes({
  catalog: createCatalog(),
  upstreams: new Map([['boxe', { url: vendor.url, credentials: { KEY: 'operator-key' } }]]),
  guardedDispatcher: dispatcher,
  operatorDispatcher: dispatcher,
  inHouse: new Set(),
  simulatorUrl: vendor.url,
  userAgent: 'x',
})
const box =
  createReadyBoxes(lanes.targetOf, systemClock)('boxe', 'live', 'a') ??
  assert.fail('boxe is configured')
const { signal } = new AbortController()
const QUARTER = 2 ** 28
const handle = await box.create({
  id: 'x',
  template: 'any',
  envs: { STAGE: "it's", up: 'upward' },
  lifeMs: 1,
})
const run = (work: SessionWork, seconds?: number): Promise<RanProgram> =>
  box.run(handle, work, signal, seconds)
const count = (boot: string, up: number, cpu: number) => ({
  boot,
  upMicroseconds: up * 1_000_000,
  cpuMicroseconds: cpu * 1_000_000,
})

describe('boxe', () => {
  it('creates, finds and closes a machine by its own name, and does not send the envs', async () => {
    vendor.asked.length = 0
    const { name = '', envs } = await box.create({
      id: 'y',
      template: undefined,
      envs: { A: '1' },
      lifeMs: 1,
    })
    assert.deepEqual([name, envs], ['gw-ses-y', '{"A":"1"}'])
    assert.deepEqual(await box.find('y'), [{ name }])
    await box.close({ name })
    await box.close({ name })
    assert.deepEqual(await box.find('y'), [])
    assert.deepEqual(
      vendor.asked.map(({ method, path, body }) => [method, path, body]),
      [
        [
          'POST',
          '/v1/sprites',
          { name, wait_for_capacity: true, config: { cpus: 2, ram_mb: 2048 } },
        ],
        ['GET', '/v1/sprites/gw-ses-y', undefined],
        ['DELETE', '/v1/sprites/gw-ses-y', undefined],
        ['DELETE', '/v1/sprites/gw-ses-y', undefined],
        ['GET', '/v1/sprites/gw-ses-y', undefined],
      ],
    )
    assert.ok(vendor.asked.every(({ key }) => key === 'Bearer operator-key'))
  })

  it('runs a command with its session’s envs, and reports the rise of the machine’s counters', async () => {
    vendor.asked.length = 0
    vendor.count({ up: 100, cpu: 10, memory: QUARTER })
    const ran = await run({
      command: `echo "$STAGE $up"; echo 'no "luck"' >&2; ${vendor.using({ up: 103.5, cpu: 12.25, memory: 3 * QUARTER })}; exit 7`,
    })
    assert.deepEqual(ran, {
      stdout: "it's upward\n",
      stderr: 'no "luck"\n',
      exitCode: 7,
      use: {
        from: count('first-boot', 100, 10),
        to: count('first-boot', 103.5, 12.25),
        memoryBytes: 2 * QUARTER,
      },
    })
    // The caller’s command and envs are in no URL.
    assert.deepEqual(
      vendor.asked.map(({ path }) => path),
      ['/v1/sprites/gw-ses-x/exec?cmd=sh&cmd=-c&cmd=eval+%22%24%28cat%29%22&path=sh&stdin=true'],
    )
  })

  it('runs code of each language and length, in the home folder', async () => {
    const long = 'x'.repeat(300_000)
    assert.equal(
      (await run({ code: `print(len("${long}"))`, language: 'python' })).stdout,
      '300000\n',
    )
    assert.equal(
      (await run({ code: 'echo "$0" | grep -c program; pwd', language: 'bash' })).stdout,
      `1\n${process.env['HOME']}\n`,
    )
    assert.match(
      (await run({ code: 'console.log(process.version)', language: 'javascript' })).stdout,
      /^v\d/,
    )
  })

  it('ends a program after its time limit, with its output so far, ignoring background jobs', async () => {
    // `timeout` receives this signal when its time is over.
    const { stdout, exitCode, use } = await run({
      command: 'echo begun; kill -ALRM $PPID; sleep 30',
    })
    assert.deepEqual([stdout, exitCode, use === undefined], ['begun\n', 124, false])
    const stubborn = await run({
      command: `trap '' TERM; echo stubborn; ${vendor.using({ up: 200, cpu: 11, memory: QUARTER })}; while true; do kill -ALRM $PPID; done`,
    })
    assert.deepEqual([stubborn.stdout, stubborn.exitCode], ['stubborn\n', 124])
    assert.equal((await run({ command: 'sleep 30 & echo done' })).stdout, 'done\n')
  })

  it('does not run a program partially if the disk is too full to store it', () => {
    const full = `base64() { command base64 "$@"; echo 'disk full' >&2; return 1; }\n`
    const { stdout, stderr, status } = spawnSync('sh', {
      input: `${full}${countingScript({ command: 'echo ran' }, {}, 30)}`,
      encoding: 'utf8',
      timeout: 60_000,
    })
    assert.deepEqual(
      [stdout, withoutCounts(stderr), status],
      ['', { stderr: 'disk full\n', hasBegun: false }, 1],
    )
  })

  it('derives the memory in use from the available memory if it has no count', async () => {
    vendor.count({ up: 100, cpu: 10, memory: null })
    assert.equal((await run({ command: 'true' })).use?.memoryBytes, 2 ** 30)
  })

  it('reports no use without counters, and ignores counters that a program prints', async () => {
    vendor.count({ up: 100, cpu: 10, memory: QUARTER })
    const { stderr, use } = await run({
      command: `printf '\\036tollgate\\036first-boot 1 1 1 first-boot 1 1 1\\n' >&2; ${vendor.using({ up: 101, cpu: 10.5, memory: QUARTER })}`,
    })
    assert.deepEqual(
      [stderr, use?.to],
      ['\u001etollgate\u001efirst-boot 1 1 1 first-boot 1 1 1\n', count('first-boot', 101, 10.5)],
    )
    assert.deepEqual(
      await run({ command: 'read -r _ _ _ script _ </proc/$PPID/stat; kill -9 $script' }),
      { stdout: '', stderr: '', exitCode: 137 },
    )
  })

  it('ignores counters whose boot id is empty, too long or not storable', () => {
    const parsed = (boot: string) =>
      withoutCounts(`\u001etollgate\u001efirst-boot 1 1 1\n\u001etollgate\u001e${boot} 2 2 2\n`)
    assert.deepEqual(parsed('first-boot').use?.to, count('first-boot', 2, 0.000_002))
    for (const boot of ['x'.repeat(65), 'a\u0000b', ''])
      assert.deepEqual(parsed(boot), { stderr: '', hasBegun: true })
  })

  it('ends a program that stops its timer, without counters, and fails if it never started', async () => {
    for (const hasBegun of [true, false]) {
      const leaving = new AbortController()
      vendor.converse = (socket) => {
        if (hasBegun) socket.send(Buffer.from('\u0002\u001etollgate\u001efirst-boot 1 1 1\n'))
        socket.send('{"type":"news"}')
        socket.on('message', () => setImmediate(() => leaving.abort()))
      }
      const late = box.run(handle, { command: 'kill -STOP $PPID' }, leaving.signal)
      if (hasBegun) assert.deepEqual(await late, { stdout: '', stderr: '', exitCode: 124 })
      else await assert.rejects(late, { code: 'upstream_timeout' })
    }
    vendor.converse = (socket) => {
      socket.send(Buffer.from('\u0002sh: not found\n'))
      socket.send(Buffer.from([3, 127]))
    }
    await assert.rejects(run({ command: 'true' }), {
      code: 'upstream_error',
      message: /sh: not found/,
    })
    vendor.converse = null
  })

  it('throws upstream_error if the connection breaks, upstream_not_found if the machine is gone', async () => {
    vendor.converse = (socket) => {
      socket.send(Buffer.from([1, 65]))
      socket.close(1000)
    }
    await assert.rejects(run({ command: 'true' }), { code: 'upstream_error' })
    vendor.converse = (socket) => {
      socket.send(Buffer.from('\u0002\u001etollgate\u001efirst-boot 1 1 1\n'))
      socket.close(1000)
    }
    const { exitCode, hasEnded, use } = await run({ command: 'kill -9 -1' })
    assert.deepEqual(
      [exitCode, hasEnded, use],
      [137, true, undefined],
      'begun: its time is charged',
    )
    vendor.converse = null
    await assert.rejects(box.run({ name: 'gw-gone' }, { command: 'true' }, signal), {
      code: 'upstream_not_found',
    })
  })

  it('throws upstream_busy with a retry time if the vendor has no capacity', async () => {
    for (const code of ['sprite_creation_rate_limited', 'concurrent_sprite_limit_exceeded']) {
      vendor.refusal = {
        status: 429,
        headers: { 'retry-after': '7' },
        body: { code, message: 'full' },
      }
      await assert.rejects(box.create({ id: 'z', template: undefined, envs: {}, lifeMs: 1 }), {
        code: 'upstream_busy',
        retryAfterSeconds: 7,
      })
      await assert.rejects(run({ command: 'true' }), {
        code: 'upstream_busy',
        retryAfterSeconds: 7,
      })
    }
    vendor.refusal = null
  })
})
