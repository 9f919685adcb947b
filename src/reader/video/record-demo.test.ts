import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { tryTimeLimits } from '../../../test/harness/try-time-limits.ts'
import { AppError } from '../../errors/app-error.ts'
import { systemClock } from '../../lib/clock.ts'
import { samplePage } from '../../simulators/sample-site.ts'
import { createGuard } from '../../upstream/guard.ts'
import { createBrowser } from '../render/browser.ts'
import { findFfmpeg, type FfmpegPlaces } from './find-ffmpeg.ts'
import { openPage, startVisit } from './open-page.ts'
import type { DemoRequest } from './demo-request.ts'
import { createDemoRecorder, type RecordDemo, type Recording } from './record-demo.ts'
import { addSpeech, secondsOfSound, soundFormOf } from './speech.ts'
import type { DemoStep, Scene } from './step.ts'
import { createSurveyor } from './survey-pages.ts'

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/tollgate')
const PAGE = `<title>Ledgerly</title><style>body { margin: 0; font: 18px sans-serif } #far { margin-top: 1500px }</style>
<h1>Books that balance</h1><a href="/prices" target="_blank">Prices</a> <button onclick="for (;;);">Think</button> <button onclick="fetch('/thing', { method: 'DELETE' })">Tidy up</button>
<form action="/buy" method="post"><button>Order now</button></form><h2 id="far">Far below</h2><p>All the way down there is more to read.</p>`

const requests: string[] = []
const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`)
  response
    .writeHead(request.url === '/gone' ? 404 : 200, { 'content-type': 'text/html' })
    .end(request.url === '/prices' ? '<title>Prices</title><h1>What it costs</h1>' : PAGE)
})
const local = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] })
const open = createGuard({ allowPrivateNetworks: [] })
const settings = {
  userAgent: 'Tollgate-Test/1.0',
  concurrency: 2,
  cacheFolder: CACHE,
  searchPath: process.env['PATH'] ?? '',
  now: systemClock,
}
const browser = createBrowser({ ...settings, guard: local })
const ffmpeg: FfmpegPlaces = { path: null, searchPath: process.env['PATH'] ?? '' }
let folder: string
let site: string

before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  folder = await mkdtemp(join(tmpdir(), 'tollgate-videos-'))
})
after(async () => {
  await browser.close()
  await Promise.all([local.close(), open.close(), rm(folder, { recursive: true, force: true })])
  server.closeAllConnections()
  server.close()
})

const REQUEST = {
  aspectRatio: '16:9',
  maxSeconds: 2,
  accountId: 'a',
  signal: new AbortController().signal,
  whyStop: () => null,
  onScene: () => undefined,
} as const

type Demo = { recording: Recording; facts: string }

function openRecorder(guard = local, places = ffmpeg, now = systemClock): RecordDemo {
  return createDemoRecorder({
    browser,
    guard,
    mayRead: undefined,
    ffmpeg: places,
    folder,
    maxConcurrentVideos: 1,
    now,
  })
}

async function recordDemo(
  script: DemoStep[],
  request: Partial<DemoRequest> = {},
  record = openRecorder(),
): Promise<Demo | { scenes: readonly Scene[] }> {
  const made = await record({ ...REQUEST, script, ...request }, async (recording) => ({
    recording,
    facts: await factsOf(recording.path),
  }))
  return 'result' in made ? made.result : made
}

/** ffmpeg's description of the file. It exits with an error, because no output is given. */
async function factsOf(path: string): Promise<string> {
  return promisify(execFile)(await findFfmpeg(ffmpeg), ['-hide_banner', '-i', path]).then(
    ({ stderr }) => stderr,
    ({ stderr }: { stderr: string }) => stderr,
  )
}

describe('a demo video', () => {
  it('is refused to an account with half an hour of recordings within an hour', async () => {
    let passedMs = 0
    const record = openRecorder(local, ffmpeg, () => systemClock() + passedMs)
    const script: DemoStep[] = [{ action: 'open', url: site, seconds: 0.1 }]
    await record({ ...REQUEST, script }, async () => {
      passedMs += 31 * 60_000
    })
    await assert.rejects(recordDemo(script, {}, record), { code: 'rate_limited' })
    assert.ok('recording' in (await recordDemo(script, { maxSeconds: 1, accountId: 'b' }, record)))
    passedMs += 60 * 60_000
    assert.ok('recording' in (await recordDemo(script, { maxSeconds: 1 }, record)))
  })

  it('is H.264 with the reported size, length and steps, and leaves nothing on disk', async () => {
    const made = await recordDemo(
      [
        { action: 'open', url: site, seconds: 0.2, say: 'Hello' },
        { action: 'click', target: 'Prices', seconds: 0.2 },
        { action: 'click', target: 'css=[[', seconds: 0.2 },
      ],
      {
        maxSeconds: 3,
        speech: new Map<number, Uint8Array>([
          [0, tone(0.3)],
          [1, Buffer.from('no sound')],
        ]),
      },
    )
    assert.ok('recording' in made)
    const {
      recording: { path, width, height, seconds, scenes },
      facts,
    } = made
    assert.match(facts, /Video: h264 .*yuv420p.* 1280x720.*Audio: aac/s)
    assert.deepEqual(made.recording.spoken, [0])
    const [, lasted] = /Duration: 00:00:(\d\d\.\d\d)/.exec(facts) ?? []
    assert.ok(Math.abs(Number(lasted) - seconds) < 0.09, `${lasted} against ${seconds}`)
    assert.ok(seconds > 1 && seconds <= 3)
    assert.deepEqual([width, height], [1280, 720])
    // Without the script, the link would open another window.
    assert.deepEqual(
      scenes.map(({ ok, url, error }) => [ok, url, error]),
      [
        [true, `${site}/`, undefined],
        [true, `${site}/prices`, undefined],
        [false, `${site}/prices`, scenes[2]?.error],
      ],
    )
    assert.match(scenes[2]?.error ?? '', /not_done|out of time/)
    assert.ok(
      scenes.every(
        ({ start_seconds, end_seconds }, index) =>
          start_seconds <= end_seconds && start_seconds === (scenes[index - 1]?.end_seconds ?? 0),
      ),
    )
    await assert.rejects(access(path))
    assert.deepEqual(await readdir(folder), [])
  })

  it('stays within its maximum length, reports omitted steps, and ends early on request', async () => {
    const made = await recordDemo(
      [
        { action: 'open', url: site, seconds: 20, say: 'A long look' },
        { action: 'scroll', target: 'Far below' },
        { action: 'scroll' },
      ],
      { aspectRatio: '9:16', title: 'Mine', whyStop: whyStopAt(3) },
    )
    assert.ok('recording' in made)
    assert.match(made.facts, /Duration: 00:00:0[12]\..*720x1280/s)
    assert.deepEqual(
      made.recording.scenes.map(({ ok, error }) => [ok, error]),
      [
        [true, undefined],
        [false, 'out of time'],
        [false, 'cancelled'],
      ],
    )
  })

  it('is not recorded for pages that cannot be opened or are private', async () => {
    for (const [url, error, guard] of [
      ['http://10.1.2.3/', 'blocked_address', open],
      ['http://127.0.0.1:22/', 'blocked_address', open],
      ['http://169.254.169.254/latest', 'blocked_address', local],
      [`${site}/gone`, 'http_status', local],
    ] as const) {
      const made = await recordDemo(
        [
          { action: 'open', url },
          { action: 'click', target: 'Prices' },
        ],
        {},
        openRecorder(guard),
      )
      assert.ok('scenes' in made)
      assert.deepEqual(
        made.scenes.map((scene) => scene.error),
        [error, 'not_opened'],
        url,
      )
    }
    assert.deepEqual(await readdir(folder), [])
  })

  it('continues after a page stops responding', async () => {
    await tryTimeLimits([4_000, 20_000, 60_000], async (stepTimeoutMs) => {
      const made = await recordDemo(
        [
          { action: 'open', url: site, seconds: 0.1 },
          { action: 'click', target: 'Think', seconds: 0.1 },
          { action: 'scroll' },
        ],
        { maxSeconds: 2.5, stepTimeoutMs },
      )
      assert.ok('recording' in made)
      assert.deepEqual(
        made.recording.scenes.slice(0, 2).map(({ error }) => error),
        [undefined, 'stuck'],
      )
      assert.equal(made.recording.scenes[2]?.ok, false)
    })
  })

  it('fails with upstream_not_configured without ffmpeg', async () => {
    await assert.rejects(
      recordDemo(
        [{ action: 'open', url: site }],
        {},
        openRecorder(local, { path: '/nowhere/ffmpeg', searchPath: '' }),
      ),
      (error: unknown) => error instanceof AppError && error.code === 'upstream_not_configured',
    )
  })

  it('stops immediately when the caller aborts', async () => {
    const leaving = new AbortController()
    const recording = recordDemo([{ action: 'open', url: site, seconds: 15 }], {
      maxSeconds: 20,
      signal: leaving.signal,
      whyStop: () => (setImmediate(() => leaving.abort()), null),
    })
    await assert.rejects(recording, { name: 'AbortError' })
    assert.deepEqual(await readdir(folder), [])
  })
})

/** Cancels before the step with this number. */
function whyStopAt(number: number): () => string | null {
  let asked = 0
  return () => ((asked += 1) >= number ? 'cancelled' : null)
}

it('submits no form, deletes nothing and stays on its site in a generated script', async () => {
  requests.length = 0
  const signal = new AbortController().signal
  await browser.withPage({ accountId: 'a', signal }, async (page) => {
    const visit = await startVisit(
      page,
      { guard: local, mayRead: undefined, signal, now: systemClock },
      { onlyHosts: [new URL(site).host] },
    )
    assert.equal(await openPage(visit, site), null)
    await page.click('text=Tidy up')
    await page.click('text=Order now')
    assert.equal(
      await page.evaluate("fetch('/reading', { method: 'POST' }).then(({ status }) => status)"),
      200,
    )
    assert.equal(page.url(), `${site}/`)
    assert.notEqual(await openPage(visit, site.replace('127.0.0.1', 'localhost')), null)
  })
  assert.deepEqual(
    requests.filter((request) => !request.startsWith('GET ')),
    ['POST /reading'],
  )
})

it('adds spoken lines at their steps, one after another', async () => {
  const program = await findFfmpeg(ffmpeg)
  const [silent, one, two, output] = ['silent.mp4', 'one.wav', 'two.wav', 'spoken.mp4'].map(
    (name) => join(folder, name),
  ) as [string, string, string, string]
  await promisify(execFile)(program, [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'color=c=blue:s=64x64:d=3',
    '-pix_fmt',
    'yuv420p',
    silent,
  ])
  for (const path of [one, two]) await writeFile(path, tone(0.5))
  assert.ok(
    Math.abs(((await secondsOfSound(program, { path: one, form: 'wav' })) ?? 0) - 0.5) < 0.03,
  )
  await writeFile(output, '#EXTM3U\n/etc/passwd')
  assert.equal(await secondsOfSound(program, { path: output, form: 'wav' }), null)
  assert.deepEqual([soundFormOf(tone(0.1)), soundFormOf(Buffer.from('#EXTM3U'))], ['wav', null])
  await addSpeech(
    program,
    silent,
    [
      { path: one, form: 'wav', startSeconds: 0.5 },
      { path: two, form: 'wav', startSeconds: 2 },
    ],
    3,
    output,
  )
  assert.match(await factsOf(output), /Duration: 00:00:03\.0.*Video: h264.*Audio: aac/s)
  const { stderr } = await promisify(execFile)(program, [
    '-hide_banner',
    '-i',
    output,
    '-af',
    'silencedetect=noise=-30dB:d=0.2',
    '-f',
    'null',
    '-',
  ])
  const silence = [...stderr.matchAll(/silence_(start|end): (-?[\d.]+)/g)].map(
    ([, edge, seconds]) => `${edge} ${Math.abs(Number(seconds)).toFixed(1)}`,
  )
  assert.deepEqual(silence.slice(0, 5), [
    'start 0.0',
    'end 0.5',
    'start 1.0',
    'end 2.0',
    'start 2.5',
  ])
  await Promise.all([silent, one, two, output].map((path) => rm(path)))
})

/** A WAV file with a plain tone: 8 kHz, mono, 16 bits. */
function tone(seconds: number): Buffer {
  const samples = Math.round(seconds * 8_000)
  const wav = Buffer.alloc(44 + samples * 2)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(36 + samples * 2, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(8_000, 24)
  wav.writeUInt32LE(16_000, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(samples * 2, 40)
  for (let index = 0; index < samples; index += 1)
    wav.writeInt16LE(Math.round(Math.sin(index / 3) * 12_000), 44 + index * 2)
  return wav
}

describe('a survey', () => {
  const signal = new AbortController().signal

  it('returns the visible parts of each page, or why it could not be opened', async () => {
    const survey = createSurveyor({ browser, guard: local, mayRead: undefined, now: systemClock })
    const [page, gone] = await survey({
      urls: [site, `${site}/gone`],
      aspectRatio: '16:9',
      accountId: 'a',
      signal,
    })
    assert.ok(page !== undefined && 'facts' in page)
    assert.deepEqual(
      page.facts.headings.map(({ text, following }) => [text, following]),
      [
        ['Books that balance', ''],
        ['Far below', 'All the way down there is more to read.'],
      ],
    )
    assert.ok((page.facts.headings[1]?.topPx ?? 0) > 1_400)
    assert.deepEqual([page.facts.title, page.facts.links[0]?.href], ['Ledgerly', `${site}/prices`])
    assert.deepEqual(gone, { url: `${site}/gone`, flaw: 'http_status' })
  })

  it('fetches nothing for sample pages', async () => {
    requests.length = 0
    const survey = createSurveyor({ browser, guard: local, mayRead: undefined, now: systemClock })
    const [page] = await survey({
      urls: [site],
      aspectRatio: '9:16',
      accountId: 'a',
      signal,
      samplePage,
    })
    assert.ok(page !== undefined && 'facts' in page)
    assert.match(page.facts.title, /simulated/)
    assert.deepEqual(requests, [])
  })
})
