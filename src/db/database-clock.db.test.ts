import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { cloneDatabase } from '../../test/harness/postgres.ts'
import { makeClockSteppable } from '../../test/harness/steppable-clock.ts'
import { DAY_MS, HOUR_MS } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { openDatabaseClock, readInstallationTime } from './database-clock.ts'
import { connectDatabase } from './database.ts'

const MINUTE_MS = 60_000

/** Processes with test clocks, on a database whose clock a test steps. */
async function openBed() {
  const { target } = await cloneDatabase()
  const clock = await makeClockSteppable(target)
  const database = connectDatabase(target)
  cleanUp(() => database.close())
  cleanUp(() => clock.close())
  const startedMs = performance.now()
  return {
    database,
    step: clock.step,
    trueMs: () => wallMs + performance.now() - startedMs,
    async process(pause: () => Promise<unknown> = async () => {}) {
      const own = { extraMs: 0, sleptMs: 0 }
      const said: string[] = []
      const log = {
        warn: (_: object, words: string) => void said.push(words),
        error: (_: object, words: string) => void said.push(words),
      }
      const opened = await openDatabaseClock({
        database,
        self: newId(wallMs),
        log,
        pause,
        own: {
          monotonicMs: () => performance.now() + own.extraMs,
          sinceBootMs: () => performance.now() + own.extraMs + own.sleptMs,
        },
      })
      cleanUp(() => opened.close())
      return { ...opened, own, said }
    },
    /** The connection by which the database recognizes a running process. */
    async showRunning() {
      const client = database.connect('jobs')
      await client.connect()
      cleanUp(() => client.end())
    },
  }
}
const wallMs = Math.floor(performance.timeOrigin + performance.now())
const near = (ms: number, wantedMs: number): void =>
  assert.ok(
    Math.abs(ms - wantedMs) < 30_000,
    `${new Date(ms).toISOString()} is near ${new Date(wantedMs).toISOString()}`,
  )

for (const [words, jumpMs] of [
  ['two days forward', 2 * DAY_MS],
  ['two days back', -2 * DAY_MS],
  ['three minutes forward', 3 * MINUTE_MS],
  ['three minutes back', -3 * MINUTE_MS],
] as const) {
  test(`running processes ignore a database clock that steps ${words}`, async () => {
    const { process, step, trueMs, showRunning } = await openBed()
    const processes = [await process(), await process(), await process()]
    await showRunning()
    await step(jumpMs)
    const late = process(async () => processes[0]?.look())
    for (let round = 0; round < 3; round += 1) {
      for (const { look, now } of processes) {
        await look()
        near(now(), trueMs())
      }
    }
    near((await late).now(), trueMs())
    near((await process()).now(), trueMs())
    const isDays = Math.abs(jumpMs) === 2 * DAY_MS
    assert.deepEqual(
      processes.map(
        ({ said }) =>
          said.filter((line) => line.startsWith('the clock of the database jumped')).length,
      ),
      isDays ? [1, 1, 1] : [0, 0, 0],
    )
  })
}

test("a start without running processes takes the database's clock after any jump", async () => {
  const { process, step, trueMs } = await openBed()
  const first = await process()
  await step(2 * DAY_MS)
  await first.look()
  near(first.now(), trueMs())
  first.close()
  near((await process()).now(), trueMs() + 2 * DAY_MS)
})

test('logs a jump once, and its end when the clock is correct again', async () => {
  const { process, step, trueMs } = await openBed()
  const { look, now, said } = await process()
  await step(-HOUR_MS)
  for (let looks = 0; looks < 3; looks += 1) await look()
  assert.equal(said.length, 1)
  await step(HOUR_MS)
  await look()
  assert.equal(said.length, 2)
  assert.match(said[1] ?? '', /agree again/)
  near(now(), trueMs())
})

test('logs a lasting jump every hour', async () => {
  const { process, step } = await openBed()
  const { own, look, said } = await process()
  await step(-2 * DAY_MS)
  await look()
  own.extraMs += HOUR_MS
  await step(HOUR_MS)
  await look()
  assert.equal(said.length, 2)
})

test('a machine resumes at the right time, although its monotonic clock stopped', async () => {
  const { process, step, trueMs } = await openBed()
  const { own, look, now, said } = await process()
  own.sleptMs += 8 * HOUR_MS
  await step(8 * HOUR_MS)
  await look()
  near(now(), trueMs() + 8 * HOUR_MS)
  assert.deepEqual(said, [])
})

test('a process whose machine was paused takes the time of the others', async () => {
  const { process, trueMs } = await openBed()
  const [paused, other] = [await process(), await process()]
  paused.own.extraMs -= 20 * MINUTE_MS
  await other.look()
  await paused.look()
  near(paused.now(), trueMs())
})

test('time stops instead of going back', async () => {
  const { process, step } = await openBed()
  const { look, now } = await process()
  let before = now()
  for (let looks = 0; looks < 5; looks += 1) {
    await step(-100)
    await look()
    assert.ok(now() >= before)
    before = now()
  }
})

test('a command uses the time of the running processes', async () => {
  const { process, step, trueMs, showRunning, database } = await openBed()
  const { look } = await process()
  await showRunning()
  await step(2 * DAY_MS)
  await look()
  near((await readInstallationTime(database))(), trueMs())
})

for (const [words, astrayMs] of [
  ['ahead', HOUR_MS],
  ['behind', -HOUR_MS],
] as const) {
  test(`a process on a machine an hour ${words} takes the database's time and logs it`, async () => {
    const { database } = await openBed()
    const said: object[] = []
    const log = { warn: (facts: object) => void said.push(facts), error: () => {} }
    const own = { monotonicMs: () => performance.now() + astrayMs, sinceBootMs: () => null }
    const { now, close } = await openDatabaseClock({
      database,
      self: newId(wallMs),
      log,
      own,
      machineNow: () => wallMs + astrayMs,
    })
    close()
    near(now(), wallMs)
    assert.equal(said.length, 1)
  })
}
