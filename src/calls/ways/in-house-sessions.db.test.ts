import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { DAY_MS, toRfc3339 } from '../../lib/clock.ts'
import { newId, parsePublicId, publicId } from '../../lib/ids.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import type { BoxesDeps } from '../../resources/boxes/boxes-deps.ts'
import { createSessionBox } from '../../resources/boxes/session-box.ts'
import { findTestIsolation } from '../../resources/boxes/testing/find-isolation.ts'
import { openTestBoxes } from '../../resources/boxes/testing/open-test-boxes.ts'
import { endLostSessions } from '../../resources/sessions/end-lost-sessions.ts'
import { maintainSessions } from '../../resources/sessions/maintain-sessions.ts'
import { createMeteredSessions } from '../../resources/sessions/metered-sessions.ts'
import { preemptSession } from '../../resources/sessions/preempt-session.ts'
import type { SessionDeps } from '../../resources/sessions/session-deps.ts'
import type { SessionDriver, SessionOutput } from '../../resources/sessions/session-driver.ts'
import { tearDownSessions } from '../../resources/sessions/tear-down.ts'
import { takeSnapshot } from '../../resources/sessions/take-snapshot.ts'
import { runCall } from '../run.ts'
import { openCallBed, withSessions, type CallBed } from '../../../test/harness/beds/calls.ts'
import { stateOfSession } from '../../../test/harness/beds/session-bed.ts'
import { eventually } from '../../../test/harness/eventually.ts'

const isolation = await findTestIsolation()
const { groups } = isolation
const canMeter = groups.controllers.has('cpuacct') && groups.controllers.has('freezer')
/** So that short programs cost many micro-dollars. */
const EXPENSIVE = 100n
const { signal } = new AbortController()

let bed: CallBed
let boxes: BoxesDeps
let deps: SessionDeps
let driver: SessionDriver

const owner = () => ({
  accountId: bed.caller.accountId,
  mode: 'live' as const,
  keyId: null,
  scope: 'account' as const,
})

async function open(service: string, body: object = {}): Promise<string> {
  const calls = withSessions(bed.calls, deps)
  const { body: text } = await runCall(calls, bed.request(service, 'create_session', body))
  const { data } = JSON.parse(text) as { data?: { session_id: string; isolation: string } }
  assert.match(data?.isolation ?? text, /^(gvisor|namespaces|bubblewrap)$/)
  return data?.session_id ?? ''
}

function python(id: string, code: string): Promise<SessionOutput> {
  return driver.execute(owner(), id, { code, language: 'python' }, signal)
}

function shell(id: string, command: string): Promise<SessionOutput> {
  return driver.execute(owner(), id, { command }, signal)
}

/** Reads the processes of a session, which is frozen or open. */
function processesOf(sessionId: string): () => readonly number[] {
  const folder = groupOf(sessionId)
  return () =>
    readFileSync(`${folder}/cgroup.procs`, 'utf8').split('\n').filter(Boolean).map(Number)
}

/** The CPU time that the kernel counts for a session, in microseconds. */
function kernelCount(sessionId: string): number {
  const folder = groupOf(sessionId)
  const version1 = `${folder}/cpuacct.usage`
  return existsSync(version1)
    ? Number(readFileSync(version1, 'utf8')) / 1000
    : Number(/^usage_usec (\d+)$/m.exec(readFileSync(`${folder}/cpu.stat`, 'utf8'))?.[1])
}

function groupOf(sessionId: string): string {
  const name = `tollgate-box-${parsePublicId('session', sessionId)}`
  const folder = readFileSync('/proc/self/cgroup', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const path = line.split(':').slice(2).join(':')
      return [`/sys/fs/cgroup/cpuacct${path}/${name}`, `/sys/fs/cgroup${path}/${name}`]
    })
    .concat(`/sys/fs/cgroup/cpuacct/${name}`)
    .find((path) => existsSync(path))
  assert.ok(folder !== undefined)
  return folder
}

describe(
  'a session on the machine of the gateway',
  {
    skip: isolation.skip || (canMeter ? false : 'needs control groups for CPU time and freezing'),
  },
  () => {
    before(async () => {
      bed = await openCallBed()
      boxes = await openTestBoxes(isolation, bed.clock)
      deps = {
        database: bed.database,
        now: bed.clock,
        boxFor: (service, _mode, accountId) => {
          const box = createSessionBox(boxes, service, accountId)
          const { cpuHour = 0n, gigabyteHour = 0n } = box.use ?? {}
          return { ...box, use: { cpuHour: cpuHour * EXPENSIVE, gigabyteHour } }
        },
      }
      driver = createMeteredSessions(deps)
    })

    it('keeps variables over ten calls and charges the CPU time of the kernel within 1 %', async () => {
      const id = await open('boxb')
      const before = kernelCount(id)
      await python(id, 'import time\nn = 0')
      let charged = 0n
      for (let call = 1; call <= 9; call += 1) {
        const output = await python(
          id,
          'end = time.process_time() + 0.1\nwhile time.process_time() < end: pass\nn += 1\nn',
        )
        assert.deepEqual([output.stdout, output.exitCode], [`${call}\n`, 0])
        charged += output.charged
      }
      const used = kernelCount(id) - before
      const { rows } = await bed.database.query<{ charged_micros: bigint }>(
        'select charged_micros from compute_sessions where id = $1',
        [parsePublicId('session', id)],
      )
      const total = Number(rows[0]?.charged_micros)
      const price = (used / 3_600_000_000) * 50_000 * Number(EXPENSIVE)
      assert.ok(charged > 0n && charged <= BigInt(total))
      assert.ok(Math.abs(total - price) <= price * 0.01, `${total} charged, ${price} used`)
      const closed = await driver.close(owner(), id)
      assert.equal(closed.charged, 0n)
      assert.deepEqual((await verifyLedger(bed.database)).findings, [])
      assert.equal((await bed.balance()).held, 0n)
    })

    it('stops programs between calls, so that idle time is free', async () => {
      const id = await open('boxa')
      await shell(id, 'while :; do :; done &')
      const before = kernelCount(id)
      // Long enough for a running loop to be counted.
      for (const end = performance.now() + 50; performance.now() < end;);
      assert.equal(kernelCount(id), before)
      await driver.close(owner(), id)
    })

    it('saves the files of a session and starts another from them', async () => {
      const id = await open('boxd')
      await shell(id, 'mkdir a && echo saved >a/f && ln -s /etc/shadow a/link')
      const taken = await takeSnapshot(deps, owner(), {
        service: 'boxd',
        sessionId: id,
        name: undefined,
        signal,
      })
      await driver.close(owner(), id)
      const second = await open('boxd', { snapshot_id: publicId('snapshot', taken.id) })
      assert.equal((await shell(second, 'cat a/f; cat a/link')).stdout, 'saved\n')
      await driver.close(owner(), second)
      await deps.boxFor('boxd', 'live', owner().accountId)?.snapshots?.delete(taken.reference ?? '')
      assert.ok(!existsSync(`${boxes.snapshots}/${taken.reference ?? ''}.tar`))
    })

    it('charges the time of the kernel to programs that end their machine, each its own', async () => {
      const id = await open('boxa')
      const { charged: first } = await shell(id, 'true')
      const before = kernelCount(id)
      const busy = 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; exec sleep 60'
      const running = [shell(id, busy), shell(id, busy)]
      const processes = processesOf(id)
      await eventually(() => {
        const names = processes().map((one) => readFileSync(`/proc/${one}/cmdline`, 'utf8'))
        assert.equal(names.filter((name) => name.startsWith('sleep')).length, 2)
      })
      const used = kernelCount(id) - before
      for (const one of processes()) killIfAlive(one)
      const outputs = await Promise.all(running)
      assert.deepEqual(
        outputs.map(({ exitCode }) => exitCode),
        [137, 137],
      )
      const price = (used / 3_600_000_000) * 50_000 * Number(EXPENSIVE)
      const charged = Number(outputs.reduce((sum, one) => sum + one.charged, 0n))
      assert.ok(charged >= price * 0.95, `${charged} charged, ${price} used`)
      await assert.rejects(shell(id, 'true'), { code: 'unknown_session' })
      assert.deepEqual(await stateOfSession(bed, id), {
        reason: 'gone',
        charged: first + BigInt(charged),
      })
      assert.equal((await bed.balance()).held, 0n)
      assert.deepEqual((await verifyLedger(bed.database)).findings, [])
    })

    it('charges background programs of a snapshot that fails', async () => {
      const id = await open('boxd')
      await shell(id, 'mkdir -m 0 closed; while :; do :; done &')
      const before = (await stateOfSession(bed, id)).charged
      const snapshot = { service: 'boxd', sessionId: id, name: undefined, signal }
      await assert.rejects(takeSnapshot(deps, owner(), snapshot), { code: 'upstream_error' })
      assert.ok((await stateOfSession(bed, id)).charged > before)
      await driver.close(owner(), id)
    })

    it('ends after half an hour without use, and boxe does not', async () => {
      const [idle, sleeping] = [await open('boxb'), await open('boxe')]
      bed.clock.advance(31 * 60_000)
      await maintainSessions(deps)
      await assert.rejects(shell(idle, 'true'), { code: 'unknown_session' })
      assert.equal((await shell(sleeping, 'echo here')).stdout, 'here\n')
      bed.clock.advance(DAY_MS)
      assert.equal((await shell(sleeping, 'echo still')).stdout, 'still\n')
      await driver.close(owner(), sleeping)
    })

    it('ends when idle if another account needs its machine, and returns that reason', async () => {
      await tearDownSessions(deps)
      boxes.host.onYield((id) => preemptSession(deps, id))
      const ids = [await open('boxa'), await open('boxa'), await open('boxa'), await open('boxa')]
      for (const id of ids) {
        bed.clock.advance(5_000)
        await shell(id, 'true')
      }
      const other = createSessionBox(boxes, 'boxb', newId(bed.clock()))
      const id = `${newId(bed.clock()).slice(0, -6)}abcdef`
      const order = { id, template: undefined, envs: {}, lifeMs: 60_000 }
      const handle = await other.create(order)
      await assert.rejects(shell(ids[0] ?? '', 'true'), {
        code: 'unknown_session',
        details: { close_reason: 'preempted', closed_at: toRfc3339(bed.clock()) },
      })
      assert.equal((await shell(ids[1] ?? '', 'echo here')).stdout, 'here\n')
      await other.close(handle)
      for (const one of ids.slice(1)) await driver.close(owner(), one)
      assert.equal((await bed.balance()).held, 0n)
    })

    it('ends, and frees its hold, when the process of its machine has died', async () => {
      const id = await open('boxb')
      const lease = parsePublicId('session', id)?.slice(-6) ?? ''
      await bed.database.query('insert into process_leases (number) values ($1)', [lease])
      assert.equal(await endLostSessions(deps), 0)
      await bed.database.query('delete from process_leases where number = $1', [lease])
      assert.equal(await endLostSessions(deps), 1)
      await assert.rejects(shell(id, 'true'), { code: 'unknown_session' })
      assert.equal((await bed.balance()).held, 0n)
    })
  },
)

/** The end of one process of a box can end the others first. */
function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
