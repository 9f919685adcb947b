/** The demo video actions with a test key, over HTTP and real jobs. A stand-in replaces the browser's recording. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, beforeEach, describe, it } from 'node:test'
import { cancelHandler, resultHandler } from '../../src/calls/jobs/job-actions.ts'
import { runJob } from '../../src/calls/jobs/run-job.ts'
import type { LocalHandler } from '../../src/catalog/vocabulary/handlers.ts'
import { createJobWaiters } from '../../src/jobs/waiters.ts'
import { createWorker, type Worker } from '../../src/jobs/worker.ts'
import type { RecordDemo } from '../../src/reader/video/record-demo.ts'
import { demoHandlers } from '../../src/app/processes/demo.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { assertFits } from '../../src/catalog/testing/assert-fits.ts'

type Answer<Data> = { ok: boolean; data: Data; charged_cents: number }
type Polled = {
  status: string
  attempt: number
  charged_cents: number
  result?: {
    video_url: string
    file_id: string
    scenes: unknown[]
    spent_cents: number
    budget_cents: number
    simulated?: boolean
    content_trust: string
  }
  error?: { code: string }
}
type Listed = { files: { file_id: string; size: number; source: string; mime: string }[] }

let bed: AppBed
let film: RecordDemo

before(async () => {
  bed = await openAppBed()
  const own = bed.calls.local as Map<string, LocalHandler>
  own
    .set('core.result', resultHandler(bed.database, createJobWaiters()))
    .set('core.cancel', cancelHandler(bed.database))
})
beforeEach(() => {
  film = filmOf('a film')
})

function filmOf(bytes: string): RecordDemo {
  return async ({ script }, use) => {
    const path = join(bed.files.folder, 'film.mp4')
    writeFileSync(path, bytes)
    const scenes = script.map(({ action }, index) => ({
      index,
      action,
      url: 'https://a.example/',
      caption: null,
      start_seconds: index,
      end_seconds: index + 1,
      ok: true,
    }))
    return { result: await use({ path, width: 1280, height: 720, seconds: 2, scenes, spoken: [] }) }
  }
}

function newWorker(): Worker {
  const handlers = demoHandlers(
    {
      recordDemo: (request, use) => film(request, use),
      surveyPages: () => Promise.resolve([{ url: 'http://10.0.0.1/', flaw: 'blocked_address' }]),
    },
    bed.files,
  )
  return createWorker({
    database: bed.database,
    now: bed.clock,
    concurrency: 2,
    run: (job, control) => runJob(bed.calls, handlers, job, control),
    onError: (_what, { error }) => assert.fail(String(error)),
  })
}

async function post<Data>(path: string, body: object): Promise<Answer<Data>> {
  return (
    await bed.post(`/api/run/${path}`, body, { authorization: `Bearer ${bed.testKey}` })
  ).json<Answer<Data>>()
}

async function submit(action: string, body: object): Promise<string> {
  const { ok, data } = await post<{ job_id: string }>(`core/${action}`, body)
  assert.ok(ok, JSON.stringify(data))
  return data.job_id
}

async function end(jobId: string): Promise<Polled> {
  for (;;) {
    const { data } = await post<Polled>('core/result', { job_id: jobId })
    assertFits('core/result', data)
    if (data.status === 'succeeded') assertFits('core/produce_demo', data.result)
    if (data.status === 'succeeded' || data.status === 'failed') return data
    await new Promise((turn) => setImmediate(turn))
  }
}

const balance = async () =>
  (await bed.get('/api/v1/balance', { authorization: `Bearer ${bed.testKey}` })).body
const files = async () => (await post<Listed>('files/list', {})).data.files
const script = [{ action: 'open', url: 'a.example' }, { action: 'scroll' }]

describe('a demo video', () => {
  it('is a file of the account that its link gives, and costs nothing', async () => {
    const worker = newWorker()
    const before = await balance()
    const jobId = await submit('produce_demo', { script })
    await worker.wake()
    const { status, charged_cents, result } = await end(jobId)
    await worker.stop(0)
    assert.deepEqual(
      [
        status,
        charged_cents,
        result?.spent_cents,
        result?.budget_cents,
        result?.simulated,
        result?.content_trust,
      ],
      ['succeeded', 0, 0, 1, true, 'untrusted'],
    )
    assert.equal(result?.scenes.length, 2)
    const link = new URL(result?.video_url ?? '')
    const video = await bed.get(`${link.pathname}${link.search}`)
    assert.deepEqual(
      [video.statusCode, video.headers['content-type'], video.body],
      [200, 'video/mp4', 'a film'],
    )
    assert.deepEqual(
      (await files()).map(({ file_id, mime, source }) => [file_id, mime, source]),
      [[result?.file_id, 'video/mp4', 'core/produce_demo']],
    )
    assert.equal(await balance(), before)
  })

  it('is recorded again after its worker died, and leaves one file', async () => {
    const kept = Promise.withResolvers<void>()
    const first = newWorker()
    const count = (await files()).length
    film = async (request, use) => {
      const made = await filmOf('the first film')(request, use)
      kept.resolve()
      return new Promise<typeof made>(() => {})
    }
    const jobId = await submit('produce_demo', { script })
    await first.wake()
    await kept.promise
    await first.stop(0)
    film = filmOf('the second')
    const second = newWorker()
    await second.wake()
    const { status, attempt, result } = await end(jobId)
    await second.stop(0)
    assert.deepEqual([status, attempt], ['succeeded', 2])
    const listed = await files()
    assert.equal(listed.length, count + 1)
    assert.deepEqual(
      listed.find(({ file_id }) => file_id === result?.file_id)?.size,
      'the second'.length,
    )
  })

  it('of a page on a private network fails as a bad address, free', async () => {
    const worker = newWorker()
    const jobId = await submit('produce_autodemo', { url: 'http://10.0.0.1/' })
    await worker.wake()
    const { status, charged_cents, error } = await end(jobId)
    await worker.stop(0)
    assert.deepEqual([status, charged_cents, error?.code], ['failed', 0, 'bad_url'])
  })

  it('with an invalid script is rejected before any hold', async () => {
    const response = await bed.post(
      '/api/run/core/produce_demo',
      { script: [{ action: 'click', target: 'Prices' }] },
      { authorization: `Bearer ${bed.testKey}` },
    )
    assert.deepEqual(
      [response.statusCode, response.json<{ error: { param: string } }>().error.param],
      [400, 'script[0].action'],
    )
  })
})
