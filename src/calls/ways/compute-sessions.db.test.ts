/** Opening compute sessions on a real database. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { anotherCaller, withSessions } from '../../../test/harness/beds/calls.ts'
import {
  MINUTE_MS,
  TEN_MINUTES,
  openSessionBed,
  type SessionBed,
  type LiveOwner,
} from '../../../test/harness/beds/session-bed.ts'
import { createAccount } from '../../accounts/create-account.ts'
import { AppError } from '../../errors/app-error.ts'
import { newId, parsePublicId, publicId } from '../../lib/ids.ts'
import { maintainSessions } from '../../resources/sessions/maintain-sessions.ts'
import { runCall } from '../run.ts'

let session: SessionBed

beforeEach(async () => {
  session = await openSessionBed()
})
afterEach(() => session.verify())

describe('a compute session', () => {
  it('is unknown to others, like a missing id and invalid text', async () => {
    const { bed, driver, open, owner, run, vendor } = session
    const id = await open()
    const { account } = await createAccount(
      { database: bed.database, now: bed.clock },
      { email: `${newId(bed.clock())}@gate.example.com`, tier: 'personal' },
    )
    for (const [named, who] of [
      [id, { ...owner(), accountId: parsePublicId('account', account.id) ?? '' }],
      [id, { ...owner(), mode: 'test' as const }],
      [`ses_${'0'.repeat(32)}`, owner()],
      ['../x', owner()],
    ] as const) {
      await assert.rejects(run(named, who as LiveOwner), { code: 'unknown_session' })
      await assert.rejects(driver.close(who, named), { code: 'unknown_session' })
    }
    assert.deepEqual(vendor.closed, [])
  })

  it('that the vendor cannot create is free, and its idempotency key is free again', async () => {
    const { bed, open, vendor } = session
    vendor.fails = new AppError('upstream_busy')
    const idempotency = { key: 'again', fingerprint: 'aa' }
    await assert.rejects(open({}, { idempotency }), { code: 'upstream_busy' })
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: 0n })
    vendor.fails = null
    const id = await open({}, { idempotency })
    assert.equal(await open({}, { idempotency }), id)
    assert.equal(vendor.made.length, 1)
    session.hasWay = false
    assert.equal(
      await open({}, { idempotency }),
      id,
      'a repeat is answered also when no machine can be had by now',
    )
    await assert.rejects(open(), { code: 'upstream_not_configured' })
  })

  it('is not opened if its hold was swept while its machine started', async () => {
    const { bed, open, vendor } = session
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

  it('is free and its machine ends if the machine could not be stored', async () => {
    const { bed, open, parts, vendor } = session
    const idempotency = { key: 'lost', fingerprint: 'aa' }
    const { database } = parts
    let commits = 0
    // The second transaction of this call starts the meter, and its response is lost.
    session.calls = withSessions(session.calls, {
      ...parts,
      database: {
        ...database,
        async transaction(work) {
          const done = await database.transaction(work)
          commits += 1
          if (commits === 2) throw new AppError('overloaded')
          return done
        },
      },
    })
    await assert.rejects(open({}, { idempotency }), { code: 'overloaded' })
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: 0n })
    assert.deepEqual(vendor.closed, vendor.made)
    await open({}, { idempotency })
    assert.equal(vendor.made.length, 2)
  })

  it('is one of fifty open sessions of an account, also for concurrent requests', async () => {
    const { bed, driver, open, owner, vendor } = session
    // Sessions of other accounts and of test keys are neither counted nor listed.
    const stranger = await anotherCaller(bed)
    for (const caller of [stranger, bed.testCaller]) await open({}, { caller })
    vendor.made.length = 0
    const asked = await Promise.allSettled(Array.from({ length: 60 }, () => open()))
    const refused = asked
      .filter((one) => one.status === 'rejected')
      .map(({ reason }) => reason as AppError)
    assert.deepEqual(
      refused.map(({ code }) => code),
      Array(10).fill('too_many_inflight'),
    )
    assert.equal((await bed.balance()).held, 50n * TEN_MINUTES)
    assert.equal(vendor.made.length, 50)
    // The error lists the open sessions.
    const { sessions } = refused[0]?.details as { sessions: { session_id: string }[] }
    assert.deepEqual(
      sessions.map((one) => one.session_id).sort(),
      asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])).sort(),
    )
    const closed = sessions[0]?.session_id ?? ''
    await driver.close(owner(), closed)
    await open()
    // Closed sessions are not listed.
    await assert.rejects(
      open(),
      (error: AppError) => !JSON.stringify(error.details).includes(closed),
    )
  })

  it('that is starting may be closed or lose its key, and is free then', async () => {
    const { bed, driver, open, owner, parts, set, vendor } = session
    const idempotency = { key: 'early', fingerprint: 'aa' }
    for (const isClosed of [true, false]) {
      const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      vendor.beforeMade = () => {
        asked.resolve()
        return answered.promise
      }
      const opening = open({}, { idempotency })
      await asked.promise
      const { rows } = await bed.database.query<{ id: string }>(
        'select id from compute_sessions where closed_ms is null',
      )
      const id = publicId('session', rows[0]?.id ?? '')
      await set('budgets', bed.caller.budgetId, "state = 'paused'")
      await maintainSessions(parts)
      await set('budgets', bed.caller.budgetId, "state = 'open'")
      if (isClosed) {
        assert.equal((await driver.close(owner(), id)).charged, 0n)
        assert.equal((await bed.balance()).held, 0n)
      }
      answered.resolve()
      if (isClosed) await assert.rejects(opening, { code: 'upstream_timeout' })
      else await driver.close(owner(), await opening)
      assert.deepEqual(
        [vendor.living(), await bed.balance()],
        [[], { balance: 2_000_000n, held: 0n }],
      )
    }
  })

  it('of boxb accepts one of three languages, and rejects others before a hold', async () => {
    const { bed, parts, vendor } = session
    session.calls = withSessions(session.calls, { ...parts, boxFor: () => vendor.box })
    for (const template of ['ruby', 'Python', '', 'daytona-medium', 3]) {
      await assert.rejects(
        runCall(session.calls, bed.request('boxb', 'create_session', { template })),
        { code: 'invalid_params', param: 'template' },
      )
    }
    assert.deepEqual(vendor.made, [])
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: 0n })
    assert.deepEqual((await bed.database.query('select id from holds')).rows, [])
    for (const template of ['python', 'typescript', 'javascript', undefined])
      await runCall(
        session.calls,
        bed.request('boxb', 'create_session', template === undefined ? {} : { template }),
      )
    assert.equal(vendor.made.length, 4)
  })

  it('is not opened without a key of its vendor', async () => {
    const { bed, calls } = session
    await assert.rejects(runCall(calls, bed.request('boxd', 'create_session', {})), {
      code: 'upstream_not_configured',
    })
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: 0n })
  })
})
