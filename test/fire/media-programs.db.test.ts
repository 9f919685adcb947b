/** Media models of the machine, with the real ffmpeg and espeak-ng. The other tests use scripts in their place. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { findOwner } from '../../src/accounts/find-account.ts'
import { grantCredit } from '../../src/accounts/grant-credit.ts'
import { findMediaPrograms } from '../../src/app/wiring/in-house/media.ts'
import { dollars } from '../../src/lib/money.ts'
import { machineId } from '../../src/lib/machine/machine-id.ts'
import { findTestIsolation } from '../../src/resources/boxes/testing/find-isolation.ts'
import { cleanUp } from '../harness/clean-up.ts'
import {
  dataFolder,
  startGateway,
  type GatewayProcess,
} from '../harness/clients/gateway-process.ts'
import { eventually } from '../harness/eventually.ts'
import { cloneDatabase, databaseUrl } from '../harness/postgres.ts'

type Answer = {
  readonly ok: boolean
  readonly data?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: string; readonly param?: string; readonly message: string }
  readonly charged_micros: number
}
type MadeFile = {
  readonly url: string
  readonly content_type: string
  readonly duration?: number
  readonly width?: number
  readonly height?: number
}

const isolation = await findTestIsolation()
const { ffmpeg, ffprobe, espeak } = findMediaPrograms(process.env['PATH'] ?? '')
const needsPrograms =
  isolation.skip !== false
    ? isolation.skip
    : ffmpeg === null || ffprobe === null || espeak === null
      ? 'needs ffmpeg and espeak-ng (apt-get install ffmpeg espeak-ng)'
      : false
const data = dataFolder()
const files = mkdtempSync(join(tmpdir(), 'tollgate-films-'))
cleanUp(() => rmSync(files, { recursive: true, force: true }))
let settings: Readonly<Record<string, string>> = {}
let gateway: GatewayProcess
let key = ''

async function call(action: string, body: object): Promise<Answer> {
  const reply = await fetch(`${gateway.url}/api/run/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await reply.json()) as Answer
}

async function upload(name: string, type: string): Promise<string> {
  const { data: slot, ...rest } = await call('media/upload', {
    file_name: name,
    content_type: type,
  })
  assert.ok(slot !== undefined, JSON.stringify(rest))
  const put = await fetch(String(slot['upload_url']), {
    method: 'PUT',
    body: readFileSync(join(files, name)),
  })
  assert.equal(put.status, 200, await put.text())
  return String(slot['file_url'])
}

/** The end of a job, and its charge in micro-dollars. */
async function ended(input: object): Promise<Readonly<Record<string, unknown>>> {
  const { data: job, ...rest } = await call('media/generate', input)
  assert.ok(job !== undefined, JSON.stringify(rest))
  assert.equal(job['async'], true)
  for (;;) {
    const { data: end = {} } = await call('media/result', { job_id: job['job_id'], wait_s: 60 })
    if (end['status'] === 'succeeded' || end['status'] === 'failed') return end
  }
}

async function fetchTo(name: string, url: string): Promise<string> {
  const path = join(files, name)
  writeFileSync(path, Buffer.from(await (await fetch(url)).arrayBuffer()))
  return path
}

function inspect(path: string): { readonly seconds: number; readonly streams: readonly string[] } {
  const report = JSON.parse(
    execFileSync(
      ffprobe ?? '',
      ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', path],
      {
        encoding: 'utf8',
      },
    ),
  ) as {
    streams: { codec_name: string; width?: number; height?: number }[]
    format: { duration?: string }
  }
  return {
    seconds: Number(report.format.duration),
    streams: report.streams.map(({ codec_name: codec, width, height }) =>
      width === undefined ? codec : `${codec} ${width}x${height}`,
    ),
  }
}

/** Runs ffmpeg with words separated by spaces; paths of the test have none. */
function film(words: string): Buffer {
  return execFileSync(ffmpeg ?? '', `-v error ${words}`.split(' '), {
    maxBuffer: 64 * 1024 * 1024,
  })
}

/** The pixels of a frame, in shades of gray. */
function frameAt(path: string, seconds: number): Buffer {
  return film(`-ss ${seconds} -i ${path} -frames:v 1 -f rawvideo -pix_fmt gray -`)
}

function makeClip(name: string, color: string, seconds: number, hasSound: boolean): void {
  const sound = hasSound ? `-f lavfi -i sine=frequency=330:duration=${seconds} -c:a aac ` : ''
  film(
    `-f lavfi -i color=${color}:size=320x240:rate=25:duration=${seconds} ${sound}-c:v libx264 -pix_fmt yuv420p ${join(files, name)}`,
  )
}

describe('media models of the machine', { skip: needsPrograms, timeout: 300_000 }, () => {
  const urls: Record<string, string> = {}

  before(async () => {
    const { database, target } = await cloneDatabase()
    settings = {
      DATABASE_URL: databaseUrl(target),
      DATA_DIR: data,
      IN_HOUSE: 'media',
      BOX_UNLIMITED: 'true',
    }
    gateway = await startGateway(settings)
    key = /tg_live_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? ''
    const owner = await findOwner(database)
    assert.ok(owner !== null)
    await grantCredit(
      { database, now: Date.now },
      { accountId: owner.accountId, mode: 'live', amount: dollars('20') },
    )
    makeClip('red.mp4', 'red', 2, true)
    makeClip('blue.mp4', 'blue', 1, false)
    film(`-f lavfi -i sine=frequency=660:duration=5 ${join(files, 'music.mp3')}`)
    for (const [name, type] of [
      ['red.mp4', 'video/mp4'],
      ['blue.mp4', 'video/mp4'],
      ['music.mp3', 'audio/mpeg'],
    ] as const)
      urls[name] = await upload(name, type)
  })

  it('joins two clips with music and captions', async () => {
    const end = await ended({
      model: 'ffmpeg-assembly',
      video_urls: [urls['red.mp4'], urls['blue.mp4']],
      audio_url: urls['music.mp3'],
      captions: [
        { text: "It's 50% {off}: a\\b, [c];\nsecond line", timestamp: 0, duration: 1_000 },
      ],
      aspect_ratio: '16:9',
      resolution: '480p',
    })
    assert.equal(end['status'], 'succeeded', JSON.stringify(end))
    assert.equal(end['charged_micros'], 1_000_000)
    const { video } = end['result'] as { video: MadeFile }
    const path = await fetchTo('film.mp4', video.url)
    const { seconds, streams } = inspect(path)
    assert.ok(Math.abs(seconds - 3) < 0.2, String(seconds))
    assert.deepEqual(streams, ['h264 854x480', 'aac'])
    assert.deepEqual([video.width, video.height, video.content_type], [854, 480, 'video/mp4'])
    // White letters appear on the red clip only while the caption is shown.
    const brightest = (at: number): number => frameAt(path, at).reduce((a, b) => Math.max(a, b), 0)
    assert.ok(brightest(0.5) > 200, 'the caption is white')
    assert.ok(brightest(1.5) < 150, 'the caption ends')
  })

  it('speaks two languages, also as MP3', async () => {
    for (const [language, format, codec] of [
      ['en', 'wav', 'pcm_s16le'],
      ['de', 'mp3', 'mp3'],
    ] as const) {
      const text = language === 'en' ? 'The gate opens at nine.' : 'Das Tor öffnet um neun Uhr.'
      const answer = await call('media/generate', {
        model: 'espeak-ng',
        text,
        language,
        output_format: format,
      })
      const audio = answer.data?.['audio'] as MadeFile
      assert.ok(answer.ok, JSON.stringify(answer))
      const { seconds, streams } = inspect(await fetchTo(`speech.${format}`, audio.url))
      assert.deepEqual(streams, [codec])
      assert.ok(seconds > 1 && seconds < 5, String(seconds))
      assert.equal(answer.charged_micros, Array.from(text).length * 10)
    }
    const unknown = await call('media/generate', {
      model: 'espeak-ng',
      text: 'Hello.',
      language: 'zz',
    })
    assert.deepEqual([unknown.error?.code, unknown.error?.param], ['invalid_params', 'language'])
  })

  it('takes a frame in the requested size', async () => {
    const answer = await call('media/generate', {
      model: 'ffmpeg-thumbnail',
      video_url: urls['red.mp4'],
      start_s: 1,
      aspect_ratio: '1:1',
      resolution: '1K',
    })
    assert.ok(answer.ok, JSON.stringify(answer))
    const [image] = answer.data?.['images'] as MadeFile[]
    assert.deepEqual(inspect(await fetchTo('frame.jpg', image?.url ?? '')).streams, [
      'mjpeg 1024x1024',
    ])
    assert.equal(answer.charged_micros, 10_000)
  })

  it('converts a file to every format', async () => {
    for (const [format, expected] of [
      ['webm', ['vp9 640x480', 'opus']],
      ['mp3', ['mp3']],
      ['wav', ['pcm_s16le']],
      ['gif', ['gif 640x480']],
      ['png', ['png 640x480']],
      ['webp', ['webp 640x480']],
    ] as const) {
      const end = await ended({
        model: 'ffmpeg-convert',
        file_url: urls['red.mp4'],
        output_format: format,
        start_s: 0.5,
        duration: 1,
        aspect_ratio: '4:3',
        resolution: '480p',
      })
      assert.equal(end['status'], 'succeeded', `${format}: ${JSON.stringify(end)}`)
      const { video, audio, images } = end['result'] as {
        video?: MadeFile
        audio?: MadeFile
        images?: MadeFile[]
      }
      const { streams } = inspect(
        await fetchTo(`converted.${format}`, (video ?? audio ?? images?.[0])?.url ?? ''),
      )
      assert.deepEqual(streams, expected)
    }
  })

  it('rejects files that name other files, and text that is no media', async () => {
    writeFileSync(
      join(files, 'list.m3u8'),
      '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n',
    )
    writeFileSync(join(files, 'concat.txt'), "ffconcat version 1.0\nfile '/etc/passwd'\n")
    writeFileSync(
      join(files, 'drawing.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
    )
    for (const name of ['list.m3u8', 'concat.txt', 'drawing.svg']) {
      const url = await upload(name, 'application/octet-stream')
      const answer = await call('media/generate', { model: 'ffmpeg-thumbnail', video_url: url })
      assert.deepEqual(
        [answer.error?.code, answer.error?.param],
        ['invalid_params', 'video_url'],
        name,
      )
    }
  })

  it('leaves no files after a kill during a render, and the next worker ends the job', async () => {
    makeClip('long.mp4', 'green', 90, true)
    const url = await upload('long.mp4', 'video/mp4')
    const { data: job } = await call('media/generate', {
      model: 'ffmpeg-convert',
      file_url: url,
      output_format: 'webm',
      aspect_ratio: '16:9',
      resolution: '480p',
    })
    const homes = join(data, 'boxes', machineId())
    const places = (): string[] =>
      readdirSync(homes)
        .filter((name) => /^[0-9a-f]{8}$/.test(name))
        .flatMap((name) => readdirSync(join(homes, name)))
    await eventually(() => assert.equal(places().length, 1))
    // The same port, so that links stay valid.
    const { port } = new URL(gateway.url)
    await gateway.end('SIGKILL')
    gateway = await startGateway({ ...settings, PORT: port })
    for (;;) {
      const { data: end = {} } = await call('media/result', { job_id: job?.['job_id'], wait_s: 60 })
      if (end['status'] !== 'succeeded' && end['status'] !== 'failed') continue
      assert.equal(end['status'], 'succeeded', JSON.stringify(end))
      assert.equal(end['charged_micros'], 100_000)
      break
    }
    await eventually(() => assert.deepEqual(places(), []))
  })
})
