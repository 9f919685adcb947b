/** Compute sessions over a real database: what is held, metered and charged, whoever ends them and however. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { openCallBed, type CallBed } from '../../test/harness/calls.ts'
import { createStandIn, type StandIn } from '../../test/harness/stand-in-box.ts'
import { createAccount } from '../accounts/create-account.ts'
import { AppError } from '../errors/app-error.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { newId, parsePublicId, publicId } from '../lib/ids.ts'
import { forgetSessions, keepSessions } from '../resources/sessions/keep-sessions.ts'
import { createMeteredSessions } from '../resources/sessions/metered-sessions.ts'
import type { ReadyBox, SessionParts } from '../resources/sessions/session-parts.ts'
import { tearDownSessions } from '../resources/sessions/tear-down.ts'
import type { SessionDriver } from '../resources/sessions/session-driver.ts'
import { runCall, type Calls } from './run.ts'

const MINUTE_MS = 60_000
/** Of boxa: two vCPUs at 5¢ an hour. */
const PER_MINUTE = 100_000n / 60n
const TEN_MINUTES = 16_667n

let bed: CallBed
let calls: Calls
let parts: SessionParts
let driver: SessionDriver
let vendor: StandIn
let hasWay: boolean

beforeEach(async () => {
  vendor = createStandIn()
  hasWay = true
  bed = await openCallBed()
  parts = {
    database: bed.database,
    now: bed.clock,
    boxFor: (service) => (service === 'boxa' && hasWay ? vendor.box : null),
  }
  calls = { ...bed.calls, sessions: parts }
  driver = createMeteredSessions(parts)
})
afterEach(async () => {
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})

async function spendDownTo(rest: bigint): Promise<void> {
  const { ledger } = bed.calls
  const { balance } = await bed.balance()
  const hold = await ledger.hold({ id: newId(bed.clock()), walletId: bed.caller.walletId, budgetId: bed.caller.budgetId, amount: balance - rest, deadlineMs: bed.clock() + MINUTE_MS, kind: 'call', service: 'x', action: 'x', externalId: null, claim: null })
  assert.ok(hold.opened)
  await ledger.resolve({ hold, charge: balance - rest, latencyMs: 0, errorCode: null, hops: null })
}

const owner = () => ({ accountId: bed.caller.accountId, mode: 'live' as const })
const { signal } = new AbortController()
async function open(body: object = {}, extra: object = {}): Promise<string> {
  const { body: text, charged } = await runCall(calls, bed.request('boxa', 'create_session', body, extra))
  assert.equal(charged, 0n)
  return (JSON.parse(text) as { data: { session_id: string } }).data.session_id
}
const run = (id: string, who = owner()) => driver.execute(who, id, { command: 'true' }, signal)
/** Minutes go by, in each of which the session is used and kept. */
async function pass(minutes: number, id?: string): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    bed.clock.advance(MINUTE_MS)
    await keepSessions(parts)
    await tearDownSessions(parts)
    if (id !== undefined) await run(id).catch(() => undefined)
  }
}
async function set(table: 'budgets' | 'compute_sessions', id: string | null, change: string): Promise<void> {
  await bed.database.query(`update ${table} set ${change} where id = $1`, [id])
}
async function stateOf(id: string): Promise<{ reason: string | null; charged: bigint }> {
  const { rows } = await bed.database.query<{ close_reason: string | null; charged_micros: bigint }>('select close_reason, charged_micros from compute_sessions where id = $1', [parsePublicId('session', id)])
  return { reason: rows[0]?.close_reason ?? null, charged: rows[0]?.charged_micros ?? -1n }
}

describe('a compute session', () => {
  it('holds for ten minutes, is metered while it is open, and gives the rest back when it is closed; closing again does no harm', async () => {
    const id = await open()
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: TEN_MINUTES })
    bed.clock.advance(3 * MINUTE_MS)
    assert.deepEqual(await run(id), { stdout: 'out', stderr: '', exitCode: 0, closesAtMs: bed.clock() + 30 * MINUTE_MS, charged: 0n })
    assert.equal((await driver.close(owner(), id)).charged, 5_000n)
    assert.deepEqual(await bed.balance(), { balance: 1_995_000n, held: 0n })
    bed.clock.advance(MINUTE_MS)
    assert.equal((await driver.close(owner(), id)).charged, 0n)
    assert.deepEqual(await bed.balance(), { balance: 1_995_000n, held: 0n })
    await assert.rejects(run(id), { code: 'unknown_session' })
    assert.deepEqual(vendor.closed, vendor.made)
  })

  it('is paid for stretch by stretch: what 25 minutes cost is what they cost together', async () => {
    const id = await open()
    await pass(25, id)
    const { held } = await bed.balance()
    assert.equal(held, TEN_MINUTES)
    await driver.close(owner(), id)
    const { charged } = await stateOf(id)
    assert.ok(charged >= 25n * PER_MINUTE && charged <= 25n * PER_MINUTE + 30n, `${charged}`)
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n - charged, held: 0n })
  })

  it('is closed by force when the balance pays for no more, and never costs more than there was', async () => {
    await spendDownTo(20_000n)
    const id = await open()
    await pass(9, id)
    assert.equal((await stateOf(id)).reason, null)
    await pass(3, id)
    assert.equal((await stateOf(id)).reason, 'unpaid')
    const { balance, held } = await bed.balance()
    assert.equal(held, 0n)
    assert.ok(balance >= 20_000n - TEN_MINUTES && balance < 20_000n)
    assert.deepEqual(vendor.closed, vendor.made)
    await assert.rejects(run(id), { code: 'unknown_session' })
    await spendDownTo(1_000n)
    await assert.rejects(open(), { code: 'credits_required' })
    assert.equal(vendor.made.length, 1)
  })

  it('costs at most its max_cost_cents', async () => {
    const id = await open({ max_cost_cents: 3 })
    await pass(17, id)
    assert.equal((await stateOf(id)).reason, null)
    await pass(2, id)
    const { reason, charged } = await stateOf(id)
    assert.equal(reason, 'unpaid')
    assert.ok(charged <= 30_000n && charged > 25_000n, `${charged}`)
    await assert.rejects(open({ max_cost_cents: 0 }), { code: 'max_cost_exceeded' })
  })

  it('opens under the highest max_cost_cents that can be sent, more than any account can have', async () => {
    const id = await open({ max_cost_cents: Number.MAX_SAFE_INTEGER })
    await pass(12, id)
    assert.equal((await bed.balance()).held, TEN_MINUTES)
    await driver.close(owner(), id)
    assert.equal((await bed.balance()).held, 0n)
  })

  it('that the balance does not pay ten minutes of names the max_cost_cents that opens it for less', async () => {
    await spendDownTo(12_000n)
    await assert.rejects(open(), { code: 'credits_required', fix: /^Send "max_cost_cents": 1, which is then the most that the session costs\. / })
    const id = await open({ max_cost_cents: 1 })
    assert.deepEqual(await bed.balance(), { balance: 12_000n, held: 10_000n })
    await driver.close(owner(), id)
    await spendDownTo(9_000n)
    await assert.rejects(open(), { code: 'credits_required', fix: /^Ask the operator/ })
  })

  it('tells from the first answer on when its max_cost_cents will be used up, where that is before half an hour without use', async () => {
    const { body } = await runCall(calls, bed.request('boxa', 'create_session', { max_cost_cents: 3 }))
    const { session_id: id, closes_at: told } = (JSON.parse(body) as { data: { session_id: string; closes_at: string } }).data
    const toldMs = Date.parse(told)
    await pass(17, id)
    const { closesAtMs } = await run(id)
    assert.ok(Math.abs((closesAtMs ?? 0) - toldMs) <= 100, `${closesAtMs} ${toldMs}`)
    bed.clock.advance(toldMs - bed.clock() - 100)
    await keepSessions(parts)
    assert.equal((await stateOf(id)).reason, null)
    bed.clock.advance(1_000)
    await keepSessions(parts)
    assert.equal((await stateOf(id)).reason, 'unpaid')
    const dear = await open({ max_cost_cents: 100 })
    assert.equal((await run(dear)).closesAtMs, bed.clock() + 30 * MINUTE_MS)
  })

  it('tells its owner how it ended, and nobody else that it ever was', async () => {
    const { account } = await createAccount({ database: bed.database, now: bed.clock }, { email: `${newId(bed.clock())}@gate.example`, tier: 'personal' })
    const stranger = { accountId: parsePublicId('account', account.id) ?? '', mode: 'live' as const }
    const missing = { message: 'There is no such session.', details: undefined }
    const told = async (id: string, close_reason: string, message: RegExp): Promise<void> => {
      await assert.rejects(run(id), (error: AppError) => error.code === 'unknown_session' && error.details?.['close_reason'] === close_reason && message.test(error.message))
      await assert.rejects(run(id, stranger), missing)
    }
    const closed = await open()
    await driver.close(owner(), closed)
    await told(closed, 'asked', /was closed \(/)
    const unpaid = await open({ max_cost_cents: 1 })
    await pass(7)
    await told(unpaid, 'unpaid', /paid for no more/)
    const idle = await open()
    await pass(31)
    await told(idle, 'idle', /half an hour/)
    await assert.rejects(run(`ses_${'0'.repeat(32)}`), missing)
  })

  it('is nobody else’s: somebody else’s, a missing one and nonsense answer alike', async () => {
    const id = await open()
    const { account } = await createAccount({ database: bed.database, now: bed.clock }, { email: `${newId(bed.clock())}@gate.example`, tier: 'personal' })
    for (const [session, who] of [[id, { ...owner(), accountId: parsePublicId('account', account.id) ?? '' }], [id, { ...owner(), mode: 'test' as const }], [`ses_${'0'.repeat(32)}`, owner()], ['../x', owner()]] as const) {
      await assert.rejects(run(session, who as ReturnType<typeof owner>), { code: 'unknown_session' })
      await assert.rejects(driver.close(who, session), { code: 'unknown_session' })
    }
    assert.deepEqual(vendor.closed, [])
  })

  it('that the vendor cannot make holds and charges nothing, and its idempotency key is free again', async () => {
    vendor.fails = new AppError('upstream_busy')
    const idempotency = { key: 'again', fingerprint: 'aa' }
    await assert.rejects(open({}, { idempotency }), { code: 'upstream_busy' })
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: 0n })
    vendor.fails = null
    const id = await open({}, { idempotency })
    assert.equal(await open({}, { idempotency }), id)
    assert.equal(vendor.made.length, 1)
    hasWay = false
    assert.equal(await open({}, { idempotency }), id, 'a repeat is answered also when no machine can be had by now')
    await assert.rejects(open(), { code: 'upstream_not_configured' })
  })

  it('whose hold was swept while its machine was being made is not opened: none is open without a hold', async () => {
    vendor.beforeMade = async () => {
      bed.clock.advance(3 * 60 * MINUTE_MS)
      assert.equal(await bed.calls.ledger.sweep(), 1)
    }
    const idempotency = { key: 'slow', fingerprint: 'aa' }
    await assert.rejects(open({}, { idempotency }), { code: 'upstream_timeout' })
    assert.deepEqual(vendor.living(), [])
    vendor.beforeMade = async () => {}
    const id = await open({}, { idempotency })
    assert.equal(await open({}, { idempotency }), id)
    assert.equal((await bed.balance()).held, TEN_MINUTES)
  })

  it('is charged once and renewed once, however many end or keep it at the same time', async () => {
    const id = await open()
    bed.clock.advance(9.5 * MINUTE_MS)
    const kept = await Promise.all([keepSessions(parts), keepSessions(parts), keepSessions(parts)])
    assert.equal(kept.reduce((sum, { renewed }) => sum + renewed, 0), 1)
    bed.clock.advance(MINUTE_MS)
    const charges = await Promise.all(Array.from({ length: 8 }, () => driver.close(owner(), id)))
    assert.equal(charges.filter(({ charged }) => charged > 0n).length, 1)
    const { charged } = await stateOf(id)
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n - charged, held: 0n })
  })

  it('costs what its stretches say, whatever is done with it at the same time by however many', async () => {
    for (let round = 0; round < 12; round += 1) {
      const id = await open()
      bed.clock.advance((round % 4) * 3 * MINUTE_MS + 30_000)
      const state = ['open', 'paused', 'closed'][round % 3] ?? 'open'
      await Promise.allSettled([keepSessions(parts), run(id), driver.close(owner(), id), set('budgets', bed.caller.budgetId, `state = '${state}'`), keepSessions(parts), driver.close(owner(), id), open(), tearDownSessions(parts), bed.calls.ledger.sweep(), run(id)])
      await set('budgets', bed.caller.budgetId, "state = 'open'")
      assert.deepEqual((await verifyLedger(bed.database)).findings, [])
    }
    await pass(40)
    const { rows } = await bed.database.query<{ charged: bigint; posted: bigint; open: bigint }>("select (select sum(charged_micros) from compute_sessions)::bigint as charged, (select -sum(amount_micros) from transactions where kind = 'session')::bigint as posted, (select count(*) from compute_sessions where closed_ms is null) as open")
    const { charged = -1n, posted, open: left } = rows[0] ?? {}
    assert.deepEqual([left, posted, vendor.living(), await bed.balance()], [0n, charged, [], { balance: 2_000_000n - charged, held: 0n }])
  })

  it('that a dead process left is ended by any other: one not made yet costs nothing, an open one only what was held for', async () => {
    // Held before the vendor is asked.
    const asked = Promise.withResolvers<void>()
    vendor.beforeMade = () => {
      asked.resolve()
      return new Promise(() => {})
    }
    void open()
    await asked.promise
    vendor.beforeMade = async () => {}
    const id = await open()
    bed.clock.advance(3 * 60 * MINUTE_MS)
    assert.equal((await keepSessions(parts)).ended, 2)
    assert.equal((await stateOf(id)).charged, TEN_MINUTES)
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n - TEN_MINUTES, held: 0n })
  })

  it('is closed when nobody uses it for half an hour, and when the vendor has ended it', async () => {
    const idle = await open()
    await pass(31)
    assert.equal((await stateOf(idle)).reason, 'idle')
    const gone = await open()
    vendor.runFails = new AppError('upstream_not_found')
    // It does not answer and is still listed: what it holds is not given up for that.
    await assert.rejects(run(gone), { code: 'upstream_error' })
    assert.equal((await stateOf(gone)).reason, null)
    // Nor where the vendor does not say what lives there.
    const mute: ReadyBox = { ...vendor.box, find: () => Promise.reject(new AppError('upstream_busy')) }
    vendor.closed.push(...vendor.made)
    await assert.rejects(createMeteredSessions({ ...parts, boxFor: () => mute }).execute(owner(), gone, { command: 'true' }, signal), { code: 'upstream_error' })
    assert.equal((await stateOf(gone)).reason, null)
    vendor.closed.splice(0)
    vendor.closed.push(...vendor.made)
    await assert.rejects(run(gone), { code: 'unknown_session' })
    assert.equal((await stateOf(gone)).reason, 'gone')
    // Closed while a command runs in it, and listed for a moment longer.
    const closed = await open()
    const closing: ReadyBox = {
      ...vendor.box,
      async run() {
        await driver.close(owner(), closed)
        vendor.closed.pop()
        throw new AppError('upstream_not_found')
      },
    }
    await assert.rejects(createMeteredSessions({ ...parts, boxFor: () => closing }).execute(owner(), closed, { command: 'true' }, signal), { code: 'unknown_session' })
  })

  it('is not used for longer than was held for, and not at all once its vendor’s longest time is over', async () => {
    const unkept = await open()
    bed.clock.advance(10 * MINUTE_MS)
    await assert.rejects(run(unkept), { code: 'unknown_session' })
    const id = await open()
    await bed.database.query('update compute_sessions set opened_ms = opened_ms - $2 where id = $1', [parsePublicId('session', id), (24 * 60 - 12) * MINUTE_MS])
    await pass(10, id)
    // It is paid for until then, and not again and again.
    const { rows } = await bed.database.query<{ hold_id: string }>('select hold_id from compute_sessions where id = $1', [parsePublicId('session', id)])
    bed.clock.advance(1.5 * MINUTE_MS)
    await keepSessions(parts)
    assert.deepEqual((await bed.database.query('select hold_id from compute_sessions where id = $1', [parsePublicId('session', id)])).rows, rows)
    assert.equal((await run(id)).closesAtMs, bed.clock() + MINUTE_MS / 2)
    await pass(1)
    assert.deepEqual(await stateOf(id), { reason: 'lifetime', charged: 20_001n })
  })

  it('stops its meter at once when it is closed, and the vendor is told until it heard', async () => {
    const id = await open()
    vendor.closeFails = true
    await driver.close(owner(), id)
    assert.equal((await bed.balance()).held, 0n)
    await pass(1)
    assert.deepEqual(vendor.closed, [])
    vendor.closeFails = false
    await pass(2)
    assert.deepEqual(vendor.closed, vendor.made)
  })

  it('is renewed in time however many others are due before it, and whatever keeps them from being renewed', async () => {
    // One that cannot be kept: no wallet is there to hold from.
    const broken = await open()
    await bed.database.query('update compute_sessions set wallet_id = -1 where id = $1', [parsePublicId('session', broken)])
    // And more than are looked at together, which pay for no more.
    await Promise.all(Array.from({ length: 45 }, () => open({ max_cost_cents: 1 })))
    bed.clock.advance(30_000)
    const last = await open()
    bed.clock.advance(9.5 * MINUTE_MS)
    await assert.rejects(keepSessions(parts))
    const { rows } = await bed.database.query<{ paid_until_ms: bigint }>('select paid_until_ms from compute_sessions where id = $1', [parsePublicId('session', last)])
    assert.equal(Number(rows[0]?.paid_until_ms), bed.clock() + 10 * MINUTE_MS)
    await bed.database.query('update compute_sessions set wallet_id = $2 where id = $1', [parsePublicId('session', broken), bed.caller.walletId])
  })

  it('is metered no longer once the vendor says at its renewal that it is gone; a vendor that only fails does not end it', async () => {
    const id = await open()
    vendor.prolongFails = new AppError('upstream_error')
    await pass(9.5, id)
    assert.equal((await stateOf(id)).reason, null)
    vendor.prolongFails = new AppError('upstream_not_found')
    await pass(10, id)
    assert.equal((await stateOf(id)).reason, null)
    vendor.closed.push(...vendor.made)
    await pass(10)
    assert.equal((await stateOf(id)).reason, 'gone')
    assert.equal((await bed.balance()).held, 0n)
  })

  it('whose machine came and could not be written down costs nothing, and its machine is ended', async () => {
    const idempotency = { key: 'lost', fingerprint: 'aa' }
    const { database } = parts
    let commits = 0
    // The second change of this call is the one that starts the meter; its outcome is lost on the way.
    calls = { ...calls, sessions: { ...parts, database: { ...database, async transaction(work) {
      const done = await database.transaction(work)
      commits += 1
      if (commits === 2) throw new AppError('overloaded')
      return done
    } } } }
    await assert.rejects(open({}, { idempotency }), { code: 'overloaded' })
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: 0n })
    assert.deepEqual(vendor.closed, vendor.made)
    await open({}, { idempotency })
    assert.equal(vendor.made.length, 2)
  })

  it('that ended while a process has no way to its vendor is told by one that has', async () => {
    const id = await open()
    vendor.closeFails = true
    await driver.close(owner(), id)
    vendor.closeFails = false
    hasWay = false
    await pass(1)
    hasWay = true
    await pass(1)
    assert.deepEqual(vendor.closed, vendor.made)
  })

  it('is one of fifty that an account may have open, however many are asked for at once, until one is closed', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 60 }, () => open()))
    const refused = asked.filter((one) => one.status === 'rejected').map(({ reason }) => reason as AppError)
    assert.deepEqual(refused.map(({ code }) => code), Array(10).fill('too_many_inflight'))
    assert.equal((await bed.balance()).held, 50n * TEN_MINUTES)
    assert.equal(vendor.made.length, 50)
    // Who lost their ids finds them in the refusal.
    const { sessions } = refused[0]?.details as { sessions: { session_id: string }[] }
    assert.deepEqual(sessions.map((one) => one.session_id).sort(), asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])).sort())
    await driver.close(owner(), sessions[0]?.session_id ?? '')
    await open()
  })

  it('is remembered for a month after its end, so that closing it again does no harm', async () => {
    const id = await open()
    await driver.close(owner(), id)
    bed.clock.advance(29 * 24 * 60 * MINUTE_MS)
    assert.equal(await forgetSessions(parts), 0)
    assert.equal((await driver.close(owner(), id)).charged, 0n)
    bed.clock.advance(2 * 24 * 60 * MINUTE_MS)
    assert.equal(await forgetSessions(parts), 1)
    await assert.rejects(driver.close(owner(), id), { code: 'unknown_session' })
  })

  it('uses up what there is: where credit does not pay for ten minutes more, it pays for a part of them', async () => {
    await spendDownTo(30_000n)
    const id = await open()
    await pass(12, id)
    assert.equal((await stateOf(id)).reason, null)
    await pass(8, id)
    assert.equal((await stateOf(id)).reason, 'unpaid')
    const { balance, held } = await bed.balance()
    assert.equal(held, 0n)
    assert.ok(balance >= 0n && balance < 4n * PER_MINUTE, `${balance}`)
  })

  it('that has all held for that it may cost is not held for again and again', async () => {
    const id = await open({ max_cost_cents: 2 })
    for (let seconds = 0; seconds < 13 * 60; seconds += 5) {
      bed.clock.advance(5_000)
      await keepSessions(parts)
    }
    assert.equal((await stateOf(id)).reason, 'unpaid')
    const { rows } = await bed.database.query<{ held: bigint }>("select held_micros as held from transactions where kind = 'session' order by sequence")
    assert.deepEqual(rows.map(({ held }) => held), [TEN_MINUTES, 4_861n])
  })

  it('ends within seconds when its key is paused or revoked, and is not used any more from that moment on; those of other keys go on', async () => {
    for (const state of ['paused', 'closed']) {
      const id = await open()
      const budgetId = newId(bed.clock())
      await bed.database.query('insert into budgets (id) values ($1)', [budgetId])
      const other = await open({}, { caller: { ...bed.caller, budgetId } })
      bed.clock.advance(2 * MINUTE_MS)
      await set('budgets', bed.caller.budgetId, `state = '${state}'`)
      await assert.rejects(run(id), { code: 'unknown_session', message: /^The key that opened this session is paused or revoked/ })
      await run(other)
      bed.clock.advance(5_000)
      await keepSessions(parts)
      await tearDownSessions(parts)
      assert.deepEqual(await stateOf(id), { reason: 'unpaid', charged: 3_473n })
      assert.deepEqual(vendor.living().map((one) => publicId('session', one)), [other])
      await driver.close(owner(), other)
      await set('budgets', bed.caller.budgetId, "state = 'open'")
    }
    assert.equal((await bed.balance()).held, 0n)
  })

  it('that is being made may be closed, or lose its key: it costs nothing, its machine is ended, and its idempotency key is free again', async () => {
    const idempotency = { key: 'early', fingerprint: 'aa' }
    for (const isClosed of [true, false]) {
      const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      vendor.beforeMade = () => {
        asked.resolve()
        return answered.promise
      }
      const opening = open({}, { idempotency })
      await asked.promise
      const { rows } = await bed.database.query<{ id: string }>('select id from compute_sessions where closed_ms is null')
      const id = publicId('session', rows[0]?.id ?? '')
      await set('budgets', bed.caller.budgetId, "state = 'paused'")
      await keepSessions(parts)
      await set('budgets', bed.caller.budgetId, "state = 'open'")
      if (isClosed) {
        assert.equal((await driver.close(owner(), id)).charged, 0n)
        assert.equal((await bed.balance()).held, 0n)
      }
      answered.resolve()
      if (isClosed) await assert.rejects(opening, { code: 'upstream_timeout' })
      else await driver.close(owner(), await opening)
      assert.deepEqual([vendor.living(), await bed.balance()], [[], { balance: 2_000_000n, held: 0n }])
    }
  })

  it('whose machine was made though nobody heard so has it found and ended, also when it comes late', async () => {
    vendor.answerIsLost = true
    await assert.rejects(open(), { code: 'upstream_timeout' })
    assert.deepEqual([vendor.living().length, await bed.balance()], [1, { balance: 2_000_000n, held: 0n }])
    await pass(1)
    assert.deepEqual(vendor.living(), [])
    const late = vendor.made.pop() ?? ''
    vendor.closed = []
    await pass(5)
    vendor.made.push(late)
    await pass(1)
    assert.deepEqual(vendor.living(), [])
    await pass(10)
    const looked = vendor.lookedFor
    await pass(10)
    assert.equal(vendor.lookedFor, looked)
  })

  it('that the vendor refused is not looked for', async () => {
    vendor.fails = new AppError('upstream_rejected')
    await assert.rejects(open(), { code: 'upstream_rejected' })
    await pass(12)
    assert.equal(vendor.lookedFor, 0)
  })

  it('is torn down by one process at a time, and no vendor is asked again without a pause', async () => {
    const id = await open()
    vendor.closeFails = true
    await driver.close(owner(), id)
    vendor.closeFails = false
    await tearDownSessions(parts)
    assert.equal(vendor.living().length, 1)
    bed.clock.advance(30_000)
    await Promise.all(Array.from({ length: 5 }, () => tearDownSessions(parts)))
    assert.equal(vendor.closed.length, 1)
  })

  it('that no process kept for months ends for what was held, and so does one that was being made', async () => {
    await open()
    vendor.beforeMade = () => new Promise(() => {})
    void open()
    for (let sessions = 1; sessions < 2;) sessions = Number((await bed.database.query<{ count: bigint }>('select count(*) from compute_sessions')).rows[0]?.count ?? 0n)
    bed.clock.advance(90 * 24 * 60 * MINUTE_MS)
    assert.equal((await keepSessions(parts)).ended, 2)
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n - TEN_MINUTES, held: 0n })
  })

  it('is charged nothing for time that a clock took back', async () => {
    const id = await open()
    bed.clock.advance(-5 * MINUTE_MS)
    await keepSessions(parts)
    assert.equal((await driver.close(owner(), id)).charged, 0n)
    assert.equal((await bed.balance()).held, 0n)
  })

  it('of boxb is made for one of three languages: anything else is refused before a hold and before the vendor hears of it', async () => {
    calls = { ...calls, sessions: { ...parts, boxFor: () => vendor.box } }
    for (const template of ['ruby', 'Python', '', 'daytona-medium', 3]) {
      await assert.rejects(runCall(calls, bed.request('boxb', 'create_session', { template })), { code: 'invalid_params', param: 'template' })
    }
    assert.deepEqual(vendor.made, [])
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: 0n })
    assert.deepEqual((await bed.database.query('select id from holds')).rows, [])
    for (const template of ['python', 'typescript', 'javascript', undefined]) await runCall(calls, bed.request('boxb', 'create_session', template === undefined ? {} : { template }))
    assert.equal(vendor.made.length, 4)
  })

  it('is not opened where there is no way to its vendor', async () => {
    await assert.rejects(runCall(calls, bed.request('boxd', 'create_session', {})), { code: 'upstream_not_configured' })
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: 0n })
  })
})
