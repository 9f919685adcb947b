/** `media/generate` with models that render in the background, against a vendor that speaks its queue's wire. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { openJobBed } from '../../test/harness/jobs.ts'
import type { VendorReply } from '../../test/harness/vendor.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { newId } from '../lib/ids.ts'
import { cents, dollars } from '../lib/money.ts'
import { runCall } from './run.ts'
import { quoteCall } from './selling/quote-call.ts'

const bed = await openJobBed()
await bed.database.query("select ledger_credit($1, $2, $3, 'adjustment', 'adjustments', $4, null, null)", [bed.clock(), newId(bed.clock()), bed.caller.walletId, dollars('100')])
const PLACE = '/fal-ai/veo3.1/requests/abc-1'
let statuses: VendorReply[] = []
let result: VendorReply = {}
let before: bigint

beforeEach(async () => {
  statuses = [{ body: { status: 'COMPLETED' } }]
  result = { body: { video: { url: 'https://vendor.example/1.mp4' } }, headers: { 'x-fal-billable-units': '7.5' } }
  before = (await bed.balance()).balance
  bed.vendor.requests.length = 0
  bed.vendor.answerWith(({ path, method }) => {
    if (method === 'POST') return { body: { request_id: 'abc-1', response_url: `https://queue.fal.run${PLACE}` } }
    if (path === `/queue${PLACE}/status`) return (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? {}
    return path === `/queue${PLACE}` ? result : { status: 404, body: {} }
  })
})

const boat = { model: 'veo-3.1', prompt: 'A paper boat.' }

async function submit(input: object = boat): Promise<string> {
  const { body } = await runCall(bed.calls, bed.request('media', 'generate', input))
  const { data, charged_cents } = JSON.parse(body) as { data: { job_id: string; async: boolean }; charged_cents: number }
  assert.deepEqual([data.async, charged_cents], [true, 0])
  return data.job_id
}

async function ended(input: object = boat): ReturnType<typeof bed.result> {
  const jobId = await submit(input)
  await bed.hire().wake()
  return bed.ended(jobId)
}

describe('a film', () => {
  it('holds the price of what was asked for, and is charged the seconds that the vendor billed', async () => {
    const jobId = await submit()
    assert.deepEqual(await bed.balance(), { balance: before, held: cents('384') })
    await bed.cancel(jobId)
    const job = await ended()
    assert.deepEqual([job.status, job.charged_micros, job.result?.['model']], ['succeeded', Number(cents('360')), 'veo-3.1'])
    assert.deepEqual(await bed.balance(), { balance: before - cents('360'), held: 0n })
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })

  it('is never charged above what was held, whatever the vendor bills', async () => {
    result = { body: { video: { url: 'https://vendor.example/1.mp4' } }, headers: { 'x-fal-billable-units': '900' } }
    assert.equal((await ended({ ...boat, duration: 4, generate_audio: false })).charged_micros, Number(cents('96')))
  })

  it('costs what was asked for where the vendor counts in something else than seconds', async () => {
    result = { body: { video: { url: 'https://vendor.example/1.mp4' } }, headers: { 'x-fal-billable-units': '0.05' } }
    assert.equal((await ended()).charged_micros, Number(cents('384')))
  })

  it('is asked for where the vendor says that its job is, and launched once', async () => {
    await ended()
    assert.deepEqual(bed.vendor.requests.map(({ method, path }) => `${method} ${path}`), ['POST /queue/fal-ai/veo3.1', `GET /queue${PLACE}/status`, `GET /queue${PLACE}`])
    assert.deepEqual(bed.vendor.requests[0]?.body, { prompt: 'A paper boat.', duration: '8s', resolution: '720p', generate_audio: true })
  })

  it('that failed at the vendor, which calls that completed too, costs nothing', async () => {
    result = { status: 422, body: { detail: [{ loc: ['body', 'prompt'], msg: 'refused by the checker' }] } }
    const job = await ended()
    assert.deepEqual([job.status, job.charged_micros, job.error?.code], ['failed', 0, 'upstream_rejected'])
    assert.match(JSON.stringify(job.error?.details), /prompt: refused by the checker/)
    assert.deepEqual(await bed.balance(), { balance: before, held: 0n })
  })

  it('without a file costs nothing', async () => {
    result = { body: { video: null } }
    const job = await ended()
    assert.deepEqual([job.status, job.charged_micros], ['failed', 0])
  })
})

describe('work on films of the caller’s', () => {
  const lips = { model: 'sync-lipsync-2', video_url: 'https://a.example/1.mp4', audio_url: 'https://a.example/1.mp3' }

  it('is charged by their length', async () => {
    result = { body: { video: { url: 'https://vendor.example/1.mp4' } }, headers: { 'x-fal-billable-units': '0.125' } }
    assert.equal((await ended({ ...lips, duration: 10 })).charged_micros, Number(cents('45')), 'the vendor counts minutes')
    result = { body: { video: { url: 'https://vendor.example/1.mp4', duration: 2.5 } } }
    assert.equal((await ended({ model: 'fabric', image_url: 'https://a.example/1.png', audio_url: 'https://a.example/1.mp3' })).charged_micros, Number(cents('24')))
  })

  it('is not handed out for less: a film longer than was said fails, and costs nothing', async () => {
    result = { body: { video: { url: 'https://vendor.example/1.mp4', duration: 7.5 } } }
    const job = await ended({ ...lips, duration: 1 })
    assert.deepEqual([job.status, job.charged_micros], ['failed', 0])
    assert.match(job.error?.message ?? '', /8 seconds/)
  })
})

describe('what renders in the background', () => {
  it('costs a dollar to put together, wherever the vendor puts the address of the film', async () => {
    result = { body: { video_url: 'https://vendor.example/1.mp4' } }
    const tracks = [{ id: 'a', type: 'video', keyframes: [{ url: 'https://a.example/1.mp4', timestamp: 0, duration: 5_000 }] }]
    assert.equal((await ended({ model: 'ffmpeg-compose', tracks })).charged_micros, Number(cents('100')))
  })

  it('is refused before it begins when the ceiling does not cover it', async () => {
    await assert.rejects(runCall(bed.calls, bed.request('media', 'generate', { ...boat, max_cost_cents: 383 })), { code: 'max_cost_exceeded' })
    assert.equal(bed.vendor.requests.length, 0)
  })

  it('is not sold by the call, but a picture is', () => {
    assert.throws(() => quoteCall(bed.calls, 'media', 'generate', boat), { code: 'invalid_token' })
    assert.equal(quoteCall(bed.calls, 'media', 'generate', { model: 'nano-banana', prompt: 'A boat.' }), cents('4.78'))
  })
})
