import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { cleanUp } from '../../../../../test/harness/clean-up.ts'
import {
  createFakeBrowsers,
  FIRST_FRAME,
  SHOWN_PAGE,
  type FakeBrowsers,
} from '../../../../../test/harness/fake-browsers.ts'
import { openBrowserHost, type BrowserHost } from './browser-host.ts'
import { describeReached, endReached, isReached, watchReached } from './reach-browser.ts'

const root = mkdtempSync(join(tmpdir(), 'tollgate-browser-hosts-'))
cleanUp(() => rmSync(root, { recursive: true }))

type Process = FakeBrowsers & { readonly host: BrowserHost }

async function openProcess(): Promise<Process> {
  const host = await openBrowserHost(root)
  const fake = createFakeBrowsers(16, host)
  cleanUp(() => fake.own.close())
  return { ...fake, host }
}

let last = 0
async function openSession({ own }: Process): Promise<string> {
  last += 1
  const session = `ses_${last}`
  const { signal } = new AbortController()
  await own.open({ session, accountId: 'one', keepAlive: true, signal })
  return session
}

const one = await openProcess()
const other = await openProcess()

describe('a session of another process of this machine', () => {
  it('is found, described, watched and ended', async () => {
    const session = await openSession(one)
    const place = { session, host: one.host.name }
    assert.equal(await isReached(other.own, place), true)
    assert.deepEqual(await describeReached(other.own, place), { page: SHOWN_PAGE, viewers: 0 })
    const stream = await watchReached(other.own, place)
    assert.ok(stream !== null)
    const read: Buffer[] = []
    stream.on('data', (chunk: Buffer) => read.push(chunk))
    while (!Buffer.concat(read).includes(FIRST_FRAME)) await once(stream, 'data')
    assert.equal((await describeReached(other.own, place))?.viewers, 1)
    const ended = once(stream, 'close')
    await endReached(other.own, place)
    await ended
    assert.equal(one.started.has(session), false)
    assert.equal(await isReached(other.own, place), false)
    assert.equal(await describeReached(other.own, place), null)
    assert.equal(await watchReached(other.own, place), null)
    await endReached(other.own, place)
  })

  it('has the same limit of viewers', async () => {
    const session = await openSession(one)
    const place = { session, host: one.host.name }
    for (let at = 0; at < 8; at += 1) one.own.get(session)?.watch()
    await assert.rejects(watchReached(other.own, place), {
      code: 'rate_limited',
      retryAfterSeconds: 10,
    })
    await endReached(other.own, place)
  })

  it('is gone when its process has ended, with the folder of the process', async () => {
    const gone = await openProcess()
    writeFileSync(join(gone.host.folder, 'recording.mp4'), 'x')
    const session = await openSession(gone)
    const place = { session, host: gone.host.name }
    await gone.own.close()
    assert.equal(existsSync(gone.host.folder), false)
    assert.equal(await isReached(other.own, place), false)
    assert.equal(await watchReached(other.own, place), null)
  })

  it('fails with a clear error when another machine runs it', async () => {
    const place = { session: 'ses_far', host: '00000000-00000001' }
    const error = { code: 'upstream_busy', message: /another machine of this gateway/ }
    await assert.rejects(isReached(one.own, place), error)
    await assert.rejects(watchReached(one.own, place), error)
    await endReached(one.own, place)
  })

  it('cannot be reached without the name of its process, or by a process without browsers', async () => {
    const place = { session: 'ses_unknown', host: null }
    await assert.rejects(isReached(one.own, place), { code: 'upstream_error' })
    await assert.rejects(isReached(undefined, { ...place, host: one.host.name }), {
      code: 'upstream_error',
    })
  })
})
