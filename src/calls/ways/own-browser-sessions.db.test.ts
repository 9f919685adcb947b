/** Browser sessions on browsers of the gateway's machine. The gateway sells their minutes like those of a vendor. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, before, beforeEach, describe, it } from 'node:test'
import { openTestFiles } from '../../../test/harness/beds/files.ts'
import { createFakeBrowser } from '../../../test/harness/fake-browsers.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { anotherCaller, openCallBed, type CallBed } from '../../../test/harness/beds/calls.ts'
import { eraseAccount } from '../../app/chores/erase-account.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'
import { AppError } from '../../errors/app-error.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { publicId } from '../../lib/ids.ts'
import { cents } from '../../lib/money.ts'
import type { BrowserDeps } from '../../resources/browsers/browser-deps.ts'
import { endBrowsers } from '../../resources/browsers/end-browsers.ts'
import {
  openBrowserHost,
  type BrowserHost,
} from '../../resources/browsers/in-house/host/browser-host.ts'
import {
  createOwnBrowsers,
  type OwnBrowsers,
} from '../../resources/browsers/in-house/own-browsers.ts'
import { storeRecording } from '../../resources/browsers/store-recording.ts'
import { fileRecord } from '../../resources/files/file-row.ts'
import { findFile } from '../../resources/files/find-file.ts'
import { ownerOf } from '../../keys/caller.ts'
import { tendOwnBrowsers } from '../../resources/browsers/in-house/tend-own-browsers.ts'
import type { RunningBrowser } from '../../resources/browsers/in-house/running-browser.ts'
import type { CallRequest, Calls } from '../call.ts'
import { runCall } from '../run.ts'

const MINUTE_MS = 60_000
let bed: CallBed
let calls: Calls
let own: OwnBrowsers
let deps: BrowserDeps
const started = new Map<string, RunningBrowser>()
let failure: AppError | null
let endsAtStart: boolean

const start = async (session: string): Promise<RunningBrowser> => {
  if (failure !== null) throw failure
  let finish: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (finish = resolve))
  const hub = { connect: () => Promise.reject(new AppError('internal')) }
  const browser = {
    hub,
    ended,
    async end() {
      started.delete(session)
      finish()
    },
  }
  started.set(session, browser)
  if (endsAtStart) await browser.end()
  return browser
}

const createHost = (host?: BrowserHost): OwnBrowsers =>
  createOwnBrowsers({
    start,
    places: 2,
    publicUrl: 'https://gate.example',
    graceMs: 0,
    ...(host === undefined ? {} : { host }),
  })

async function answerOf(
  action: string,
  input: object,
  extra: Partial<CallRequest> = {},
): Promise<Record<string, unknown>> {
  const { body, charged } = await runCall(calls, bed.request('browser', action, input, extra))
  const { data } = JSON.parse(body) as { data: Record<string, unknown> }
  assertFits(`browser/${action}`, data)
  return { ...data, charged }
}

const open = async (estimatedMinutes = 30): Promise<string> =>
  String((await answerOf('create_session', { estimatedMinutes }))['sessionId'])
const extend = (session_id: string, estimatedMinutes: number) =>
  answerOf('extend_session', { session_id, estimatedMinutes })
const status = (session_id: string) => answerOf('session_status', { session_id })
const release = (session_id: string) => answerOf('release_session', { session_id })

async function refused(work: () => Promise<unknown>, expected: object): Promise<void> {
  const before = await bed.balance()
  await assert.rejects(work, expected)
  assert.deepEqual(await bed.balance(), before)
}

async function pass(minutes: number): Promise<void> {
  bed.clock.advance(minutes * MINUTE_MS)
  await endBrowsers(deps)
}

/** Sessions that show one page, with an encoder whose videos have five bytes. */
async function createRecordedHost(maxAccountBytes = 1_000_000) {
  const files = await openTestFiles(bed.database, bed.clock, {
    maxFileBytes: 1_000_000,
    maxAccountBytes,
  })
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-recordings-'))
  cleanUp(() => rmSync(folder, { recursive: true }))
  const { promise: firstWrite, resolve } = Promise.withResolvers<void>()
  const host = createOwnBrowsers({
    start: async (session) => {
      const browser = createFakeBrowser()
      started.set(session, browser)
      void browser.ended.then(() => started.delete(session))
      return browser
    },
    places: 2,
    publicUrl: 'https://gate.example',
    graceMs: 0,
    recorder: {
      folder,
      async startEncoder(path) {
        writeFileSync(path, 'video')
        resolve()
        return {
          write: async () => undefined,
          finish: async () => undefined,
          stop: () => undefined,
        }
      },
      store: (session, path) => storeRecording(files, session, path),
      onError: () => undefined,
    },
  })
  return { files, own: { own: host, folder, firstWrite } }
}

before(async () => {
  bed = await openCallBed({
    configured: false,
    inHouse: new Map([['browser.time', () => Promise.reject(new AppError('internal'))]]),
  })
})
beforeEach(() => {
  started.clear()
  failure = null
  endsAtStart = false
  own = createHost()
  calls = { ...bed.calls, browsers: own }
  deps = { database: bed.database, now: bed.clock, target: null, own }
})
afterEach(async () => assert.deepEqual((await verifyLedger(bed.database)).findings, []))

describe('a browser session on this machine', () => {
  it('is charged by paid minutes, and returns its address', async () => {
    const answer = await answerOf('create_session', { estimatedMinutes: 30 })
    const id = String(answer['sessionId'])
    assert.match(id, /^ses_[0-9a-f]{32}$/)
    assert.match(
      String(answer['connectUrl']),
      new RegExp(`^wss://gate\\.example/browsers/${id}/cdp\\?token=[\\w-]{32}$`),
    )
    assert.deepEqual([answer['paidMinutes'], answer['charged']], [30, cents('6')])
    assert.deepEqual([...started.keys()], [id])
    assert.deepEqual((await status(id))['alive'], true)
  })

  it('is extended for the same price, at most to six hours', async () => {
    const id = await open(30)
    const { balance } = await bed.balance()
    assert.equal((await extend(id, 15))['paidMinutes'], 45)
    assert.deepEqual(await bed.balance(), { balance: balance - cents('3'), held: 0n })
    await refused(() => extend(id, 316), { code: 'invalid_params', param: 'estimatedMinutes' })
  })

  it('ends after its paid minutes, and not before', async () => {
    const id = await open(30)
    await pass(29.9)
    assert.ok(started.has(id))
    await pass(0.1)
    assert.ok(!started.has(id))
    await refused(() => extend(id, 5), { code: 'unknown_session' })
  })

  it('ends after its paid minutes while no chore marks it as ended', async () => {
    const id = await open(30)
    bed.clock.advance(30 * MINUTE_MS)
    await tendOwnBrowsers(deps)
    assert.ok(!started.has(id))
  })

  it('is free when its browser ends before it is paid', async () => {
    endsAtStart = true
    await refused(() => open(), { code: 'upstream_error' })
  })

  it('ends when its owner releases it, also twice', async () => {
    const id = await open(30)
    bed.clock.advance(10 * MINUTE_MS)
    for (let times = 0; times < 2; times += 1)
      assert.equal((await release(id))['unused_minutes'], 20)
    assert.ok(!started.has(id))
    assert.equal((await status(id))['alive'], false)
  })

  it('is over when its browser ends: it is not extended, and not charged again', async () => {
    const id = await open(30)
    await started.get(id)?.end()
    assert.equal((await status(id))['alive'], false)
    await refused(() => extend(id, 5), { code: 'unknown_session' })
    await pass(0)
    assert.equal((await status(id))['alive'], false)
    assert.deepEqual(own.ended(), [])
  })

  it('is unknown to another account', async () => {
    const id = await open(30)
    const caller = await anotherCaller(bed)
    for (const action of ['extend_session', 'session_status', 'release_session'])
      await assert.rejects(answerOf(action, { session_id: id }, { caller }), {
        code: 'unknown_session',
        message: 'Unknown session.',
      })
    assert.ok(started.has(id))
  })

  it('ends in the process that runs it after another one released it', async () => {
    const id = await open(30)
    const elsewhere = createHost()
    calls = { ...calls, browsers: elsewhere }
    assert.equal((await status(id))['alive'], true)
    await release(id)
    assert.ok(started.has(id))
    await pass(0)
    assert.ok(!started.has(id))
  })

  it('is described and ended in another process of the machine without a delay', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-browser-hosts-'))
    const hosts = [await openBrowserHost(folder), await openBrowserHost(folder)] as const
    cleanUp(async () => {
      await Promise.all(hosts.map((host) => host.close()))
      rmSync(folder, { recursive: true })
    })
    const [here, there] = [createHost(hosts[0]), createHost(hosts[1])]
    calls = { ...calls, browsers: here }
    const first = await open(30)
    calls = { ...calls, browsers: there }
    assert.equal((await status(first))['alive'], true)
    assert.equal((await extend(first, 5))['paidMinutes'], 35)
    await started.get(first)?.end()
    assert.equal((await status(first))['alive'], false)
    await refused(() => extend(first, 5), { code: 'unknown_session' })
    calls = { ...calls, browsers: here }
    const second = await open(30)
    calls = { ...calls, browsers: there }
    await release(second)
    assert.ok(!started.has(second))
  })

  it('on another machine is described by the database, and ends within seconds', async () => {
    const id = await open(30)
    await bed.database.query(
      "update browser_sessions set host = '00000000-00000001' where session = $1",
      [id],
    )
    calls = { ...calls, browsers: createHost() }
    assert.equal((await status(id))['alive'], true)
    assert.equal((await release(id))['released'], true)
    assert.ok(started.has(id))
    await pass(0)
    assert.ok(!started.has(id))
  })

  it('of a process that died is over within 30 seconds', async () => {
    const id = await open(30)
    await pass(0.2)
    deps = { ...deps, own: createHost() }
    calls = { ...calls, browsers: createHost() }
    bed.clock.advance(25_000)
    assert.equal((await status(id))['alive'], false)
    await endBrowsers(deps)
    const { rows } = await bed.database.query<{ is_torn_down: boolean }>(
      'select is_torn_down from browser_sessions where ended_ms is not null and session = $1',
      [id],
    )
    assert.deepEqual(rows, [{ is_torn_down: true }])
  })

  it('is rejected, free, when all browsers or those of the account are in use', async () => {
    const id = await open()
    await refused(() => open(), { code: 'overloaded' })
    await release(id)
    await open()
  })

  it('is free when its browser does not start', async () => {
    failure = new AppError('upstream_not_configured')
    await refused(() => open(), { code: 'upstream_not_configured' })
    failure = null
    await open()
  })

  it('is rejected with proxies, which this machine does not have', async () => {
    for (const proxies of [true, 'us', { country: 'us' }])
      await refused(() => answerOf('create_session', { proxies }), {
        code: 'invalid_params',
        param: 'proxies',
      })
    await answerOf('create_session', { proxies: false })
  })

  it('is recorded when asked: the video is a file of the account when it ends', async () => {
    const { own: recorded, files } = await createRecordedHost()
    calls = { ...calls, browsers: recorded.own }
    const opened = await answerOf('create_session', { record: true, keepAlive: true })
    const id = String(opened['sessionId'])
    assert.deepEqual((await status(id))['recording'], { status: 'recording', file_id: null })
    await recorded.firstWrite
    const { recording } = await release(id)
    const { status: state, file_id: fileId } = recording as { status: string; file_id: string }
    assert.equal(state, 'stored')
    assert.deepEqual((await status(id))['recording'], recording)
    const owner = { ...ownerOf(bed.caller), mode: 'live' as const }
    const { size, source, tags } = fileRecord(files, await findFile(bed.database, owner, fileId))
    assert.deepEqual([size, source, tags], [5, 'browser/create_session', ['recording']])
    assert.deepEqual(readdirSync(recorded.folder), [])
  })

  it('has no video when it shows no page or the storage is full, and is not recorded otherwise', async () => {
    for (const isFull of [false, true]) {
      const { own: recorded } = await createRecordedHost(isFull ? 1 : 1_000_000)
      calls = { ...calls, browsers: recorded.own }
      const opened = await answerOf('create_session', { record: true, keepAlive: true })
      const id = String(opened['sessionId'])
      if (isFull) await recorded.firstWrite
      assert.deepEqual((await release(id))['recording'], { status: 'failed', file_id: null })
      assert.deepEqual(readdirSync(recorded.folder), [])
      const plain = await open()
      assert.equal((await status(plain))['recording'], undefined)
      assert.equal((await release(plain))['recording'], undefined)
    }
  })

  it('ends without a video when its account is erased', async () => {
    const { own: recorded } = await createRecordedHost()
    const caller = await anotherCaller(bed)
    calls = { ...calls, browsers: recorded.own }
    await answerOf('create_session', { record: true, keepAlive: true }, { caller })
    await recorded.firstWrite
    await eraseAccount(
      { database: bed.database, now: bed.clock },
      publicId('account', caller.accountId),
    )
    await tendOwnBrowsers({ ...deps, own: recorded.own })
    assert.deepEqual(recorded.own.running(), [])
    await recorded.own.close()
    const files = await bed.database.query(
      'select from files where account_id = $1 and object_key is not null',
      [caller.accountId],
    )
    assert.equal(files.count, 0)
  })

  it('is not opened with a recording where none can be made', async () => {
    await refused(() => answerOf('create_session', { record: true }), {
      code: 'invalid_params',
      param: 'record',
    })
    assert.equal(started.size, 0)
  })

  it('has no video when its process dies while it is saved', async () => {
    const id = await open(30)
    await release(id)
    await bed.database.query(
      "update browser_sessions set recording = 'recording' where session = $1",
      [id],
    )
    assert.deepEqual((await status(id))['recording'], { status: 'saving', file_id: null })
    bed.clock.advance(6 * MINUTE_MS)
    assert.deepEqual((await status(id))['recording'], { status: 'failed', file_id: null })
  })

  it('is found with its token only, until it ends', async () => {
    const { sessionId, connectUrl } = await answerOf('create_session', {})
    const id = String(sessionId)
    const token = new URL(String(connectUrl)).searchParams.get('token') ?? ''
    assert.equal(own.find(id, token)?.session, id)
    for (const wrong of ['', token.slice(1), 'x'.repeat(token.length)])
      assert.equal(own.find(id, wrong), undefined)
    await release(id)
    assert.equal(own.find(id, token), undefined)
  })

  it('without keepAlive ends when its last client leaves', async () => {
    for (const keepAlive of [true, false]) {
      const { sessionId, connectUrl } = await answerOf('create_session', { keepAlive })
      const id = String(sessionId)
      const token = new URL(String(connectUrl)).searchParams.get('token') ?? ''
      const session = own.find(id, token)
      const [first, second] = [session?.join(), session?.join()]
      first?.()
      assert.ok(started.has(id))
      second?.()
      if (keepAlive) await release(id)
      else await session?.browser.ended
      assert.ok(!started.has(id))
    }
  })

  it('has a limited number of clients at the same time', async () => {
    const { sessionId, connectUrl } = await answerOf('create_session', { keepAlive: true })
    const token = new URL(String(connectUrl)).searchParams.get('token') ?? ''
    const session = own.find(String(sessionId), token)
    const joined = Array.from({ length: 20 }, () => session?.join() ?? null)
    assert.equal(joined.filter((leave) => leave !== null).length, 16)
    joined[0]?.()
    assert.notEqual(session?.join(), null)
  })
})
