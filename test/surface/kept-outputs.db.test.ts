/** Files in paid answers, over HTTP: stored for the account, linked, and fetched again. */
import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { resultHandler } from '../../src/calls/jobs/job-actions.ts'
import { storeOutputs, type Paid } from '../../src/calls/perform/store-outputs.ts'
import { runJob } from '../../src/calls/jobs/run-job.ts'
import type { Service } from '../../src/catalog/vocabulary/define.ts'
import type { Output } from '../../src/catalog/vocabulary/file-field.ts'
import type { JobHandler, LocalHandler } from '../../src/catalog/vocabulary/handlers.ts'
import { services } from '../../src/vendors/index.ts'
import { createJobWaiters } from '../../src/jobs/waiters.ts'
import { createWorker } from '../../src/jobs/worker.ts'
import { newId } from '../../src/lib/ids.ts'
import { createOutputSaver } from '../../src/resources/files/output-saver.ts'
import { createGuard } from '../../src/upstream/guard.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { startSimulators } from '../../src/simulators/start.ts'
import { createScrapingScrape } from '../../src/composites/scraping/scrape.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { cleanUp } from '../harness/clean-up.ts'
import type { VendorReply } from '../harness/vendors/vendor.ts'
import { work } from '../harness/beds/work-service.ts'
import { assertFits } from '../../src/catalog/testing/assert-fits.ts'

type Line = {
  field: string
  file_id: string | null
  filename: string
  mime: string
  size: number
  sha256: string
  error?: { code: string; message: string }
}
type Answer = {
  ok: boolean
  data: {
    kept_files?: Line[]
    data: { screenshot: string; markdown?: string }[] & { screenshot: string; markdown?: string }
    screenshot: string
  }
  charged_cents: number
  test?: boolean
}

type Film = { film: { url: string }; kept_files: Line[] }
type Polled = { status: string; result?: Film }

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const SHOT = { url: 'https://a.example/', formats: ['screenshot', 'markdown'] }

let bed: AppBed
let shot: VendorReply

before(async () => {
  const simulators = await startSimulators({ now: systemClock })
  cleanUp(() => simulators.close())
  const local = new Map<string, LocalHandler>([['scraping.scrape', createScrapingScrape()]])
  const { deep = assert.fail('no job') } = work.actions
  const films: Service = {
    ...work,
    actions: {
      deep: { ...deep, fileFields: [{ field: 'film.url', filename: 'film', mime: 'video/mp4' }] },
    },
  }
  bed = await openAppBed({ simulatorUrl: simulators.url, local, services: [...services, films] })
  ;(bed.calls.local as Map<string, LocalHandler>).set(
    'core.result',
    resultHandler(bed.database, createJobWaiters()),
  )
})
beforeEach(async () => {
  shot = { headers: { 'content-type': 'image/png' }, body: 'a picture' }
  answerWithScreenshot(`${bed.vendor.url}/shot`)
  for (const { file_id: fileId } of await listed()) await run('files/delete', { file_id: fileId })
})

function answerWithScreenshot(screenshot: string): void {
  bed.vendor.answerWith(({ path }) =>
    path === '/shot'
      ? shot
      : {
          body: {
            success: true,
            data: { screenshot, markdown: '# A', metadata: { statusCode: 200, title: 'A' } },
          },
        },
  )
}

async function run(
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer & { data: { files: Line[] } }> {
  const answer: Answer & { data: { files: Line[] } } = (
    await bed.post(`/api/run/${path}`, body, headers)
  ).json()
  if (path.startsWith('files/') && answer.ok) assertFits(path, answer.data)
  return answer
}

const listed = async (headers = {}): Promise<(Line & { source: string })[]> =>
  (await run('files/list', {}, headers)).data.files as (Line & { source: string })[]
const balance = async (): Promise<number> =>
  (await bed.get('/api/v1/balance')).json<{ data: { balance_cents: number } }>().data.balance_cents
async function fetched(link: string): Promise<{ status: number; type: unknown; body: Buffer }> {
  const { pathname, search, origin } = new URL(link)
  assert.equal(origin, 'https://gate.example')
  const { statusCode, headers, rawPayload } = await bed.app.inject({
    method: 'GET',
    url: `${pathname}${search}`,
  })
  return { status: statusCode, type: headers['content-type'], body: rawPayload }
}

describe('a screenshot behind the vendor’s link', () => {
  it('is stored before the answer with its link and file id, for the price of the call', async () => {
    const before = await balance()
    const { data, charged_cents } = await run('render/scrape', SHOT)
    assert.deepEqual(await fetched(data.data.screenshot), {
      status: 200,
      type: 'image/png',
      body: Buffer.from('a picture'),
    })
    const [line] = data.kept_files ?? []
    assert.deepEqual(
      [line?.field, line?.filename, line?.mime, line?.size, line?.sha256.length],
      ['data.screenshot', 'screenshot.png', 'image/png', 9, 64],
    )
    assert.deepEqual(
      (await listed()).map(({ file_id, source }) => [file_id, source]),
      [[line?.file_id, 'render/scrape']],
    )
    assert.deepEqual([charged_cents, data.data.markdown, before - (await balance())], [1, '# A', 1])
    const again = await run('files/get', { file_id: line?.file_id })
    assert.equal(
      (await fetched((again.data as unknown as { get_url: string }).get_url)).status,
      200,
    )
  })

  it('of a repeated request is the same file', async () => {
    const key = { 'idempotency-key': 'one-screenshot' }
    const [first, second] = [
      await run('render/scrape', SHOT, key),
      await run('render/scrape', SHOT, key),
    ]
    assert.deepEqual(second, first)
    assert.deepEqual(
      (await listed()).map(({ file_id }) => file_id),
      [first.data.kept_files?.[0]?.file_id],
    )
  })

  it('is one file when a composite read the page, and belongs to the call that was made', async () => {
    const { data } = await run('scraping/scrape', { ...SHOT, provider: 'render' })
    assert.equal((await fetched(data.screenshot)).status, 200)
    assert.deepEqual(
      (await listed()).map(({ file_id, source }) => [file_id, source]),
      [[data.kept_files?.[0]?.file_id, 'scraping/scrape']],
    )
  })

  for (const [name, reply, code] of [
    ['is not there', { status: 404, body: {} }, 'upstream_not_found'],
    [
      'leads to an error page',
      { headers: { 'content-type': 'text/html' }, body: '<p>expired' },
      'upstream_error',
    ],
    ['breaks off', 'reset', 'upstream_error'],
    [
      'is larger than a file may be',
      { headers: { 'content-type': 'image/png' }, body: 'x'.repeat(1_000_001) },
      'file_too_large',
    ],
  ] as const) {
    it(`that ${name} keeps the paid answer and the vendor’s link, with a reason`, async () => {
      shot = reply
      const { ok, data, charged_cents } = await run('render/scrape', SHOT)
      assert.deepEqual(
        [ok, charged_cents, data.data.screenshot, data.data.markdown],
        [true, 1, `${bed.vendor.url}/shot`, '# A'],
      )
      assert.deepEqual(
        data.kept_files?.map(({ field, file_id, error }) => [field, file_id, error?.code]),
        [['data.screenshot', null, code]],
      )
      assert.deepEqual(await listed(), [])
    })
  }

  it('is not fetched from a private network', async () => {
    answerWithScreenshot('http://10.0.0.1/shot')
    const { data } = await run('render/scrape', SHOT)
    assert.deepEqual(
      [data.data.screenshot, data.kept_files?.[0]?.error?.code],
      ['http://10.0.0.1/shot', 'bad_url'],
    )
  })

  it('that exceeds the quota stays with the vendor, and the answer is charged and complete', async () => {
    const slots = [
      await run('files/upload', { filename: 'a', size_bytes: 1_000_000 }),
      await run('files/upload', { filename: 'b', size_bytes: 999_995 }),
    ]
    const { ok, data, charged_cents } = await run('render/scrape', SHOT)
    assert.deepEqual(
      [ok, charged_cents, data.data.screenshot, data.kept_files?.[0]?.error?.code],
      [true, 1, `${bed.vendor.url}/shot`, 'storage_quota_exceeded'],
    )
    for (const { data: slot } of slots)
      await run('files/delete', { file_id: (slot as unknown as Line).file_id })
  })

  it('is not stored if the call failed, and the books balance afterwards', async () => {
    bed.vendor.answerWith(({ path }) =>
      path === '/shot'
        ? shot
        : {
            body: {
              success: true,
              data: { screenshot: `${bed.vendor.url}/shot`, metadata: { statusCode: 404 } },
            },
          },
    )
    assert.equal((await run('render/scrape', SHOT)).ok, false)
    assert.deepEqual(await listed(), [])
    assert.equal((await verifyLedger(bed.database)).ok, true)
  })
})

describe('bytes within the answer', () => {
  it('of a screenshot become a file, and its link takes their place', async () => {
    answerWithScreenshot(`data:image/png;base64,${PIXEL}`)
    const { data } = await run('render2/scrape', SHOT)
    assert.deepEqual(await fetched(data.data.screenshot), {
      status: 200,
      type: 'image/png',
      body: Buffer.from(PIXEL, 'base64'),
    })
  })

  it('of images become links next to their descriptions, each with its media type', async () => {
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
    bed.vendor.answerWith(() => ({
      body: { data: [{ b64_json: PIXEL }, { b64_json: jpeg.toString('base64') }] },
    }))
    const { data } = await run('llmnative-b/image-generate', { prompt: 'two boats', n: 2 })
    const pictures = data.data as unknown as { url: string; b64_json?: string }[]
    assert.deepEqual(
      data.kept_files?.map(({ field, mime, filename }) => [field, mime, filename]),
      [
        ['data[0].url', 'image/png', 'picture.png'],
        ['data[1].url', 'image/jpeg', 'picture.jpg'],
      ],
    )
    assert.deepEqual(
      pictures.map(({ b64_json }) => b64_json),
      [undefined, undefined],
    )
    assert.deepEqual((await fetched(pictures[1]?.url ?? '')).body, jpeg)
  })

  it('of a simulated vendor are stored among the test files', async () => {
    const headers = { authorization: `Bearer ${bed.testKey}` }
    const { data, test } = await run('render/scrape', SHOT, headers)
    assert.deepEqual([test, (await fetched(data.data.screenshot)).status], [true, 200])
    assert.deepEqual(
      [(await listed()).length, (await listed(headers)).map(({ file_id }) => file_id)],
      [0, [data.kept_files?.[0]?.file_id]],
    )
  })
})

describe('a file among the result of a job', () => {
  it('is stored before the job ends, and the result has its link', async () => {
    const handlers = new Map<string, JobHandler>([
      [
        'work.deep',
        async () => ({
          kind: 'done',
          data: { film: { url: `${bed.vendor.url}/shot` } },
          actual: 0n,
        }),
      ],
    ])
    const worker = createWorker({
      database: bed.database,
      now: bed.clock,
      concurrency: 1,
      run: (job, control) => runJob(bed.calls, handlers, job, control),
      onError: (_what, { error }) => assert.fail(String(error)),
    })
    shot = { headers: { 'content-type': 'video/mp4' }, body: 'a film' }
    const { data: submitted } = await run('work/deep', {})
    await worker.wake()
    let polled: Polled
    do
      polled = (
        await run('core/result', { job_id: (submitted as unknown as { job_id: string }).job_id })
      ).data as unknown as Polled
    while (polled.status === 'queued' || polled.status === 'running')
    await worker.stop(0)
    const { film, kept_files: lines } = polled.result ?? assert.fail(polled.status)
    assert.deepEqual(await fetched(film.url), {
      status: 200,
      type: 'video/mp4',
      body: Buffer.from('a film'),
    })
    assert.deepEqual(
      (await listed()).map(({ file_id, filename, source }) => [file_id, filename, source]),
      [[lines[0]?.file_id, 'film.mp4', 'work/deep']],
    )
  })

  it('is one file, however often the end of the job is done again', async () => {
    const { storeOutput } = bed.calls
    const { rows } = await bed.database.query<{ id: string }>(
      "select id from accounts where email = 'mine@gate.example.com'",
    )
    const paid: Paid = {
      id: newId(bed.clock()),
      owner: {
        accountId: rows[0]?.id ?? assert.fail('no account'),
        mode: 'live',
        keyId: null,
        scope: 'account',
      },
    }
    const again = () =>
      storeOutputs(
        { film: { url: `${bed.vendor.url}/shot` } },
        {
          store: storeOutput,
          paid,
          entry: bed.calls.catalog.findAction('work', 'deep'),
          limitMs: 10_000,
        },
      )
    const [first, second] = [await again(), await again()]
    assert.deepEqual(second, first)
    assert.equal((await listed()).length, 1)
  })

  it('that comes when the time is up, or the work is stopped, stays where it is', async () => {
    const data = { film: { url: `${bed.vendor.url}/shot` } }
    const options = {
      store: bed.calls.storeOutput,
      paid: {
        id: newId(bed.clock()),
        owner: { accountId: newId(bed.clock()), mode: 'live', keyId: null, scope: 'account' },
      } as const,
      entry: bed.calls.catalog.findAction('work', 'deep'),
    }
    for (const end of [{ limitMs: 0 }, { limitMs: 10_000, stopped: AbortSignal.abort() }]) {
      const { film, kept_files: lines } = (await storeOutputs(data, {
        ...options,
        ...end,
      })) as unknown as Film
      assert.deepEqual(
        [film, lines[0]?.file_id, lines[0]?.error?.code],
        [data.film, null, 'upstream_timeout'],
      )
    }
  })
})

it('an answer without a file mentions no files', async () => {
  bed.vendor.answerWith(() => ({
    body: { success: true, data: { markdown: '# A', metadata: { statusCode: 200 } } },
  }))
  assert.equal(
    'kept_files' in (await run('render/scrape', { url: 'https://a.example/' })).data,
    false,
  )
})

it('a link to this machine is followed only for test keys and simulators', async () => {
  const [closed, open] = [
    createGuard({ allowPrivateNetworks: [] }),
    createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] }),
  ]
  cleanUp(() => Promise.all([closed.close(), open.close()]))
  const keep = createOutputSaver(
    bed.files,
    { guard: closed, userAgent: 'Tollgate-Test/1.0' },
    { url: bed.vendor.url, guard: open },
  )
  const { rows } = await bed.database.query<{ id: string }>(
    "select id from accounts where email = 'mine@gate.example.com'",
  )
  const signal = new AbortController().signal
  const output = (mode: 'live' | 'test', content: string): Output => ({
    owner: { accountId: rows[0]?.id ?? '', mode, keyId: null, scope: 'account' },
    id: newId(bed.clock()),
    filename: 'a',
    mime: 'image/png',
    source: 'render/scrape',
    content,
  })
  assert.equal((await keep(output('test', `${bed.vendor.url}/shot`), signal)).size, 9)
  for (const [mode, link] of [
    ['live', `${bed.vendor.url}/shot`],
    ['test', `${bed.vendor.url}0/shot`],
    ['test', 'http://127.0.0.1:9/shot'],
  ] as const) {
    await assert.rejects(
      keep(output(mode, link), signal),
      ({ code }: { code: string }) => code === 'bad_url',
    )
  }
})
