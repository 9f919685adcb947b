/** Snapshots of boxd sessions on a real database, with a local vendor that has devboxes and snapshots. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { anotherCaller, openCallBed, type CallBed } from '../../../test/harness/beds/calls.ts'
import type { VendorReply, VendorRequest } from '../../../test/harness/vendors/vendor.ts'
import type { AppError } from '../../errors/app-error.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { publicId } from '../../lib/ids.ts'
import { sweepSnapshots } from '../../resources/sessions/delete-snapshots.ts'
import { maintainSessions } from '../../resources/sessions/maintain-sessions.ts'
import { createMeteredSessions } from '../../resources/sessions/metered-sessions.ts'
import type { SessionDeps } from '../../resources/sessions/session-deps.ts'
import { snapshotHandlers } from '../../resources/sessions/snapshot-handlers.ts'
import { eraseAccount } from '../../app/chores/erase-account.ts'
import type { CallRequest, Calls } from '../call.ts'
import { runCall } from '../run.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'

const MINUTE_MS = 60_000
const START_BALANCE = 2_000_000n
const PRICE = 50_000n

/** A vendor with devboxes and their snapshots, by name. */
type Runloop = {
  readonly snapshots: Map<string, string>
  readonly created: unknown[]
  /** The state of a requested snapshot. */
  state: object
  /** Replaces the reply to an order. 'lost' creates the snapshot and returns no useful reply. */
  order: VendorReply | 'lost' | null
  /** Runs before the reply with the state of a snapshot. */
  meanwhile: (() => Promise<void>) | null
  deleteFails: boolean
}

let bed: CallBed
let calls: Calls
let parts: SessionDeps
let runloop: Runloop

beforeEach(async () => {
  bed = await openCallBed()
  parts = bed.sessions
  calls = { ...bed.calls, local: snapshotHandlers(parts, 'boxd') }
  runloop = {
    snapshots: new Map(),
    created: [],
    state: { status: 'complete' },
    order: null,
    meanwhile: null,
    deleteFails: false,
  }
  bed.vendor.answerWith(async (request) => {
    if (request.path.endsWith('/status')) await runloop.meanwhile?.()
    return answerOf(request)
  })
})

function answerOf({ path, body }: VendorRequest): VendorReply {
  if (path === '/v1/devboxes/create_and_await_running')
    return { body: { id: `dbx_${runloop.created.push(body)}`, status: 'running' } }
  if (path.endsWith('/snapshot_disk_async')) {
    if (runloop.order !== null && runloop.order !== 'lost') return runloop.order
    const id = `snp_${runloop.snapshots.size + 1}`
    runloop.snapshots.set(id, (body as { name: string }).name)
    return runloop.order === 'lost' ? { status: 502, body: {} } : { body: { id } }
  }
  const [, deleted] = /disk_snapshots\/(\w+)\/delete$/.exec(path) ?? []
  if (deleted !== undefined) {
    if (runloop.deleteFails) return { status: 500, body: {} }
    return runloop.snapshots.delete(deleted) ? { body: {} } : { status: 404, body: {} }
  }
  if (path.endsWith('/status')) return { body: runloop.state }
  if (path.startsWith('/v1/devboxes/disk_snapshots'))
    return {
      body: {
        snapshots: [...runloop.snapshots].map(([id, name]) => ({ id, name })),
        has_more: false,
      },
    }
  return { body: {} }
}

async function run<Result = { session_id: string; snapshot_id: string }>(
  action: string,
  body: object = {},
  extra: Partial<CallRequest> = {},
): Promise<Result> {
  const { body: text } = await runCall(calls, bed.request('boxd', action, body, extra))
  const { data } = JSON.parse(text) as { data: Result }
  assertFits(`boxd/${action}`, data)
  return data
}
const open = async (body: object = {}, extra: Partial<CallRequest> = {}): Promise<string> =>
  (await run('create_session', body, extra)).session_id
const take = (session: string, extra: Partial<CallRequest> = {}, name = 'deps') =>
  run<{
    snapshot_id: string
    session_id: string
    name: string
    created_at: string
    expires_at: string
  }>('snapshot', { session_id: session, name }, extra)
const listed = async (extra: Partial<CallRequest> = {}): Promise<string[]> =>
  (await run<{ snapshots: { snapshot_id: string }[] }>('list_snapshots', {}, extra)).snapshots.map(
    (one) => one.snapshot_id,
  )
const lastCreated = (): unknown => runloop.created.at(-1)
const rows = async (): Promise<number> =>
  (await bed.database.query('select from compute_snapshots')).rows.length

describe('a snapshot of a session', () => {
  it('is taken of an open session, and starts other sessions after that is closed', async () => {
    const session = await open()
    const taken = await take(session)
    assert.deepEqual(taken, {
      snapshot_id: taken.snapshot_id,
      session_id: session,
      name: 'deps',
      created_at: '2026-10-14T12:00:00.000Z',
      expires_at: '2026-10-21T12:00:00.000Z',
    })
    assert.deepEqual(
      bed.vendor.requests.slice(1).map(({ method, path, body }) => [method, path, body]),
      [
        ['POST', '/v1/devboxes/dbx_1/snapshot_disk_async', { name: taken.snapshot_id }],
        ['GET', '/v1/devboxes/disk_snapshots/snp_1/status', undefined],
      ],
    )
    await createMeteredSessions(parts).close(bed.caller, session)
    const resumed = await open({ snapshot_id: taken.snapshot_id, envs: { A: '1' } })
    assert.notEqual(resumed, session)
    const {
      snapshot_id: reference,
      blueprint_name: template,
      environment_variables: envs,
    } = lastCreated() as Record<string, unknown>
    assert.deepEqual([reference, template, envs], ['snp_1', undefined, { A: '1' }])
  })

  it('costs five cents once, and the session costs the same as without it', async () => {
    const session = await open()
    bed.clock.advance(MINUTE_MS)
    const idempotency = { key: 'one', fingerprint: 'aa' }
    const taken = await take(session, { idempotency })
    assert.deepEqual(await take(session, { idempotency }), taken)
    assert.equal(runloop.snapshots.size, 1)
    bed.clock.advance(MINUTE_MS)
    const { charged } = await createMeteredSessions(parts).close(bed.caller, session)
    // One vCPU at 5¢ an hour.
    assert.equal(charged, 1_667n)
    assert.deepEqual(await bed.balance(), { balance: START_BALANCE - PRICE - charged, held: 0n })
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })

  it('counts as a use of the session', async () => {
    const session = await open()
    for (let minute = 0; minute < 40; minute += 1) {
      bed.clock.advance(MINUTE_MS)
      await maintainSessions(parts)
      if (minute === 20) await take(session)
    }
    // A session that was closed as idle has no snapshot.
    await assert.doesNotReject(take(session))
  })

  it('of another account or mode is 404, like a missing one', async () => {
    const taken = await take(await open())
    const stranger = await anotherCaller(bed)
    const others = [{ caller: stranger }, { caller: bed.testCaller }]
    const missing = ['snap_00000000000070008000000000000000', 'snp_1', '../x']
    for (const [named, extra] of [
      ...others.map((extra) => [taken.snapshot_id, extra] as const),
      ...missing.map((named) => [named, {}] as const),
    ]) {
      await assert.rejects(open({ snapshot_id: named }, extra), {
        code: 'unknown_snapshot',
        param: 'snapshot_id',
      })
      await assert.rejects(run('delete_snapshot', { snapshot_id: named }, extra), {
        code: 'unknown_snapshot',
      })
    }
    for (const extra of others) assert.deepEqual(await listed(extra), [])
    assert.deepEqual(await listed(), [taken.snapshot_id])
    assert.equal(runloop.created.length, 1)
    await assert.rejects(take(taken.session_id, { caller: stranger }), { code: 'unknown_session' })
  })

  it('needs an open session; a closed one returns the reason of its end', async () => {
    const session = await open()
    await createMeteredSessions(parts).close(bed.caller, session)
    await assert.rejects(
      take(session),
      (error: AppError) =>
        error.code === 'unknown_session' &&
        error.message.includes('was closed') &&
        error.details?.['close_reason'] === 'asked',
    )
    const idle = await open()
    bed.clock.advance(31 * MINUTE_MS)
    await assert.rejects(take(idle), { code: 'unknown_session' })
    await assert.rejects(take('ses_nonsense'), { code: 'unknown_session' })
    assert.deepEqual([await rows(), runloop.snapshots.size], [0, 0])
  })

  it('of a session closed meanwhile is uncharged, not listed and deleted at the vendor', async () => {
    const session = await open()
    const held = await bed.balance()
    runloop.state = { status: 'error', error_message: 'devbox was shut down' }
    runloop.meanwhile = async () => {
      await createMeteredSessions(parts).close(bed.caller, session)
    }
    await assert.rejects(
      take(session),
      (error: AppError) =>
        error.code === 'unknown_session' && error.details?.['close_reason'] === 'asked',
    )
    assert.deepEqual(
      [held.balance, await bed.balance()],
      [START_BALANCE, { balance: START_BALANCE, held: 0n }],
    )
    assert.deepEqual(await listed(), [])
    await sweepSnapshots(parts)
    assert.deepEqual([await rows(), runloop.snapshots.size], [0, 0])
  })

  it('that the vendor rejects or fails is uncharged, and its session stays open', async () => {
    const session = await open()
    const { held } = await bed.balance()
    runloop.order = { status: 400, body: { message: 'no disk' } }
    await assert.rejects(take(session), { code: 'upstream_rejected' })
    assert.equal(await rows(), 0, 'a rejected order leaves nothing to search for')
    runloop.order = null
    runloop.state = { status: 'error', error_message: 'disk too large.' }
    await assert.rejects(take(session), {
      code: 'upstream_error',
      message: 'The vendor could not take the snapshot: disk too large. Nothing was charged.',
    })
    assert.deepEqual(await bed.balance(), { balance: START_BALANCE, held })
    assert.deepEqual(
      (await bed.transactions()).map(({ status, amount_micros: amount, error_code: code }) => [
        status,
        amount,
        code,
      ]),
      [
        ['released', 0n, 'upstream_rejected'],
        ['released', 0n, 'upstream_error'],
      ],
    )
    runloop.state = { status: 'complete' }
    await take(session)
  })

  it('is found by its name and deleted at the vendor if its order was lost', async () => {
    const session = await open()
    runloop.order = 'lost'
    await assert.rejects(take(session), { code: 'upstream_error' })
    assert.equal(runloop.snapshots.size, 1)
    await sweepSnapshots(parts)
    assert.equal(runloop.snapshots.size, 0)
    assert.equal(await rows(), 1, 'the vendor may still create it')
    bed.clock.advance(61 * MINUTE_MS)
    await sweepSnapshots(parts)
    assert.equal(await rows(), 0)
  })

  it('of a dead process is ended and deleted by another process', async () => {
    const session = await open()
    runloop.meanwhile = async () => {
      runloop.meanwhile = null
      bed.clock.advance(11 * MINUTE_MS)
      await sweepSnapshots(parts)
    }
    await assert.rejects(take(session), { code: 'upstream_timeout' })
    await sweepSnapshots(parts)
    assert.deepEqual([await rows(), runloop.snapshots.size], [0, 0])
    assert.equal((await bed.balance()).balance, START_BALANCE)
  })

  it('is deleted by its owner, and at the vendor with retries', async () => {
    const [first, second] = [await take(await open()), await take(await open())]
    assert.deepEqual(await listed(), [second.snapshot_id, first.snapshot_id])
    await run('delete_snapshot', { snapshot_id: first.snapshot_id })
    assert.deepEqual(await listed(), [second.snapshot_id])
    await assert.rejects(open({ snapshot_id: first.snapshot_id }), { code: 'unknown_snapshot' })
    await assert.rejects(run('delete_snapshot', { snapshot_id: first.snapshot_id }), {
      code: 'unknown_snapshot',
    })
    runloop.deleteFails = true
    await sweepSnapshots(parts)
    assert.equal(runloop.snapshots.size, 2)
    runloop.deleteFails = false
    bed.clock.advance(MINUTE_MS)
    await sweepSnapshots(parts)
    assert.deepEqual([...runloop.snapshots.values()], [second.snapshot_id])
  })

  it('is deleted seven days after it was taken', async () => {
    const taken = await take(await open())
    bed.clock.advance(7 * DAY_MS - 1)
    await sweepSnapshots(parts)
    assert.deepEqual(await listed(), [taken.snapshot_id])
    bed.clock.advance(1)
    assert.deepEqual(await listed(), [])
    await assert.rejects(open({ snapshot_id: taken.snapshot_id }), { code: 'unknown_snapshot' })
    await sweepSnapshots(parts)
    assert.deepEqual([await rows(), runloop.snapshots.size], [0, 0])
  })

  it('is ended and loses its name when its account is erased', async () => {
    const session = await open()
    await take(session)
    await createMeteredSessions(parts).close(bed.caller, session)
    await eraseAccount(
      { database: bed.database, now: bed.clock },
      publicId('account', bed.caller.accountId),
    )
    assert.deepEqual(
      (
        await bed.database.query(
          'select name, ended_ms is not null as has_ended from compute_snapshots',
        )
      ).rows,
      [{ name: null, has_ended: true }],
    )
    await sweepSnapshots(parts)
    assert.deepEqual([await rows(), runloop.snapshots.size], [0, 0])
  })

  it('is one of ten of an account, also for concurrent requests', async () => {
    const session = await open()
    const taken = await Promise.allSettled(Array.from({ length: 14 }, () => take(session)))
    const refused = taken.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as AppError] : [],
    )
    assert.deepEqual(
      refused.map(({ code }) => code),
      Array(4).fill('storage_quota_exceeded'),
    )
    assert.equal((await bed.balance()).balance, START_BALANCE - 10n * PRICE)
    const stranger = { caller: await anotherCaller(bed) }
    await take(await open({}, stranger), stranger)
    const [one = ''] = await listed()
    await run('delete_snapshot', { snapshot_id: one })
    await take(session)
  })

  it('starts a session whose call is replayed after the snapshot was deleted', async () => {
    const { snapshot_id } = await take(await open())
    const idempotency = { key: 'again', fingerprint: 'aa' }
    const session = await open({ snapshot_id }, { idempotency })
    await run('delete_snapshot', { snapshot_id })
    assert.equal(await open({ snapshot_id }, { idempotency }), session)
  })

  it('and a template cannot be combined, and the rejected call has no hold', async () => {
    const { snapshot_id } = await take(await open())
    const before = await bed.balance()
    await assert.rejects(open({ snapshot_id, template: 'blue' }), {
      code: 'invalid_params',
      param: 'snapshot_id',
    })
    await assert.rejects(runCall(calls, bed.request('boxa', 'create_session', { snapshot_id })), {
      code: 'invalid_params',
      param: 'snapshot_id',
    })
    assert.deepEqual(await bed.balance(), before)
  })

  it('exists for sessions of boxd only', async () => {
    bed.vendor.answerWith(() => ({ status: 201, body: { sandboxID: 'i9x', envdAccessToken: 't' } }))
    const { body } = await runCall(calls, bed.request('boxa', 'create_session', {}))
    const session = (JSON.parse(body) as { data: { session_id: string } }).data.session_id
    await assert.rejects(take(session), {
      code: 'invalid_params',
      param: 'session_id',
      message: 'This session belongs to "boxa", not to "boxd".',
    })
  })
})

describe('without a vendor key', () => {
  it('rejects taking, listing and deleting snapshots with the name of the setting', async () => {
    const unset = await openCallBed({ configured: false })
    for (const [action, body] of [
      ['snapshot', { session_id: 'ses_x' }],
      ['list_snapshots', {}],
      ['delete_snapshot', { snapshot_id: 'snap_x' }],
    ] as const) {
      assert.deepEqual(unset.calls.lanes.statusOf('boxd', action), {
        live: null,
        lanes: ['vendor', 'in-house'],
      })
      await assert.rejects(
        runCall(unset.calls, unset.request('boxd', action, body)),
        (error: AppError) =>
          error.code === 'upstream_not_configured' && error.fix.includes('UPSTREAM_BOXD_KEY'),
      )
    }
  })
})

describe('with a test key', () => {
  const test = (): Partial<CallRequest> => ({ caller: bed.testCaller })
  const shell = async (session: string, command: string): Promise<string> =>
    (
      await createMeteredSessions(parts).execute(
        bed.testCaller,
        session,
        { command },
        new AbortController().signal,
      )
    ).stdout

  it('restores the files written before the snapshot, and no later ones', async () => {
    const first = await open({}, test())
    await shell(first, 'echo one > a.txt')
    const { snapshot_id } = await take(first, test())
    await shell(first, 'echo two > a.txt')
    await createMeteredSessions(parts).close(bed.testCaller, first)
    const [second, third] = [
      await open({ snapshot_id }, test()),
      await open({ snapshot_id }, test()),
    ]
    assert.equal(await shell(second, 'cat a.txt'), 'one\n')
    await shell(second, 'echo three > a.txt')
    assert.equal(await shell(third, 'cat a.txt'), 'one\n')
    assert.deepEqual(await listed(test()), [snapshot_id])
    await run('delete_snapshot', { snapshot_id }, test())
    await sweepSnapshots(parts)
    assert.deepEqual([await rows(), bed.vendor.requests.length], [0, 0])
  })
})
