/** Holds and charges of compute sessions on a real database, also with concurrent renewals and ends. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import {
  MINUTE_MS,
  PER_MINUTE,
  TEN_MINUTES,
  openSessionBed,
  type SessionBed,
} from '../../../test/harness/beds/session-bed.ts'
import { priceIdOf } from '../../catalog/prices/price-id.ts'
import { parsePublicId } from '../../lib/ids.ts'
import { maintainSession, maintainSessions } from '../../resources/sessions/maintain-sessions.ts'
import type { ReadyBox } from '../../resources/sessions/session-deps.ts'
import { tearDownSessions } from '../../resources/sessions/tear-down.ts'
import { runCall } from '../run.ts'

let session: SessionBed

beforeEach(async () => {
  session = await openSessionBed()
})
afterEach(() => session.verify())

describe('a compute session', () => {
  it('holds for ten minutes, is metered while open, and releases the rest when closed', async () => {
    const { bed, driver, open, owner, run, vendor } = session
    const id = await open()
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: TEN_MINUTES })
    bed.clock.advance(3 * MINUTE_MS)
    assert.deepEqual(await run(id), {
      stdout: 'out',
      stderr: '',
      exitCode: 0,
      closesAtMs: bed.clock() + 30 * MINUTE_MS,
      charged: 0n,
    })
    const closedAtMs = bed.clock()
    assert.deepEqual(await driver.close(owner(), id), { closesAtMs: closedAtMs, charged: 5_000n })
    assert.deepEqual(await bed.balance(), { balance: 1_995_000n, held: 0n })
    bed.clock.advance(MINUTE_MS)
    assert.deepEqual(await driver.close(owner(), id), { closesAtMs: closedAtMs, charged: 0n })
    assert.deepEqual(await bed.balance(), { balance: 1_995_000n, held: 0n })
    await assert.rejects(run(id), { code: 'unknown_session' })
    assert.deepEqual(vendor.closed, vendor.made)
  })

  it('is charged stretch by stretch, and 25 minutes cost the sum of them', async () => {
    const { bed, driver, open, owner, pass, stateOf } = session
    const id = await open()
    await pass(25, id)
    const { held } = await bed.balance()
    assert.equal(held, TEN_MINUTES)
    await driver.close(owner(), id)
    const { charged } = await stateOf(id)
    assert.ok(charged >= 25n * PER_MINUTE && charged <= 25n * PER_MINUTE + 30n, `${charged}`)
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n - charged, held: 0n })
  })

  it('is closed when the balance is used up, and never costs more than that', async () => {
    const { bed, open, pass, run, spendDownTo, stateOf, vendor } = session
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
    const { open, pass, stateOf } = session
    const id = await open({ max_cost_cents: 3 })
    await pass(17, id)
    assert.equal((await stateOf(id)).reason, null)
    await pass(2, id)
    const { reason, charged } = await stateOf(id)
    assert.equal(reason, 'unpaid')
    assert.ok(charged <= 30_000n && charged > 25_000n, `${charged}`)
    await assert.rejects(open({ max_cost_cents: 0 }), { code: 'max_cost_exceeded' })
  })

  it('opens with the highest possible max_cost_cents', async () => {
    const { bed, driver, open, owner, pass } = session
    const id = await open({ max_cost_cents: Number.MAX_SAFE_INTEGER })
    await pass(12, id)
    assert.equal((await bed.balance()).held, TEN_MINUTES)
    await driver.close(owner(), id)
    assert.equal((await bed.balance()).held, 0n)
  })

  it('names a max_cost_cents for less time if the balance does not pay ten minutes', async () => {
    const { bed, driver, open, owner, spendDownTo } = session
    await spendDownTo(12_000n)
    await assert.rejects(open(), {
      code: 'credits_required',
      fix: /^Send "max_cost_cents": 1, which is then the most that the session costs\. /,
    })
    const id = await open({ max_cost_cents: 1 })
    assert.deepEqual(await bed.balance(), { balance: 12_000n, held: 10_000n })
    await driver.close(owner(), id)
    await spendDownTo(9_000n)
    await assert.rejects(open(), { code: 'credits_required', fix: /^Ask the operator/ })
  })

  it('returns when its max_cost_cents is used up, if that is within half an hour', async () => {
    const { bed, open, parts, pass, run, stateOf, calls } = session
    const { body } = await runCall(
      calls,
      bed.request('boxa', 'create_session', { max_cost_cents: 3 }),
    )
    const { session_id: id, closes_at: told } = (
      JSON.parse(body) as { data: { session_id: string; closes_at: string } }
    ).data
    const toldMs = Date.parse(told)
    await pass(17, id)
    const { closesAtMs } = await run(id)
    assert.ok(Math.abs((closesAtMs ?? 0) - toldMs) <= 100, `${closesAtMs} ${toldMs}`)
    bed.clock.advance(toldMs - bed.clock() - 100)
    await maintainSessions(parts)
    assert.equal((await stateOf(id)).reason, null)
    bed.clock.advance(1_000)
    await maintainSessions(parts)
    assert.equal((await stateOf(id)).reason, 'unpaid')
    const dear = await open({ max_cost_cents: 100 })
    assert.equal((await run(dear)).closesAtMs, bed.clock() + 30 * MINUTE_MS)
  })

  it('is charged once and renewed once by concurrent processes', async () => {
    const { bed, driver, open, owner, parts, stateOf } = session
    const id = await open()
    bed.clock.advance(9.5 * MINUTE_MS)
    const kept = await Promise.all([
      maintainSessions(parts),
      maintainSessions(parts),
      maintainSessions(parts),
    ])
    assert.equal(
      kept.reduce((sum, { renewed }) => sum + renewed, 0),
      1,
    )
    bed.clock.advance(MINUTE_MS)
    const charges = await Promise.all(Array.from({ length: 8 }, () => driver.close(owner(), id)))
    assert.equal(charges.filter(({ charged }) => charged > 0n).length, 1)
    const { charged } = await stateOf(id)
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n - charged, held: 0n })
  })

  it('costs the sum of its stretches after concurrent operations', async () => {
    const { bed, driver, open, owner, parts, pass, run, set, vendor, verify } = session
    for (let round = 0; round < 12; round += 1) {
      const id = await open()
      bed.clock.advance((round % 4) * 3 * MINUTE_MS + 30_000)
      const state = ['open', 'paused', 'closed'][round % 3] ?? 'open'
      await Promise.allSettled([
        maintainSessions(parts),
        run(id),
        driver.close(owner(), id),
        set('budgets', bed.caller.budgetId, `state = '${state}'`),
        maintainSessions(parts),
        driver.close(owner(), id),
        open(),
        tearDownSessions(parts),
        bed.calls.ledger.sweep(),
        run(id),
      ])
      await set('budgets', bed.caller.budgetId, "state = 'open'")
      await verify()
    }
    await pass(40)
    const { rows } = await bed.database.query<{ charged: bigint; posted: bigint; open: bigint }>(
      "select (select sum(charged_micros) from compute_sessions)::bigint as charged, (select -sum(amount_micros) from transactions where kind = 'session')::bigint as posted, (select count(*) from compute_sessions where closed_ms is null) as open",
    )
    const { charged = -1n, posted, open: left } = rows[0] ?? {}
    assert.deepEqual(
      [left, posted, vendor.living(), await bed.balance()],
      [0n, charged, [], { balance: 2_000_000n - charged, held: 0n }],
    )
  })

  it('is renewed in time, even if many sessions before it fail to renew', async () => {
    const { bed, open, parts } = session
    // A session that cannot be renewed, because its wallet is missing.
    const broken = await open()
    await bed.database.query('update compute_sessions set wallet_id = -1 where id = $1', [
      parsePublicId('session', broken),
    ])
    // And more sessions than one batch, whose credit is used up.
    await Promise.all(Array.from({ length: 45 }, () => open({ max_cost_cents: 1 })))
    bed.clock.advance(30_000)
    const last = await open()
    bed.clock.advance(9.5 * MINUTE_MS)
    await assert.rejects(maintainSessions(parts))
    const { rows } = await bed.database.query<{ paid_until_ms: bigint }>(
      'select paid_until_ms from compute_sessions where id = $1',
      [parsePublicId('session', last)],
    )
    assert.equal(Number(rows[0]?.paid_until_ms), bed.clock() + 10 * MINUTE_MS)
    await bed.database.query('update compute_sessions set wallet_id = $2 where id = $1', [
      parsePublicId('session', broken),
      bed.caller.walletId,
    ])
  })

  it(
    'is renewed together with all others, while a vendor is slow',
    { timeout: 60_000 },
    async () => {
      const { bed, open, parts, vendor } = session
      await Promise.all(Array.from({ length: 25 }, () => open()))
      bed.clock.advance(9.5 * MINUTE_MS)
      // The vendor does not reply until all are paid for.
      const asked = Promise.withResolvers<void>()
      let prolonged = 0
      const slow: ReadyBox = {
        ...vendor.box,
        async prolong() {
          prolonged += 1
          if (prolonged === 25) asked.resolve()
          await asked.promise
        },
      }
      assert.deepEqual(await maintainSessions({ ...parts, boxFor: () => slow }), {
        renewed: 25,
        ended: 0,
      })
      const { rows } = await bed.database.query<{ paid_until_ms: bigint }>(
        'select distinct paid_until_ms from compute_sessions',
      )
      assert.deepEqual(
        rows.map(({ paid_until_ms: untilMs }) => Number(untilMs)),
        [bed.clock() + 10 * MINUTE_MS],
      )
    },
  )

  it('has the key, its external id and the price id in each transaction', async () => {
    const { bed, driver, open, owner, pass } = session
    const id = await open({}, { caller: { ...bed.caller, externalId: 'customer-7' } })
    await pass(12, id)
    await driver.close(owner(), id)
    const { rows } = await bed.database.query(
      "select external_id, budget_id, service, price_id from transactions where kind = 'session'",
    )
    assert.deepEqual(
      rows,
      Array.from({ length: 2 }, () => ({
        external_id: 'customer-7',
        budget_id: bed.caller.budgetId,
        service: 'boxa',
        price_id: priceIdOf(bed.calls.catalog.findAction('boxa', 'create_session')),
      })),
    )
  })

  it('is not held for after it was closed', async () => {
    const { bed, driver, open, owner, parts } = session
    const id = await open()
    bed.clock.advance(9.5 * MINUTE_MS)
    await driver.close(owner(), id)
    assert.equal(await maintainSession(parts, parsePublicId('session', id) ?? ''), null)
    assert.equal((await bed.balance()).held, 0n)
  })

  it('holds for less time if the credit does not pay ten minutes', async () => {
    const { bed, open, pass, spendDownTo, stateOf } = session
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

  it('is not held for again after its max_cost_cents is held', async () => {
    const { bed, open, parts, stateOf } = session
    const id = await open({ max_cost_cents: 2 })
    for (let seconds = 0; seconds < 13 * 60; seconds += 5) {
      bed.clock.advance(5_000)
      await maintainSessions(parts)
    }
    assert.equal((await stateOf(id)).reason, 'unpaid')
    const { rows } = await bed.database.query<{ held: bigint }>(
      "select held_micros as held from transactions where kind = 'session' order by sequence",
    )
    assert.deepEqual(
      rows.map(({ held }) => held),
      [TEN_MINUTES, 4_861n],
    )
  })

  it('is charged nothing for time that a clock lost', async () => {
    const { bed, driver, open, owner, parts } = session
    const id = await open()
    bed.clock.advance(-5 * MINUTE_MS)
    await maintainSessions(parts)
    assert.equal((await driver.close(owner(), id)).charged, 0n)
    assert.equal((await bed.balance()).held, 0n)
  })
})
