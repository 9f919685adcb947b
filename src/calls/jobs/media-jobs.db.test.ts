/** `media/generate` with models that render in the background, against a local vendor with the same queue API. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { openJobBed } from '../../../test/harness/beds/jobs.ts'
import type { VendorReply } from '../../../test/harness/vendors/vendor.ts'
import { LEASE_MS } from '../../jobs/job.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { newId } from '../../lib/ids.ts'
import { cents, dollars } from '../../lib/money.ts'
import { runCall } from '../run.ts'
import { quoteSale } from '../selling/quote-sale.ts'

const bed = await openJobBed()
await bed.database.query(
  "select ledger_credit($1, $2, $3, 'adjustment', 'adjustments', $4, null, null)",
  [bed.clock(), newId(bed.clock()), bed.caller.walletId, dollars('100')],
)
const READER = '/fal-ai/ffmpeg-api/metadata'
const lips = {
  model: 'sync-lipsync-2',
  video_url: 'https://a.example/1.mp4',
  audio_url: 'https://a.example/1.mp3',
}
const PLACE = '/fal-ai/veo3.1/requests/abc-1'
let statuses: VendorReply[] = []
let result: VendorReply = {}
let seconds: Readonly<Record<string, unknown>> = {}
let isHanging = false
let before: bigint

beforeEach(async () => {
  statuses = [{ body: { status: 'COMPLETED' } }]
  result = {
    body: { video: { url: 'https://vendor.example/1.mp4' } },
    headers: { 'x-fal-billable-units': '7.5' },
  }
  seconds = { [lips.video_url]: 7.5, [lips.audio_url]: 7.5 }
  isHanging = false
  before = (await bed.balance()).balance
  bed.vendor.requests.length = 0
  bed.vendor.answerWith(({ path, method, body }) => {
    if (path === READER && isHanging) return 'hang'
    if (path === READER)
      return { body: { media: { duration: seconds[(body as { media_url: string }).media_url] } } }
    if (method === 'POST')
      return { body: { request_id: 'abc-1', response_url: `https://queue.fal.run${PLACE}` } }
    if (path === `/queue${PLACE}/status`)
      return (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? {}
    return path === `/queue${PLACE}` ? result : { status: 404, body: {} }
  })
})

const boat = { model: 'veo-3.1', prompt: 'A paper boat.' }

async function submit(input: object = boat): Promise<string> {
  const { body } = await runCall(bed.calls, bed.request('media', 'generate', input))
  const { data, charged_cents } = JSON.parse(body) as {
    data: { job_id: string; async: boolean }
    charged_cents: number
  }
  assert.deepEqual([data.async, charged_cents], [true, 0])
  return data.job_id
}

async function ended(input: object = boat): ReturnType<typeof bed.result> {
  const jobId = await submit(input)
  await bed.hire().wake()
  return bed.ended(jobId)
}

describe('a video', () => {
  it('holds the price of the request, and is charged the seconds that the vendor billed', async () => {
    const jobId = await submit()
    assert.deepEqual(await bed.balance(), { balance: before, held: cents('384') })
    await bed.cancel(jobId)
    const job = await ended()
    assert.deepEqual(
      [job.status, job.charged_micros, job.result?.['model']],
      ['succeeded', Number(cents('360')), 'veo-3.1'],
    )
    assert.deepEqual(await bed.balance(), { balance: before - cents('360'), held: 0n })
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })

  it('never shows a budget below its charge', async () => {
    const {
      charged_cents: charged,
      charged_micros: micros,
      budget_cents: budget,
    } = await ended({ model: 'ltx-2', prompt: 'A paper boat.', duration: 5 })
    assert.deepEqual([micros, charged, budget], [255_468, 26, 26])
  })

  it('is never charged above its hold, even if the vendor bills more', async () => {
    result = {
      body: { video: { url: 'https://vendor.example/1.mp4' } },
      headers: { 'x-fal-billable-units': '900' },
    }
    assert.equal(
      (await ended({ ...boat, duration: 4, generate_audio: false })).charged_micros,
      Number(cents('96')),
    )
  })

  it('costs the price of the request if the vendor bills in another unit than seconds', async () => {
    result = {
      body: { video: { url: 'https://vendor.example/1.mp4' } },
      headers: { 'x-fal-billable-units': '0.05' },
    }
    assert.equal((await ended()).charged_micros, Number(cents('384')))
  })

  it('is polled at the URL that the vendor returned, and launched once', async () => {
    await ended()
    assert.deepEqual(
      bed.vendor.requests.map(({ method, path }) => `${method} ${path}`),
      ['POST /queue/fal-ai/veo3.1', `GET /queue${PLACE}/status`, `GET /queue${PLACE}`],
    )
    assert.deepEqual(bed.vendor.requests[0]?.body, {
      prompt: 'A paper boat.',
      duration: '8s',
      resolution: '720p',
      generate_audio: true,
    })
  })

  it('costs nothing if it failed at the vendor, which reports it as completed', async () => {
    result = {
      status: 422,
      body: { detail: [{ loc: ['body', 'prompt'], msg: 'refused by the checker' }] },
    }
    const job = await ended()
    assert.deepEqual(
      [job.status, job.charged_micros, job.error?.code],
      ['failed', 0, 'upstream_rejected'],
    )
    assert.match(JSON.stringify(job.error?.details), /prompt: refused by the checker/)
    assert.deepEqual(await bed.balance(), { balance: before, held: 0n })
  })

  it('ends when the vendor reports an unknown final status', async () => {
    statuses = [{ body: { status: 'CANCELLED' } }]
    const job = await ended()
    assert.deepEqual(
      [job.status, job.charged_micros, job.error?.code],
      ['failed', 0, 'upstream_error'],
    )
  })

  it('costs nothing without a file', async () => {
    result = { body: { video: null } }
    const job = await ended()
    assert.deepEqual([job.status, job.charged_micros], ['failed', 0])
  })
})

describe('work on a video of the caller', () => {
  it('is charged by its length, which the vendor measures first', async () => {
    seconds = { [lips.video_url]: 30, [lips.audio_url]: 7.5 }
    result = {
      body: { video: { url: 'https://vendor.example/1.mp4' } },
      headers: { 'x-fal-billable-units': '900' },
    }
    assert.equal(
      (await ended(lips)).charged_micros,
      Number(cents('45')),
      'cut off where the shorter one ends',
    )
    assert.deepEqual(
      bed.vendor.requests
        .slice(0, 3)
        .map(({ path, body }) => [path, (body as { media_url?: string }).media_url]),
      [
        [READER, lips.video_url],
        [READER, lips.audio_url],
        ['/queue/fal-ai/sync-lipsync/v2', undefined],
      ],
    )
    assert.equal(
      (await ended({ ...lips, sync_mode: 'silence' })).charged_micros,
      Number(cents('180')),
    )
    assert.equal((await ended({ ...lips, sync_mode: 'loop' })).charged_micros, Number(cents('45')))
    assert.equal(
      (
        await ended({
          model: 'fabric',
          image_url: 'https://a.example/1.png',
          audio_url: lips.audio_url,
        })
      ).charged_micros,
      Number(cents('72')),
    )
  })

  it('is charged for at least one second', async () => {
    seconds = { [lips.video_url]: 0.2 }
    assert.equal(
      (await ended({ model: 'veed-video-bg', video_url: lips.video_url })).charged_micros,
      Number(cents('6')),
    )
  })

  it('does not begin and is free if the files are longer than the hold covers', async () => {
    const job = await ended({ ...lips, duration: 7 })
    assert.deepEqual(
      [job.status, job.charged_micros, job.error?.code, job.error?.param, job.error?.fix],
      ['failed', 0, 'invalid_params', 'duration', 'Send "duration": 8, or shorter files.'],
    )
    assert.deepEqual(
      bed.vendor.requests.map(({ path }) => path),
      [READER, READER],
    )
    assert.deepEqual(await bed.balance(), { balance: before, held: 0n })
  })

  it('holds at most max_cost_cents, which lowers the allowed length', async () => {
    const { body } = await runCall(
      bed.calls,
      bed.request('media', 'generate', { ...lips, max_cost_cents: 50 }),
    )
    const { data, lowered } = JSON.parse(body) as { data: { job_id: string }; lowered: object }
    assert.deepEqual([lowered, (await bed.balance()).held], [{ duration: 8 }, cents('48')])
    await bed.hire().wake()
    assert.equal((await bed.ended(data.job_id)).charged_micros, Number(cents('45')))
    await assert.rejects(
      runCall(bed.calls, bed.request('media', 'generate', { ...lips, max_cost_cents: 5 })),
      { code: 'max_cost_exceeded' },
    )
  })

  it('does not begin if the length is unknown', async () => {
    seconds = {}
    const job = await ended(lips)
    assert.deepEqual([job.status, job.charged_micros, bed.vendor.requests.length], ['failed', 0, 1])
  })

  it('is measured once: another worker continues with the result of the first', async () => {
    statuses = [{ body: { status: 'IN_PROGRESS' } }]
    const jobId = await submit(lips)
    const first = bed.hire()
    await first.wake()
    while (!bed.vendor.requests.some(({ path }) => path.endsWith('/status')))
      await new Promise((turn) => setImmediate(turn))
    await first.stop(0)
    seconds = {}
    statuses = [{ body: { status: 'COMPLETED' } }]
    await bed.hire().wake()
    assert.deepEqual(
      [
        (await bed.ended(jobId)).charged_micros,
        bed.vendor.requests.filter(({ path }) => path === READER).length,
      ],
      [Number(cents('45')), 2],
    )
  })

  it('is measured again if its worker died meanwhile, and launched once', async () => {
    isHanging = true
    const jobId = await submit(lips)
    const first = bed.hire()
    await first.wake()
    while (bed.vendor.requests.length === 0) await new Promise((turn) => setImmediate(turn))
    isHanging = false
    bed.clock.advance(LEASE_MS + 1)
    await bed.hire().wake()
    await first.beat()
    const job = await bed.ended(jobId)
    assert.deepEqual(
      [job.status, job.attempt, job.charged_micros],
      ['succeeded', 2, Number(cents('45'))],
    )
    assert.equal(
      bed.vendor.requests.filter(({ path }) => path === '/queue/fal-ai/sync-lipsync/v2').length,
      1,
    )
  })
})

describe('a render in the background', () => {
  it('costs a dollar to assemble, wherever the vendor returns the URL of the video', async () => {
    result = { body: { video_url: 'https://vendor.example/1.mp4' } }
    const tracks = [
      {
        id: 'a',
        type: 'video',
        keyframes: [{ url: 'https://a.example/1.mp4', timestamp: 0, duration: 5_000 }],
      },
    ]
    assert.equal(
      (await ended({ model: 'ffmpeg-compose', tracks })).charged_micros,
      Number(cents('100')),
    )
  })

  it('is rejected before it begins if max_cost_cents does not cover it', async () => {
    await assert.rejects(
      runCall(bed.calls, bed.request('media', 'generate', { ...boat, max_cost_cents: 383 })),
      { code: 'max_cost_exceeded' },
    )
    assert.equal(bed.vendor.requests.length, 0)
  })

  it('is not sold without an account, but an image is', () => {
    assert.throws(
      () =>
        quoteSale(bed.calls, { service: 'media', action: 'generate', body: boat, mode: 'live' }),
      { code: 'invalid_token' },
    )
    assert.equal(
      quoteSale(bed.calls, {
        service: 'media',
        action: 'generate',
        body: { model: 'nano-banana', prompt: 'A boat.' },
        mode: 'live',
      }).amount,
      cents('4.78'),
    )
  })
})
