/** Holds and charges of compute sessions metered by use, on a real database. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { openCallBed, withSessions, type CallBed } from '../../../test/harness/beds/calls.ts'
import {
  STEP_FAILURES,
  createFailingSteps,
  failingDeps,
  type StepFailure,
} from '../../../test/harness/failing-process.ts'
import { sampleSteps } from '../../../test/harness/sample.ts'
import { spendDownTo, stateOfSession } from '../../../test/harness/beds/session-bed.ts'
import { createStandIn, type StandIn } from '../../../test/harness/vendors/stand-in-box.ts'
import { AppError } from '../../errors/app-error.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { CallTally } from '../../lib/metrics/call-tally.ts'
import { newId, parsePublicId } from '../../lib/ids.ts'
import { forgetSessions, maintainSessions } from '../../resources/sessions/maintain-sessions.ts'
import type { MachineUse } from '../../resources/sessions/machine-use.ts'
import { createMeteredSessions } from '../../resources/sessions/metered-sessions.ts'
import type { SessionDriver, SessionOutput } from '../../resources/sessions/session-driver.ts'
import type { SessionDeps } from '../../resources/sessions/session-deps.ts'
import { tearDownSessions } from '../../resources/sessions/tear-down.ts'
import type { Calls } from '../call.ts'
import { runCall } from '../run.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The price of two CPUs and two gigabytes for seventy seconds. */
const PROGRAM = 4_424n
const START = 2_000_000n

let bed: CallBed
let calls: Calls
let parts: SessionDeps
let driver: SessionDriver
let vendor: StandIn
let seconds: (number | undefined)[]
let tally: CallTally

async function setUp(): Promise<void> {
  vendor = createStandIn()
  seconds = []
  tally = new CallTally()
  bed = await openCallBed()
  const { box } = vendor
  parts = {
    database: bed.database,
    now: bed.clock,
    tally,
    boxFor: () => ({
      ...box,
      run: (handle, work, signal, most) => (
        seconds.push(most),
        box.run(handle, work, signal, most)
      ),
    }),
  }
  calls = withSessions(bed.calls, parts)
  driver = createMeteredSessions(parts)
}
beforeEach(setUp)
afterEach(async () => {
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})

const owner = () => ({
  accountId: bed.caller.accountId,
  mode: 'live' as const,
  keyId: null,
  scope: 'account' as const,
})
const { signal } = new AbortController()
async function open(body: object = {}, extra: object = {}): Promise<string> {
  const { body: text, charged } = await runCall(
    calls,
    bed.request('boxe', 'create_session', body, extra),
  )
  const { data } = JSON.parse(text) as { data: { session_id: string; closes_at: null } }
  assert.deepEqual([charged, data.closes_at], [0n, null])
  return data.session_id
}
/** The use of one CPU and one gigabyte, from `up` seconds after the start of the machine. `cpu` is the first value of its counter. */
function use(
  cpuSeconds: number,
  gigabyteSeconds: number,
  { up = 0, cpu = 0, boot = 'boot' } = {},
): MachineUse {
  const at = (upSeconds: number, all: number) => ({
    boot,
    upMicroseconds: upSeconds * 1_000_000,
    cpuMicroseconds: all * 1_000_000,
  })
  return { from: at(up, cpu), to: at(up + gigabyteSeconds, cpu + cpuSeconds), memoryBytes: 2 ** 30 }
}
function run(
  id: string,
  used?: MachineUse,
  during: () => Promise<void> = async () => {},
): Promise<SessionOutput> {
  vendor.use = used
  vendor.duringRun = during
  return driver.execute(owner(), id, { command: 'true' }, signal)
}
const stateOf = (id: string) => stateOfSession(bed, id)

describe('a compute session metered by use', () => {
  it('holds for one program, charges each for its use, and releases the rest', async () => {
    const id = await open()
    assert.deepEqual(await bed.balance(), { balance: START, held: PROGRAM })
    // 3.6 s of a CPU at 7¢ an hour are 70 µ$, and of a gigabyte at 4.375¢ they are 43.75.
    assert.deepEqual(await run(id, use(3.6, 3.6)), {
      stdout: 'out',
      stderr: '',
      exitCode: 0,
      closesAtMs: null,
      charged: 114n,
    })
    assert.deepEqual(await bed.balance(), { balance: START - 114n, held: PROGRAM })
    await run(id, use(0, 36, { up: 50, cpu: 3.6 }))
    assert.deepEqual(await bed.balance(), { balance: START - 114n - 438n, held: PROGRAM })
    assert.deepEqual((await driver.close(owner(), id)).charged, 0n)
    assert.deepEqual(await bed.balance(), { balance: START - 552n, held: 0n })
    assert.deepEqual([await stateOf(id), vendor.living()], [{ reason: 'asked', charged: 552n }, []])
    assert.deepEqual(
      Array.from(tally.services(), ({ service, tally: { charged } }) => [service, charged]),
      [['boxe', 552n]],
    )
  })

  it('costs nothing while idle, and is open after a month with one hold', async () => {
    const id = await open()
    for (let days = 0; days < 30; days += 1) {
      bed.clock.advance(DAY_MS - 30_000)
      await maintainSessions(parts)
      await tearDownSessions(parts)
      await bed.calls.ledger.sweep()
      assert.deepEqual(await bed.balance(), { balance: START, held: PROGRAM })
    }
    await run(id, use(3.6, 0))
    assert.deepEqual(await stateOf(id), { reason: null, charged: 70n })
    // Its hold is renewed once a day, and idle sessions are checked no more often.
    const { rows } = await bed.database.query<{ count: bigint }>(
      "select count(*) from transactions where kind = 'session'",
    )
    assert.equal(rows[0]?.count, 31n)
    bed.clock.advance(HOUR_MS)
    assert.deepEqual(await maintainSessions(parts), { renewed: 0, ended: 0 })
  })

  it('stays open while no gateway runs, because it uses nothing', async () => {
    const id = await open()
    bed.clock.advance(7 * DAY_MS)
    await bed.calls.ledger.sweep()
    assert.equal((await bed.balance()).held, 0n)
    assert.deepEqual(await maintainSessions(parts), { renewed: 1, ended: 0 })
    await run(id, use(3.6, 0))
    assert.deepEqual(await bed.balance(), { balance: START - 70n, held: PROGRAM })
  })

  it('is held for before its first use after that, by its owner only', async () => {
    const id = await open()
    bed.clock.advance(7 * DAY_MS)
    await bed.calls.ledger.sweep()
    for (const other of [
      { ...owner(), mode: 'test' },
      { ...owner(), accountId: newId(bed.clock()) },
    ] as const) {
      await assert.rejects(driver.execute(other, id, { command: 'true' }, signal), {
        code: 'unknown_session',
      })
      assert.equal((await bed.balance()).held, 0n)
    }
    const held = async () => assert.equal((await bed.balance()).held, PROGRAM)
    await Promise.all([1, 2, 3].map(() => run(id, undefined, held)))
    await run(id, use(3.6, 0))
    assert.deepEqual(await bed.balance(), { balance: START - 70n, held: PROGRAM })
    bed.clock.advance(7 * DAY_MS)
    await bed.calls.ledger.sweep()
    await spendDownTo(bed, 0n)
    await assert.rejects(run(id), { code: 'unknown_session' })
    assert.deepEqual(await stateOf(id), { reason: 'unpaid', charged: 70n })
  })

  it('ends at the vendor if it cannot be paid for after a long time without a gateway', async () => {
    await spendDownTo(bed, PROGRAM)
    const id = await open()
    bed.clock.advance(40 * DAY_MS)
    await bed.calls.ledger.sweep()
    await spendDownTo(bed, 0n)
    assert.deepEqual(await maintainSessions(parts), { renewed: 0, ended: 1 })
    assert.equal(await forgetSessions(parts), 0)
    await tearDownSessions(parts)
    assert.deepEqual([await stateOf(id), vendor.living()], [{ reason: 'unpaid', charged: 0n }, []])
  })

  it('is charged no time if it is closed soon after a program ended or failed', async () => {
    const id = await open()
    bed.clock.advance(1_000)
    assert.equal((await run(id, use(3.6, 0))).charged, 70n)
    bed.clock.advance(10_000)
    for (const code of ['upstream_busy', 'upstream_not_found'] as const) {
      vendor.runFails = new AppError(code)
      await assert.rejects(run(id))
      bed.clock.advance(1_000)
    }
    bed.clock.advance(20_000)
    assert.equal((await driver.close(owner(), id)).charged, 0n)
    assert.deepEqual(await stateOf(id), { reason: 'asked', charged: 70n })
  })

  it('charges a program at its end, even if the daily hold is renewed meanwhile', async () => {
    const id = await open()
    bed.clock.advance(DAY_MS - 40_000)
    const { charged } = await run(id, use(3.6, 0), async () => {
      bed.clock.advance(30_000)
      assert.deepEqual(await maintainSessions(parts), { renewed: 1, ended: 0 })
      assert.deepEqual(await bed.balance(), { balance: START, held: PROGRAM })
    })
    assert.deepEqual([charged, await bed.balance()], [70n, { balance: START - 70n, held: PROGRAM }])
  })

  it('ends if the key’s limit does not allow its daily hold', async () => {
    const id = await open()
    bed.clock.advance(DAY_MS - 30_000)
    await bed.database.query('update budgets set ceiling_micros = 0 where id = $1', [
      bed.caller.budgetId,
    ])
    assert.deepEqual(await maintainSessions(parts), { renewed: 0, ended: 1 })
    assert.deepEqual(
      [await stateOf(id), await bed.balance()],
      [
        { reason: 'unpaid', charged: 0n },
        { balance: START, held: 0n },
      ],
    )
  })

  it('charges concurrent programs once for the machine, and fully after a restart', async () => {
    const id = await open()
    // The first program runs from 0 s to 36 s and the second from 10 s to 20 s. The machine is always busy.
    await run(id, use(36, 36), async () => {
      vendor.duringRun = async () => {}
      vendor.use = use(10, 10, { up: 10, cpu: 10 })
      await driver.execute(owner(), id, { command: 'true' }, signal)
    })
    // 10 s, and the 26 s around it.
    assert.equal((await stateOf(id)).charged, 316n + 822n)
    await run(id, use(36, 0, { boot: 'another' }))
    assert.equal((await stateOf(id)).charged, 316n + 822n + 700n)
  })

  it('charges a long program even if a short one runs at its end', async () => {
    const id = await open()
    const long = await run(id, use(60, 60), async () => {
      vendor.duringRun = async () => {}
      vendor.use = use(0.1, 0.1, { up: 59.8, cpu: 59.8 })
      await driver.execute(owner(), id, { command: 'true' }, signal)
    })
    assert.deepEqual([long.charged, (await stateOf(id)).charged], [1_892n, 1_892n + 4n])
  })

  it('is never charged more for a program than its hold', async () => {
    const id = await open()
    await run(id, use(100_000, 100_000))
    await run(id, use(3.6, 0, { up: 200_000, cpu: 200_000 }))
    assert.deepEqual(await bed.balance(), { balance: START - PROGRAM - 70n, held: PROGRAM })
  })

  it('runs shorter programs with less credit, and ends without credit', async () => {
    await spendDownTo(bed, 7_000n)
    const id = await open()
    await run(id, use(1_000, 0))
    assert.deepEqual(await bed.balance(), { balance: 2_576n, held: 2_212n })
    assert.equal((await run(id, use(1_000, 0, { up: 1, cpu: 1_000 }))).stdout, 'out')
    assert.deepEqual(seconds, [60, 30])
    assert.deepEqual(await bed.balance(), { balance: 364n, held: 0n })
    assert.deepEqual(await stateOf(id), { reason: 'unpaid', charged: PROGRAM + 2_212n })
    await assert.rejects(run(id), { code: 'unknown_session' })
    await tearDownSessions(parts)
    assert.deepEqual(vendor.living(), [])
    await assert.rejects(open(), { code: 'credits_required' })
  })

  it('costs at most its max_cost_cents', async () => {
    const id = await open({ max_cost_cents: 1 })
    for (let programs = 1; programs < 4; programs += 1) {
      assert.equal((await stateOf(id)).reason, null)
      await run(id, use(1_000, 0, { up: programs, cpu: programs * 1_000 }))
    }
    assert.deepEqual(await stateOf(id), { reason: 'unpaid', charged: 2n * PROGRAM + 1_106n })
    assert.equal((await bed.balance()).held, 0n)
    await assert.rejects(open({ max_cost_cents: 0 }), { code: 'max_cost_exceeded' })
  })

  it('ends within seconds after its key is paused, even if idle', async () => {
    const id = await open()
    await bed.database.query("update budgets set state = 'paused' where id = $1", [
      bed.caller.budgetId,
    ])
    await assert.rejects(run(id), { code: 'unknown_session' })
    await maintainSessions(parts)
    assert.deepEqual(
      [await stateOf(id), await bed.balance()],
      [
        { reason: 'unpaid', charged: 0n },
        { balance: START, held: 0n },
      ],
    )
  })

  it('is charged the time of a program that runs while it is closed, once', async () => {
    const id = await open()
    await run(id, use(36, 36), async () => {
      bed.clock.advance(10_000)
      assert.equal((await driver.close(owner(), id)).charged, 632n)
    })
    assert.deepEqual(await bed.balance(), { balance: START - 632n, held: 0n })
    const other = await open()
    await run(other, use(0, 0), async () => {
      bed.clock.advance(10 * 60_000)
      // No program runs for so long, so its process is dead.
      assert.equal((await driver.close(owner(), other)).charged, 0n)
    })
  })

  it('is charged at most its hold if it is closed while a program runs', async () => {
    await spendDownTo(bed, PROGRAM + 100n)
    const id = await open()
    await run(id, use(3.6, 3.6))
    assert.equal((await bed.balance()).held, PROGRAM / 2n)
    await run(id, use(0, 0), async () => {
      bed.clock.advance(60_000)
      assert.equal((await driver.close(owner(), id)).charged, PROGRAM / 2n)
    })
    assert.deepEqual(await bed.balance(), {
      balance: PROGRAM + 100n - 114n - PROGRAM / 2n,
      held: 0n,
    })
  })

  it('is charged the time of a program without counters, and nothing for a failed one', async () => {
    const id = await open()
    await run(id, undefined, async () => bed.clock.advance(10_000))
    assert.equal((await stateOf(id)).charged, 632n)
    await run(id, undefined, async () => bed.clock.advance(1_000_000))
    assert.equal((await stateOf(id)).charged, 632n + PROGRAM)
    vendor.runFails = new AppError('upstream_timeout')
    await assert.rejects(run(id), { code: 'upstream_timeout' })
    await driver.close(owner(), id)
    assert.equal((await stateOf(id)).charged, 632n + PROGRAM)
  })

  it('runs a program to its end after its caller left, and charges it', async () => {
    const id = await open()
    const leaving = new AbortController()
    vendor.use = use(3.6, 0)
    vendor.duringRun = async () => leaving.abort()
    const { box } = vendor
    const strict = createMeteredSessions({
      ...parts,
      boxFor: () => ({
        ...box,
        run: async (handle, work, given, most) => {
          const ran = await box.run(handle, work, given, most)
          given.throwIfAborted()
          return ran
        },
      }),
    })
    await strict.execute(owner(), id, { command: 'true' }, leaving.signal)
    assert.equal((await stateOf(id)).charged, 70n)
  })

  it('cannot be closed by a process of a version without metering by use', async () => {
    const id = parsePublicId('session', await open())
    await assert.rejects(
      bed.database.query(
        "update compute_sessions set closed_ms = $2, close_reason = 'idle', charged_micros = charged_micros + 9 where id = $1",
        [id, bed.clock()],
      ),
    )
    assert.deepEqual(await stateOf(`ses_${id}`), { reason: null, charged: 0n })
  })

  it('ends if the vendor lost its machine, and charges no running program', async () => {
    const id = await open()
    vendor.runFails = new AppError('upstream_not_found')
    await assert.rejects(run(id), { code: 'upstream_error' })
    vendor.closed.push(...vendor.made)
    await assert.rejects(run(id), { code: 'unknown_session' })
    assert.deepEqual(
      [await stateOf(id), await bed.balance()],
      [
        { reason: 'gone', charged: 0n },
        { balance: START, held: 0n },
      ],
    )
  })

  it('charges a running program although another program finds the machine gone', async () => {
    const id = await open()
    const { charged } = await run(id, use(3.6, 10), async () => {
      bed.clock.advance(10_000)
      vendor.closed.push(...vendor.made)
      vendor.runFails = new AppError('upstream_not_found')
      await assert.rejects(run(id), { code: 'unknown_session' })
    })
    assert.equal(charged, 192n)
    await assert.rejects(run(id), { code: 'unknown_session' })
    assert.deepEqual(
      [await stateOf(id), await bed.balance()],
      [
        { reason: 'gone', charged },
        { balance: START - charged, held: 0n },
      ],
    )
  })

  it('charges a program that ends its machine or has no result, and ends with the machine', async () => {
    const id = await open()
    vendor.ending = { failure: new AppError('upstream_error', 'No result.') }
    await assert.rejects(run(id, use(3.6, 0)), { code: 'upstream_error' })
    assert.equal((await stateOf(id)).charged, 70n)
    vendor.ending = { hasEnded: true }
    assert.equal((await run(id, use(3.6, 0, { up: 9, cpu: 9 }))).closesAtMs, null)
    const last = await run(id, use(3.6, 0, { up: 20, cpu: 20 }), async () => {
      vendor.closed.push(...vendor.made)
    })
    assert.deepEqual([last.charged, last.closesAtMs], [70n, bed.clock()])
    assert.deepEqual(
      [await stateOf(id), (await bed.balance()).held],
      [{ reason: 'gone', charged: 210n }, 0n],
    )
  })

  it('is ended at its vendor with retries for as long as it is stored', async () => {
    const id = await open()
    vendor.closeFails = true
    await driver.close(owner(), id)
    bed.clock.advance(3 * DAY_MS)
    vendor.closeFails = false
    await tearDownSessions(parts)
    assert.deepEqual(vendor.living(), [])
  })

  it('costs the sum of its programs after concurrent operations', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await open()
      vendor.use = use(2, 2, { up: round * 10, cpu: round * 10 })
      vendor.duringRun = async () => bed.clock.advance(100)
      const again = () => driver.execute(owner(), id, { command: 'true' }, signal)
      await Promise.allSettled([
        again(),
        again(),
        maintainSessions(parts),
        round % 2 === 0 ? driver.close(owner(), id) : again(),
        again(),
        tearDownSessions(parts),
        bed.calls.ledger.sweep(),
      ])
      await driver.close(owner(), id)
      assert.deepEqual((await verifyLedger(bed.database)).findings, [])
    }
    const { rows } = await bed.database.query<{ charged: bigint; posted: bigint }>(
      "select (select sum(charged_micros) from compute_sessions)::bigint as charged, (select -sum(amount_micros) from transactions where kind = 'session')::bigint as posted",
    )
    const { charged = -1n, posted } = rows[0] ?? {}
    assert.deepEqual(
      [posted, await bed.balance()],
      [charged, { balance: START - charged, held: 0n }],
    )
    assert.ok(charged > 0n && charged < 10n * PROGRAM, `${charged}`)
  })

  it('is simulated for test keys, whose programs use half a second of a CPU', async () => {
    const simulated = bed.sessions
    const { body } = await runCall(
      bed.calls,
      bed.request('boxe', 'create_session', { envs: { A: '1' } }, { caller: bed.testCaller }),
    )
    const { session_id: id } = (JSON.parse(body) as { data: { session_id: string } }).data
    const who = {
      accountId: bed.testCaller.accountId,
      mode: 'test' as const,
      keyId: null,
      scope: 'account' as const,
    }
    const tried = createMeteredSessions(simulated)
    for (let programs = 0; programs < 2; programs += 1)
      assert.equal((await tried.execute(who, id, { command: 'echo hi' }, signal)).stdout, 'hi\n')
    await tried.close(who, id)
    assert.equal((await stateOf(id)).charged, 26n)
  })
})

/** Opens a session, runs two programs and closes it, until its process fails. Then other processes recover it. */
async function liveUntil(fate: StepFailure): Promise<boolean> {
  const idempotency = { key: 'one', fingerprint: 'aa' }
  const fateOf = createFailingSteps(fate)
  const doomed = failingDeps(bed, vendor, fateOf)
  const life = async (): Promise<void> => {
    const doomedDriver = createMeteredSessions(doomed)
    const { body } = await runCall(
      withSessions(bed.calls, doomed),
      bed.request('boxe', 'create_session', {}, { idempotency }),
    )
    const { session_id: id } = (JSON.parse(body) as { data: { session_id: string } }).data
    for (let programs = 0; programs < 2; programs += 1) {
      vendor.use = use(3.6, 0, { up: programs * 10, cpu: programs * 10 })
      await doomedDriver.execute(owner(), id, { command: 'true' }, signal)
    }
    await doomedDriver.close(owner(), id)
  }
  await Promise.race([
    life().catch((error: unknown) => assert.ok(error instanceof AppError, String(error))),
    fateOf.dead,
  ])

  const told = JSON.stringify(fate)
  bed.clock.advance(11 * 60_000)
  await maintainSessions(parts)
  await bed.calls.ledger.sweep()
  const { rows } = await bed.database.query<{ id: string; charged: bigint; is_open: boolean }>(
    'select id, charged_micros as charged, closed_ms is null as is_open from compute_sessions',
  )
  const charged = rows.reduce((sum, one) => sum + one.charged, 0n)
  assert.ok(charged % 70n === 0n && charged <= 140n, `${told}: ${charged}`)
  // An open session has a hold, and its caller can continue.
  assert.deepEqual(
    await bed.balance(),
    { balance: START - charged, held: rows.some((one) => one.is_open) ? PROGRAM : 0n },
    told,
  )
  vendor.use = use(3.6, 0, { up: 100, cpu: 100 })
  if (rows.some((one) => one.is_open))
    await driver.execute(owner(), await open({}, { idempotency }), { command: 'true' }, signal)
  for (const { id } of rows) await driver.close(owner(), `ses_${id}`)
  bed.clock.advance(11 * 60_000)
  for (let times = 0; times < 2; times += 1) {
    bed.clock.advance(60_000)
    await tearDownSessions(parts)
  }
  assert.deepEqual([vendor.living(), (await bed.balance()).held], [[], 0n], told)
  assert.deepEqual((await verifyLedger(bed.database)).findings, [], told)
  return fateOf.hasCome()
}

for (const [fails, fate] of STEP_FAILURES) {
  it(`charges only reported programs if a process ${fails} a step`, async () => {
    const { first, stride } = sampleSteps(5)
    let atStep = 1 + first
    for (; await liveUntil({ ...fate, atStep }); atStep += stride) await setUp()
    assert.ok(atStep > 8, `${atStep} steps`)
  })
}
