/** The ends of compute sessions and their machines on a real database, with races and failures. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import {
  MINUTE_MS,
  TEN_MINUTES,
  openSessionBed,
  type SessionBed,
  type LiveOwner,
} from '../../../test/harness/beds/session-bed.ts'
import { createAccount } from '../../accounts/create-account.ts'
import { AppError } from '../../errors/app-error.ts'
import { listEvents } from '../../events/list-events.ts'
import { postCredit } from '../../ledger/credit.ts'
import { newId, parsePublicId, publicId } from '../../lib/ids.ts'
import { forgetSessions, maintainSessions } from '../../resources/sessions/maintain-sessions.ts'
import { createMeteredSessions } from '../../resources/sessions/metered-sessions.ts'
import type { ReadyBox } from '../../resources/sessions/session-deps.ts'
import { tearDownSessions } from '../../resources/sessions/tear-down.ts'

const { signal } = new AbortController()
let session: SessionBed

beforeEach(async () => {
  session = await openSessionBed()
})
afterEach(() => session.verify())

describe('a compute session', () => {
  it('of a dead process is ended by another, and costs at most its held time', async () => {
    const { bed, open, parts, stateOf, vendor } = session
    // The hold precedes the vendor request.
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
    assert.equal((await maintainSessions(parts)).ended, 2)
    assert.equal((await stateOf(id)).charged, TEN_MINUTES)
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n - TEN_MINUTES, held: 0n })
  })

  it('that no process renewed ends with its hold, and is charged for that time only', async () => {
    const { bed, driver, open, owner, parts, stateOf } = session
    const id = await open()
    const paidUntilMs = bed.clock() + 10 * MINUTE_MS
    bed.clock.advance(15 * MINUTE_MS)
    assert.equal(await bed.calls.ledger.sweep(), 0)
    await maintainSessions(parts)
    assert.deepEqual(await stateOf(id), { reason: 'unpaid', charged: TEN_MINUTES })
    assert.equal((await driver.close(owner(), id)).closesAtMs, paidUntilMs)
  })

  it('writes session.closing once before it closes for lack of credit, then session.closed', async () => {
    const { bed, open, owner, parts, run } = session
    const id = await open()
    bed.clock.advance(9 * MINUTE_MS + 10_000)
    await run(id)
    // Nothing is left for the next stretch.
    const { balance, held } = await bed.balance()
    await postCredit(bed.database, {
      id: newId(bed.clock()),
      walletId: bed.caller.walletId,
      kind: 'adjustment',
      amount: held - balance,
      nowMs: bed.clock(),
    })
    for (let round = 0; round < 20; round += 1) {
      await maintainSessions(parts)
      bed.clock.advance(5_000)
    }
    const page = { after: null, limit: 10, types: ['session.*'] }
    const { events } = await listEvents(bed.database, owner(), page)
    assert.deepEqual(
      events.map(({ type, data }) => [type, data['session_id'], data['close_reason']]),
      [
        ['session.closing', id, 'unpaid'],
        ['session.closed', id, 'unpaid'],
      ],
    )
  })

  it('is closed after half an hour without use, and when the vendor has ended it', async () => {
    const { driver, open, owner, parts, pass, run, stateOf, vendor } = session
    const idle = await open()
    await pass(31)
    assert.equal((await stateOf(idle)).reason, 'idle')
    const gone = await open()
    vendor.runFails = new AppError('upstream_not_found')
    // It does not reply and is still listed, so it stays open.
    await assert.rejects(run(gone), { code: 'upstream_error' })
    assert.equal((await stateOf(gone)).reason, null)
    // The same if the vendor's list fails.
    const mute: ReadyBox = {
      ...vendor.box,
      find: () => Promise.reject(new AppError('upstream_busy')),
    }
    vendor.closed.push(...vendor.made)
    await assert.rejects(
      createMeteredSessions({ ...parts, boxFor: () => mute }).execute(
        owner(),
        gone,
        { command: 'true' },
        signal,
      ),
      { code: 'upstream_error' },
    )
    assert.equal((await stateOf(gone)).reason, null)
    vendor.closed.splice(0)
    vendor.closed.push(...vendor.made)
    await assert.rejects(run(gone), { code: 'unknown_session' })
    assert.equal((await stateOf(gone)).reason, 'gone')
    // Closed while a command runs, and listed for a moment longer.
    const closed = await open()
    const closing: ReadyBox = {
      ...vendor.box,
      async run() {
        await driver.close(owner(), closed)
        vendor.closed.pop()
        throw new AppError('upstream_not_found')
      },
    }
    await assert.rejects(
      createMeteredSessions({ ...parts, boxFor: () => closing }).execute(
        owner(),
        closed,
        { command: 'true' },
        signal,
      ),
      { code: 'unknown_session' },
    )
  })

  it('is closed half an hour after its last use, and charged until then', async () => {
    const { bed, open, pass, run, stateOf } = session
    const id = await open()
    bed.clock.advance(2 * MINUTE_MS)
    await run(id)
    await pass(29)
    assert.equal((await stateOf(id)).reason, null)
    await pass(1)
    const { reason, charged } = await stateOf(id)
    assert.equal(reason, 'idle')
    // Each stretch is rounded up.
    assert.ok(charged >= 53_334n && charged <= 53_337n, `${charged}`)
  })

  it('returns the reason of its end to its owner only', async () => {
    const { bed, driver, open, owner, pass, run } = session
    const { account } = await createAccount(
      { database: bed.database, now: bed.clock },
      { email: `${newId(bed.clock())}@gate.example.com`, tier: 'personal' },
    )
    const stranger = {
      accountId: parsePublicId('account', account.id) ?? '',
      mode: 'live' as const,
      keyId: null,
      scope: 'account' as const,
    }
    const ownTestKey = { ...owner(), mode: 'test' } as unknown as LiveOwner
    const siblingKey = { ...owner(), keyId: newId(bed.clock()), scope: 'own' } as const
    const missing = { message: 'Unknown session.', details: undefined }
    const assertCloseMessage = async (
      id: string,
      close_reason: string,
      message: RegExp,
    ): Promise<void> => {
      await assert.rejects(
        run(id),
        (error: AppError) =>
          error.code === 'unknown_session' &&
          error.details?.['close_reason'] === close_reason &&
          message.test(error.message),
      )
      await assert.rejects(run(id, stranger), missing)
      await assert.rejects(run(id, ownTestKey), missing)
      await assert.rejects(run(id, siblingKey), missing)
      await assert.rejects(driver.close(siblingKey, id), missing)
    }
    const closed = await open()
    await driver.close(owner(), closed)
    await assertCloseMessage(closed, 'asked', /was closed \(/)
    const unpaid = await open({ max_cost_cents: 1 })
    await pass(7)
    await assertCloseMessage(unpaid, 'unpaid', /was used up/)
    const idle = await open()
    await pass(31)
    await assertCloseMessage(idle, 'idle', /half an hour/)
    await assert.rejects(run(`ses_${'0'.repeat(32)}`), missing)
  })

  it('is not used beyond its held time and beyond the vendor’s limit', async () => {
    const { bed, open, parts, pass, run, stateOf } = session
    const unkept = await open()
    bed.clock.advance(10 * MINUTE_MS)
    await assert.rejects(run(unkept), { code: 'unknown_session' })
    const id = await open()
    await bed.database.query(
      'update compute_sessions set opened_ms = opened_ms - $2 where id = $1',
      [parsePublicId('session', id), (24 * 60 - 12) * MINUTE_MS],
    )
    await pass(10, id)
    // It is paid for until then, once.
    const { rows } = await bed.database.query<{ hold_id: string }>(
      'select hold_id from compute_sessions where id = $1',
      [parsePublicId('session', id)],
    )
    bed.clock.advance(1.5 * MINUTE_MS)
    await maintainSessions(parts)
    assert.deepEqual(
      (
        await bed.database.query('select hold_id from compute_sessions where id = $1', [
          parsePublicId('session', id),
        ])
      ).rows,
      rows,
    )
    assert.equal((await run(id)).closesAtMs, bed.clock() + MINUTE_MS / 2)
    // Its whole lifetime is paid for.
    bed.clock.advance(25_000)
    await maintainSessions(parts)
    assert.equal((await stateOf(id)).reason, null)
    await pass(1)
    assert.deepEqual(await stateOf(id), { reason: 'lifetime', charged: 20_001n })
  })

  it('stops its meter when closed, and ends at the vendor with retries', async () => {
    const { bed, driver, open, owner, pass, vendor } = session
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

  it('is charged until the next use if its machine is gone', async () => {
    const { bed, open, run, stateOf, vendor } = session
    const id = await open()
    bed.clock.advance(6 * MINUTE_MS)
    vendor.closed.push(...vendor.made)
    vendor.runFails = new AppError('upstream_not_found')
    await assert.rejects(run(id), { code: 'unknown_session' })
    assert.deepEqual(await stateOf(id), { reason: 'gone', charged: 10_000n })
  })

  it('stops its meter if the vendor reports it gone, not if the vendor only fails', async () => {
    const { bed, open, pass, stateOf, vendor } = session
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

  it('without a vendor key reports that, and that closing it ends its cost', async () => {
    const { bed, driver, open, owner, run } = session
    const id = await open()
    session.hasWay = false
    bed.clock.advance(MINUTE_MS)
    await assert.rejects(
      run(id),
      (error: AppError) =>
        error.code === 'upstream_not_configured' && error.fix.startsWith('Close the session'),
    )
    assert.equal((await driver.close(owner(), id)).charged, 1_667n)
    session.hasWay = true
  })

  it('is ended at its vendor by a process that has the key', async () => {
    const { driver, open, owner, pass, vendor } = session
    const id = await open()
    vendor.closeFails = true
    await driver.close(owner(), id)
    vendor.closeFails = false
    session.hasWay = false
    await pass(1)
    session.hasWay = true
    await pass(1)
    assert.deepEqual(vendor.closed, vendor.made)
  })

  it('is stored for a month after its end, so that closing it again is harmless', async () => {
    const { bed, driver, open, owner, parts } = session
    const id = await open()
    await driver.close(owner(), id)
    bed.clock.advance(29 * 24 * 60 * MINUTE_MS)
    assert.equal(await forgetSessions(parts), 0)
    assert.equal((await driver.close(owner(), id)).charged, 0n)
    bed.clock.advance(2 * 24 * 60 * MINUTE_MS)
    assert.equal(await forgetSessions(parts), 1)
    await assert.rejects(driver.close(owner(), id), { code: 'unknown_session' })
  })

  it('ends within seconds after its key is paused or revoked, unlike those of other keys', async () => {
    const { bed, driver, open, owner, parts, run, set, stateOf, vendor } = session
    for (const state of ['paused', 'closed']) {
      const [budgetId, otherBudget] = [newId(bed.clock()), newId(bed.clock())]
      await bed.database.query('insert into budgets (id) values ($1), ($2)', [
        budgetId,
        otherBudget,
      ])
      const id = await open({}, { caller: { ...bed.caller, budgetId } })
      const other = await open({}, { caller: { ...bed.caller, budgetId: otherBudget } })
      bed.clock.advance(2 * MINUTE_MS)
      await set('budgets', budgetId, `state = '${state}'`)
      await assert.rejects(run(id), {
        code: 'unknown_session',
        message: /^The key that opened this session is paused or revoked/,
      })
      await run(other)
      bed.clock.advance(5_000)
      await maintainSessions(parts)
      await tearDownSessions(parts)
      assert.deepEqual(await stateOf(id), { reason: 'unpaid', charged: 3_473n })
      assert.deepEqual(
        vendor.living().map((one) => publicId('session', one)),
        [other],
      )
      await driver.close(owner(), other)
    }
    assert.equal((await bed.balance()).held, 0n)
  })

  it('ends within seconds with its account paused or its key expired, and charges its use', async () => {
    const { bed, open, parts, run, set, stateOf } = session
    const { accountId } = bed.caller
    for (const cause of ['pause', 'expiry']) {
      const budgetId = newId(bed.clock())
      await bed.database.query('insert into budgets (id) values ($1)', [budgetId])
      const id = await open({}, { caller: { ...bed.caller, budgetId } })
      bed.clock.advance(2 * MINUTE_MS)
      if (cause === 'pause') await set('accounts', accountId, 'paused_at = now()')
      else await set('budgets', budgetId, `expires_ms = ${bed.clock()}`)
      await assert.rejects(run(id), { code: 'unknown_session' })
      bed.clock.advance(5_000)
      await maintainSessions(parts)
      assert.deepEqual(await stateOf(id), { reason: 'unpaid', charged: 3_473n })
      await set('accounts', accountId, 'paused_at = null')
    }
    assert.equal((await bed.balance()).held, 0n)
  })

  it('has an unreported machine found and ended, also a late one', async () => {
    const { bed, open, pass, vendor } = session
    vendor.answerIsLost = true
    await assert.rejects(open(), { code: 'upstream_timeout' })
    assert.deepEqual(
      [vendor.living().length, await bed.balance()],
      [1, { balance: 2_000_000n, held: 0n }],
    )
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

  it('that the vendor rejected is not searched for', async () => {
    const { open, pass, vendor } = session
    vendor.fails = new AppError('upstream_rejected')
    await assert.rejects(open(), { code: 'upstream_rejected' })
    await pass(12)
    assert.equal(vendor.lookedFor, 0)
  })

  it('is torn down by one process at a time, with pauses between attempts', async () => {
    const { bed, driver, open, owner, parts, vendor } = session
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

  it('costs nothing, and reports that, if its hold was released before its end', async () => {
    const { bed, open, parts, stateOf } = session
    const id = await open()
    bed.clock.advance(3 * 60 * MINUTE_MS)
    assert.equal(await bed.calls.ledger.sweep(), 1)
    assert.deepEqual(await maintainSessions(parts), { renewed: 0, ended: 1 })
    assert.equal((await stateOf(id)).charged, 0n)
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: 0n })
  })

  it('ends for its held amount after months without a process, also without a machine', async () => {
    const { bed, open, parts, vendor } = session
    await open()
    vendor.beforeMade = () => new Promise(() => {})
    void open()
    for (let sessions = 1; sessions < 2;)
      sessions = Number(
        (await bed.database.query<{ count: bigint }>('select count(*) from compute_sessions'))
          .rows[0]?.count ?? 0n,
      )
    bed.clock.advance(90 * 24 * 60 * MINUTE_MS)
    assert.equal((await maintainSessions(parts)).ended, 2)
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n - TEN_MINUTES, held: 0n })
  })
})
