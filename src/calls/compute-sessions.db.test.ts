/** Compute sessions over a real database: what is held, metered and charged, whoever ends them and however. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { openCallBed, type CallBed } from '../../test/harness/calls.ts'
import { createAccount } from '../accounts/create-account.ts'
import { AppError } from '../errors/app-error.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { newId, parsePublicId } from '../lib/ids.ts'
import type { Handle } from '../resources/sessions/box.ts'
import { forgetSessions, keepSessions } from '../resources/sessions/keep-sessions.ts'
import { createMeteredSessions } from '../resources/sessions/metered-sessions.ts'
import type { SessionParts } from '../resources/sessions/session-parts.ts'
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
/** What the stand-in vendor does, and what it was told. */
const vendor = { fails: null as AppError | null, runFails: null as AppError | null, closeFails: false, prolongFails: null as AppError | null, hasWay: true, made: [] as string[], closed: [] as string[], beforeMade: async () => {} }

beforeEach(async () => {
  Object.assign(vendor, { fails: null, runFails: null, closeFails: false, prolongFails: null, hasWay: true, made: [], closed: [], beforeMade: async () => {} })
  bed = await openCallBed()
  parts = {
    database: bed.database,
    now: bed.clock,
    boxFor: (service) => (service !== 'boxa' || !vendor.hasWay ? null : {
      async create({ id }) {
        if (vendor.fails !== null) throw vendor.fails
        await vendor.beforeMade()
        vendor.made.push(id)
        return { id }
      },
      async run() {
        if (vendor.runFails !== null) throw vendor.runFails
        return { stdout: 'out', stderr: '', exitCode: 0 }
      },
      async prolong() {
        if (vendor.prolongFails !== null) throw vendor.prolongFails
      },
      async close({ id = '' }: Handle) {
        if (vendor.closeFails) throw new AppError('upstream_error')
        vendor.closed.push(id)
      },
    }),
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
    if (id !== undefined) await run(id).catch(() => undefined)
  }
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
    assert.deepEqual(await run(id), { stdout: 'out', stderr: '', exitCode: 0, closesAtMs: bed.clock() + 30 * MINUTE_MS })
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
    await assert.rejects(run(gone), { code: 'unknown_session' })
    assert.equal((await stateOf(gone)).reason, 'gone')
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
    Object.assign(vendor, { closeFails: false, hasWay: false })
    await pass(1)
    vendor.hasWay = true
    await pass(1)
    assert.deepEqual(vendor.closed, vendor.made)
  })

  it('is one of fifty that an account may have open, however many are asked for at once, until one is closed', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 60 }, () => open()))
    const refused = asked.filter((one) => one.status === 'rejected').map(({ reason }) => (reason as AppError).code)
    assert.deepEqual(refused, Array(10).fill('too_many_inflight'))
    assert.equal((await bed.balance()).held, 50n * TEN_MINUTES)
    assert.equal(vendor.made.length, 50)
    await driver.close(owner(), asked.find((one) => one.status === 'fulfilled')?.value ?? '')
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

  it('is not opened where there is no way to its vendor', async () => {
    await assert.rejects(runCall(calls, bed.request('boxd', 'create_session', {})), { code: 'upstream_not_configured' })
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: 0n })
  })
})
