/** Browser sessions of this machine, driven by Playwright and Puppeteer through a gateway process. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import puppeteer from 'puppeteer-core'
import { findOwner } from '../../src/accounts/find-account.ts'
import { grantCredit } from '../../src/accounts/grant-credit.ts'
import { findProgram } from '../../src/lib/machine/find-program.ts'
import { cents } from '../../src/lib/money.ts'
import { isRoot } from '../../src/reader/render/browser-user-id.ts'
import { probeConfinement } from '../../src/resources/browsers/in-house/probe-confinement.ts'
import { cleanUp } from '../harness/clean-up.ts'
import {
  dataFolder,
  startGateway,
  type GatewayProcess,
} from '../harness/clients/gateway-process.ts'
import { cloneDatabase, databaseUrl, type TestDatabase } from '../harness/postgres.ts'

type Answer = {
  readonly ok: boolean
  readonly data: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: string; readonly param?: string }
  readonly charged_micros: number
}
type Session = {
  readonly session_id: string
  readonly connectUrl: string
}

const bubblewrap = findProgram('bwrap', process.env['PATH'] ?? '')
const reason =
  bubblewrap === null
    ? 'needs bubblewrap (apt-get install bubblewrap)'
    : await probeConfinement(bubblewrap, isRoot())
const skip = reason ?? false

const GONE_WITHIN_MS = 30_000

let bed: TestDatabase
let gateway: GatewayProcess
let key = ''
let port = 0
const seen: string[] = []
const pages = createServer((request, response) => {
  seen.push(request.url ?? '')
  response.setHeader('content-type', 'text/html')
  response.end(`<title>Local page</title><p id="text">Hello</p>`)
})
cleanUp(() => pages.close())

const data = dataFolder()
const start = () =>
  startGateway({
    DATABASE_URL: databaseUrl(bed.target),
    DATA_DIR: data,
    IN_HOUSE: 'browsers',
    BROWSER_SESSION_LIMIT: '3',
    LOG_LEVEL: 'info',
    ALLOW_PRIVATE_NETWORKS: '127.0.0.2/32',
  })

async function call(action: string, body: object, secret = key): Promise<Answer> {
  const reply = await fetch(`${gateway.url}/api/run/browser/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await reply.json()) as Answer
}

async function open(more: object = {}): Promise<Session> {
  const {
    ok,
    data: made,
    error,
  } = await call('create_session', {
    estimatedMinutes: 5,
    keepAlive: true,
    ...more,
  })
  assert.ok(ok, JSON.stringify(error))
  return {
    session_id: String(made['sessionId']),
    connectUrl: String(made['connectUrl']),
  }
}

/** The processes of in-house browsers. */
function browserProcesses(): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return ''
      }
    })
    .filter((line) => line.includes('--user-data-dir=/tmp/profile'))
}

async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endsMs = performance.now() + GONE_WITHIN_MS
  while (!(await isTrue())) {
    assert.ok(performance.now() < endsMs, what)
    await delay(100)
  }
}

describe('a browser session of this machine', { skip }, () => {
  before(async () => {
    await new Promise<void>((ready) => pages.listen(0, '127.0.0.2', ready))
    port = (pages.address() as AddressInfo).port
    bed = await cloneDatabase()
    gateway = await start()
    key = /tg_live_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''
    const owner = await findOwner(bed.database)
    assert.ok(owner !== null)
    await grantCredit(
      { database: bed.database, now: Date.now },
      { accountId: owner.accountId, mode: 'live', amount: cents('2000') },
    )
  })

  it('is driven by Playwright and Puppeteer at the same time', async () => {
    const { session_id, connectUrl } = await open()
    const browser = await chromium.connectOverCDP(connectUrl)
    const context = browser.contexts()[0] ?? (await browser.newContext())
    const page = await context.newPage()
    await page.goto(`http://127.0.0.2:${port}/playwright`)
    assert.equal(await page.title(), 'Local page')
    assert.equal(await page.locator('#text').textContent(), 'Hello')
    assert.ok((await page.screenshot()).length > 1_000)

    const other = await puppeteer.connect({ browserWSEndpoint: connectUrl })
    const second = await other.newPage()
    await second.goto(`http://127.0.0.2:${port}/puppeteer`)
    assert.equal(await second.title(), 'Local page')
    assert.ok(seen.includes('/playwright') && seen.includes('/puppeteer'))
    assert.equal(await page.title(), 'Local page')
    await other.disconnect()
    await browser.close()
    assert.equal((await call('session_status', { session_id })).data['alive'], true)
    const released = await call('release_session', { session_id })
    assert.equal(released.data['unused_minutes'], 4)
    assert.equal((await call('session_status', { session_id })).data['alive'], false)
    await assert.rejects(chromium.connectOverCDP(connectUrl), /404/)
  })

  it('is watched live, also after it moved to another page', async () => {
    const { session_id, connectUrl } = await open()
    const browser = await chromium.connectOverCDP(connectUrl)
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.2:${port}/watched`)
    const viewer = new AbortController()
    const live = await fetch(`${gateway.url}/api/v1/browsers/${session_id}/live`, {
      headers: { authorization: `Bearer ${key}` },
      signal: viewer.signal,
    })
    assert.equal(live.status, 200)
    const frames = readFrames(live)
    assert.deepEqual([...(await frames.next()).value.subarray(0, 2)], [0xff, 0xd8])
    const other = await browser.newPage()
    await other.goto(`http://127.0.0.2:${port}/second`)
    await other.evaluate(
      `setInterval(() => (document.body.style.background = '#' + Math.random().toString(16).slice(2, 8)), 50)`,
    )
    // Chromium sends a few frames before the first acknowledgment.
    for (let at = 0; at < 4; at += 1) await frames.next()
    const startMs = performance.now()
    for (let at = 0; at < 6; at += 1) assert.ok((await frames.next()).value.length > 500)
    const perSecond = 6_000 / (performance.now() - startMs)
    assert.ok(perSecond < 7, `${perSecond} frames a second`)
    viewer.abort()
    await browser.close()
    await call('release_session', { session_id })
  })

  it('is recorded as a video of the account, which browsers play', async () => {
    const { session_id, connectUrl } = await open({ record: true })
    const browser = await chromium.connectOverCDP(connectUrl)
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.2:${port}/recorded`)
    await page.evaluate(
      `setInterval(() => (document.body.style.background = '#' + Math.random().toString(16).slice(2, 8)), 100)`,
    )
    await until(() => videos().length === 1, 'the recording has begun')
    await delay(2_000)
    await browser.close()
    await call('release_session', { session_id })
    const recording = async () =>
      (await call('session_status', { session_id })).data['recording'] as {
        status: string
        file_id: string
      }
    // A busy machine needs longer than the release waits.
    await until(async () => (await recording()).status !== 'saving', 'the video is saved')
    const { status, file_id } = await recording()
    assert.equal(status, 'stored', gateway.output())
    assert.deepEqual(videos(), [])
    const asked = await fetch(`${gateway.url}/api/run/files/get`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ file_id }),
    })
    const { data: file } = (await asked.json()) as Answer
    const video = Buffer.from(await (await fetch(String(file['get_url']))).arrayBuffer())
    assert.equal(video.subarray(4, 8).toString(), 'ftyp')
    assert.ok(video.indexOf('moov') < video.indexOf('mdat') && video.length > 2_000)
  })

  it('reaches no loopback, private or metadata address, and no file of the machine', async () => {
    const { session_id, connectUrl } = await open()
    const browser = await puppeteer.connect({ browserWSEndpoint: connectUrl })
    const page = await browser.newPage()
    const own = new URL(gateway.url).port
    for (const address of [
      `http://127.0.0.1:${own}/api/health`,
      `http://127.0.0.1:${own}/health`,
      'http://127.0.0.1:3128/',
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
      'http://[::1]/',
    ]) {
      const response = await page.goto(address).catch(() => null)
      assert.ok(response === null || [403, 502].includes(response.status()), address)
    }
    await assert.rejects(page.goto('file:///etc/passwd'), /web pages only/)
    await assert.rejects(page.goto('chrome://version'), /web pages only/)
    const blank = await browser.newPage()
    const cdp = await blank.createCDPSession()
    await assert.rejects(
      cdp.send('Target.createBrowserContext', { proxyServer: 'direct://' }),
      /no other proxies/,
    )
    // A download and a chosen file stay inside.
    await page.goto(`http://127.0.0.2:${port}/form`)
    await page.setContent('<input type="file" id="file">')
    const input = await page.$('#file')
    assert.ok(input !== null)
    await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(
      '/etc/passwd',
    )
    const read: unknown = await page.evaluate(
      `(async () => (await document.querySelector('#file').files[0]?.text().catch(() => '')) ?? '')()`,
    )
    assert.equal(read, '')
    const udp: unknown = await page.evaluate(`(async () => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.2:3478' }] })
      const found = []
      peer.createDataChannel('x')
      peer.onicecandidate = ({ candidate }) => found.push(candidate?.candidate ?? '')
      const gathered = new Promise((done) => {
        peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && done()
      })
      await peer.setLocalDescription(await peer.createOffer())
      await gathered
      return found.filter((line) => line !== '')
    })()`)
    assert.deepEqual(udp, [])
    await browser.disconnect()
    await call('release_session', { session_id })
  })

  it('rejects a wrong token, and shows another account nothing', async () => {
    const { session_id, connectUrl } = await open()
    for (const wrong of [
      connectUrl.replace(/token=.*/, `token=${'x'.repeat(32)}`),
      connectUrl.replace(/\?.*/, ''),
      connectUrl.replace(session_id, 'ses_00000000000000000000000000000000'),
    ])
      await assert.rejects(chromium.connectOverCDP(wrong), /404/)
    assert.ok(!gateway.output().includes(new URL(connectUrl).searchParams.get('token') ?? '-'))
    await call('release_session', { session_id })
  })

  it('ends when its paid minutes are over, for its clients too', async () => {
    const { session_id, connectUrl } = await open()
    const browser = await puppeteer.connect({ browserWSEndpoint: connectUrl })
    const closed = new Promise((resolve) => browser.once('disconnected', resolve))
    await bed.database.query('update browser_sessions set paid_until_ms = 0 where session = $1', [
      session_id,
    ])
    await closed
    assert.equal((await call('session_status', { session_id })).data['alive'], false)
    assert.equal((await call('extend_session', { session_id })).error?.code, 'unknown_session')
  })

  it('leaves no process, group, session, hold or video 30 seconds after its gateway was killed', async () => {
    const { session_id, connectUrl } = await open({ record: true })
    const browser = await puppeteer.connect({ browserWSEndpoint: connectUrl })
    await browser.newPage()
    assert.ok(browserProcesses().length > 0)
    await until(() => videos().length === 1, 'the recording has begun')
    await gateway.end('SIGKILL')
    await until(() => browserProcesses().length === 0, 'no process remains')
    gateway = await start()
    await until(
      async () => (await call('session_status', { session_id })).data['alive'] === false,
      'the session is over',
    )
    assert.deepEqual(groupsOf(session_id), [])
    await until(() => videos().length === 0, 'the unfinished video is deleted')
    const { rows } = await bed.database.query<{ held: bigint }>(
      'select coalesce(sum(held_micros), 0)::bigint as held from wallets',
    )
    assert.deepEqual(rows, [{ held: 0n }])
  })
})

/** Unfinished videos. */
function videos(): readonly string[] {
  return readdirSync(join(data, 'browsers'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.mp4'),
  )
}

/** The JPEG images of a live view. */
async function* readFrames(live: Response): AsyncGenerator<Buffer, never> {
  const boundary = (live.headers.get('content-type') ?? '').replace(/.*boundary=/, '')
  const head = `--${boundary}\r\ncontent-type: image/jpeg\r\n\r\n`
  let read = Buffer.alloc(0)
  for await (const chunk of live.body ?? []) {
    read = Buffer.concat([read, chunk as Uint8Array])
    for (let end = read.indexOf(`\r\n${head}`); end !== -1; end = read.indexOf(`\r\n${head}`)) {
      yield read.subarray(read.indexOf(head) === 0 ? head.length : 0, end)
      read = read.subarray(end + 2 + head.length)
    }
  }
  throw new Error('The live view ended.')
}

/** The control groups of a session. */
function groupsOf(session: string): readonly string[] {
  return readdirSync('/sys/fs/cgroup', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name === session)
    .map(({ parentPath }) => parentPath)
}
