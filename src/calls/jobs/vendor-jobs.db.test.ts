import assert from 'node:assert/strict'
import { ownerOf } from '../../keys/caller.ts'
import { beforeEach, describe, it } from 'node:test'
import { Type, type Static } from '../../lib/schema.ts'
import { loseAnswers, openJobBed } from '../../../test/harness/beds/jobs.ts'
import type { VendorReply } from '../../../test/harness/vendors/vendor.ts'
import { createCatalog } from '../../catalog/index.ts'
import { priceServices } from '../../catalog/prices/price-rules.ts'
import { call, defineService, job, params, type Progress } from '../../catalog/vocabulary/define.ts'
import { text, whole } from '../../catalog/vocabulary/fields.ts'
import { done, empty } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { messageFrom } from '../../catalog/answers/vendor-failure.ts'
import { bearer, get, post, type Reply } from '../../catalog/vocabulary/wire.ts'
import { AppError } from '../../errors/app-error.ts'
import { errorCatalog, type ErrorSpec } from '../../errors/catalog.ts'
import { claimJobs } from '../../jobs/claim.ts'
import { createControl } from '../../jobs/control.ts'
import { LEASE_MS } from '../../jobs/job.ts'
import { readJobReference } from '../../jobs/vendor-reference.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { newId, parsePublicId } from '../../lib/ids.ts'
import { runCall } from '../run.ts'
import { runJob } from './run-job.ts'

const CENT = 10_000n
const status = Type.Object({ status: Type.String(), rows: Type.Integer() })

const input = params({ limit: whole('Most rows.', 1, 100, { default: 10 }) })
const asked = {
  input,
  example: { limit: 10 },
  timeoutMs: 60_000,
  launch: {
    request: (sent: Static<typeof input>) => post('/surveys', sent),
    reply: Type.Object({ id: Type.String() }),
    reference: ({ body }: Reply<{ id: string }>) => body.id,
  },
  reply: status,
}
const polled = {
  request: (reference: string) => get(`/surveys/${reference}`),
  progress: ({ body }: Reply<Static<typeof status>>): Progress =>
    body.status === 'pending' ? { kind: 'pending' } : { kind: 'finished' },
  everySeconds: 0.001,
  giveUpAfterSeconds: 600,
}

const survey = defineService({
  id: 'survey',
  title: 'Survey',
  category: 'test',
  vendor: {
    baseUrl: 'https://survey.example',
    auth: bearer(),
    docsUrl: 'https://survey.example/docs',
    readFailure: messageFrom('message'),
  },
  actions: {
    launch: job({
      summary: 'Looks for rows in the background.',
      ...asked,
      price: {
        kind: 'unit',
        rate: CENT,
        unit: 'row',
        atMost: ({ limit }) => limit,
        counted: { by: 'number', field: 'limit' },
      },
      poll: {
        ...polled,
        isEnough: ({ body }, { limit }) => body.rows >= limit,
        stop: (reference) => post(`/surveys/${reference}/stop`, {}),
      },
      outcome: ({ body }) =>
        body.rows > 0
          ? {
              kind: body.status === 'done' ? 'done' : 'partial',
              data: { ...body },
              units: body.rows,
            }
          : empty({ ...body }),
    }),
    film: job({
      summary: 'Makes something that lies in a place of its own.',
      ...asked,
      price: flat(CENT),
      poll: {
        ...polled,
        result: (reference) => get(`/films/${reference}`),
      },
      outcome: ({ body }) => done({ ...body }),
      directly: {
        when: ({ limit }) => limit === 1,
        request: (input) => post('/at-once', input),
        reply: status,
        outcome: ({ body }) => done({ ...body, at_once: true }),
      },
    }),
    rows: call({
      summary: 'Reads rows of a survey.',
      input: params({ job_id: text('The job.', 100) }),
      example: { job_id: 'x' },
      price: flat(CENT),
      timeoutMs: 60_000,
      request: ({ job_id }) => get(`/surveys/${job_id}/rows`),
      reply: Type.Object({}),
      outcome: ({ body }) => done({ ...body }),
      ownership: { targetId: ({ job_id }) => job_id },
    }),
  },
})

const bed = await openJobBed({ services: [survey] })
/** The vendor's replies to the polls, in order; the last one repeats. */
let polls: { status: string; rows: number }[] = []
/** The same for the URL of the result. */
let films: VendorReply[] = []
let launches = 0
let stops = 0
const launchCount = (): number => launches
let balanceBefore: bigint

beforeEach(async () => {
  polls = [{ status: 'done', rows: 4 }]
  launches = 0
  stops = 0
  balanceBefore = (await bed.balance()).balance
  bed.vendor.answerWith(({ path, method }) => {
    if (path.endsWith('/stop')) {
      stops += 1
      polls = [{ status: 'stopped', rows: polls[0]?.rows ?? 0 }]
      return { body: {} }
    }
    if (path.startsWith('/films/')) return (films.length > 1 ? films.shift() : films[0]) ?? {}
    if (path === '/at-once') return { body: { status: 'done', rows: 1 } }
    if (path.endsWith('/rows')) return { body: { asked: path } }
    if (method === 'POST') {
      launches += 1
      return { body: { id: `s${launches}` } }
    }
    return { body: polls.length > 1 ? polls.shift() : polls[0] }
  })
})

function retryable(code = ''): boolean | undefined {
  return Object.entries<ErrorSpec>(errorCatalog).find(([name]) => name === code)?.[1].retryable
}

async function submit(limit = 10, more: object = {}): Promise<string> {
  const { body } = await runCall(bed.calls, bed.request('survey', 'launch', { limit, ...more }))
  return (JSON.parse(body) as { data: { job_id: string } }).data.job_id
}

describe("a vendor's job", () => {
  it('returns immediately, holds its highest cost, and is charged for its result', async () => {
    polls = [
      { status: 'pending', rows: 0 },
      { status: 'pending', rows: 2 },
      { status: 'done', rows: 4 },
    ]
    const jobId = await submit(10)
    assert.deepEqual(await bed.balance(), { balance: balanceBefore, held: 10n * CENT })
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual(
      [job.status, job.charged_cents, job.result],
      ['succeeded', 4, { status: 'done', rows: 4 }],
    )
    assert.deepEqual(await bed.balance(), { balance: balanceBefore - 4n * CENT, held: 0n })
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })

  it('replays a submission after its vendor was removed, and rejects a new one', async () => {
    const idempotency = { key: 'gone', fingerprint: 'aa' }
    const first = await runCall(
      bed.calls,
      bed.request('survey', 'launch', { limit: 10 }, { idempotency }),
    )
    const later = { ...bed.calls, lanes: { ...bed.calls.lanes, laneFor: () => null } }
    const again = await runCall(
      later,
      bed.request('survey', 'launch', { limit: 10 }, { idempotency }),
    )
    assert.deepEqual([again.body, again.replayed], [first.body, true])
    await assert.rejects(runCall(later, bed.request('survey', 'launch', { limit: 10 })), {
      code: 'upstream_not_configured',
    })
    await bed.hire().wake()
    await bed.ended((JSON.parse(first.body) as { data: { job_id: string } }).data.job_id)
  })

  it('is charged at the price of its submission, not at a later one', async () => {
    const rules = [{ match: 'survey/*', terms: { margin_percent: '50' } }]
    const services = priceServices(bed.calls.catalog.services, { rules, otherwise: null }, 0)
    const { body } = await runCall(
      { ...bed.calls, catalog: createCatalog(services) },
      bed.request('survey', 'launch', { limit: 10 }),
    )
    assert.equal((await bed.balance()).held, 15n * CENT)
    await bed.hire().wake()
    const job = await bed.ended((JSON.parse(body) as { data: { job_id: string } }).data.job_id)
    assert.deepEqual([job.status, job.charged_cents], ['succeeded', 6])
  })

  it('requests no more than max_cost_cents pays for', async () => {
    polls = [{ status: 'pending', rows: 3 }]
    const asked = bed.vendor.requests.length
    const jobId = await submit(100, { max_cost_cents: 3 })
    assert.equal((await bed.balance()).held, 3n * CENT)
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual(
      [job.status, job.charged_cents, stops, bed.vendor.requests[asked]?.body],
      ['succeeded', 3, 1, { limit: 3 }],
    )
  })

  it('reads its result at the URL of the vendor after it finished', async () => {
    polls = [
      { status: 'pending', rows: 0 },
      { status: 'done', rows: 0 },
    ]
    films = [{ status: 503 }, { body: { status: 'film', rows: 7 } }]
    const { body } = await runCall(bed.calls, bed.request('survey', 'film', {}))
    await bed.hire().wake()
    const job = await bed.ended((JSON.parse(body) as { data: { job_id: string } }).data.job_id)
    assert.deepEqual(
      [job.status, job.charged_cents, job.result],
      ['succeeded', 1, { status: 'film', rows: 7 }],
    )
  })

  it('ends uncharged if its result cannot be read or has an unknown format', async () => {
    for (const film of [{ status: 500 }, { status: 422 }, { body: { rows: 'odd' } }]) {
      films = [film]
      const { body } = await runCall(bed.calls, bed.request('survey', 'film', {}))
      await bed.hire().wake()
      const job = await bed.ended((JSON.parse(body) as { data: { job_id: string } }).data.job_id)
      assert.deepEqual([job.status, job.charged_cents], ['failed', 0])
    }
    assert.deepEqual(await bed.balance(), { balance: balanceBefore, held: 0n })
  })

  it('does not exist for input that the vendor answers immediately, which is charged directly', async () => {
    const { body } = await runCall(bed.calls, bed.request('survey', 'film', { limit: 1 }))
    assert.deepEqual((JSON.parse(body) as { data: unknown }).data, {
      status: 'done',
      rows: 1,
      at_once: true,
    })
    assert.deepEqual(
      [await bed.balance(), launchCount()],
      [{ balance: balanceBefore - CENT, held: 0n }, 0],
    )
  })

  it('has a receipt line with the time from its submission to its end', async () => {
    polls = [{ status: 'done', rows: 1 }]
    const jobId = await submit(1)
    bed.clock.advance(1_500)
    await bed.hire().wake()
    await bed.ended(jobId)
    const { rows } = await bed.database.query<{
      hops: { latency_ms: number }[]
      latency_ms: number
    }>('select hops, latency_ms from transactions where id = $1', [parsePublicId('job', jobId)])
    assert.deepEqual(
      rows.map((row) => [row.hops[0]?.latency_ms, row.latency_ms]),
      [[1_500, 1_500]],
    )
  })

  it('is free if it found nothing', async () => {
    polls = [{ status: 'done', rows: 0 }]
    const jobId = await submit()
    await bed.hire().wake()
    assert.equal((await bed.ended(jobId)).charged_cents, 0)
  })

  it('is stopped when it has delivered as much as may be paid for, and charged for that', async () => {
    polls = [{ status: 'pending', rows: 7 }]
    const jobId = await submit(5)
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual([job.status, job.charged_cents, stops], ['succeeded', 5, 1])
  })

  it('gets a second stop request if the first one did not arrive', async () => {
    polls = [{ status: 'pending', rows: 7 }]
    bed.vendor.answerWith(({ path, method }) => {
      if (!path.endsWith('/stop')) return { body: method === 'POST' ? { id: 's1' } : polls[0] }
      stops += 1
      if (stops < 3) return { status: 503, body: {} }
      polls = [{ status: 'stopped', rows: 7 }]
      return { body: {} }
    })
    const jobId = await submit(5)
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual([job.status, job.charged_cents, stops], ['succeeded', 5, 3])
  })

  it('is stopped at the vendor when cancelled, and charged for the results so far', async () => {
    polls = [{ status: 'pending', rows: 3 }]
    const jobId = await submit()
    const worker = bed.hire()
    await worker.wake()
    while ((await bed.result(jobId)).status !== 'running' || launchCount() === 0)
      await new Promise((turn) => setImmediate(turn))
    await bed.cancel(jobId)
    await worker.beat()
    const job = await bed.ended(jobId)
    assert.deepEqual([job.cancelled, job.charged_cents, stops], [true, 3, 1])
  })

  it('is launched once, even if its worker dies and another one continues', async () => {
    polls = [{ status: 'pending', rows: 1 }]
    const jobId = await submit()
    const first = bed.hire()
    await first.wake()
    const isKept = async (): Promise<boolean> =>
      (await bed.database.query('select from job_steps where invocation is not null')).count > 0
    while (!(await isKept())) await new Promise((turn) => setImmediate(turn))
    bed.clock.advance(LEASE_MS + 1)
    const second = bed.hire()
    await second.wake()
    await first.beat()
    polls = [{ status: 'done', rows: 2 }]
    const job = await bed.ended(jobId)
    assert.deepEqual([job.attempt, job.charged_cents, launches], [2, 2, 1])
  })

  it('continues after an outage of the database if the vendor accepted it meanwhile', async ({
    mock,
  }) => {
    const { lost, back } = loseAnswers(mock, bed.database, 'remember_reference')
    const jobId = await submit()
    const worker = bed.hire()
    await worker.wake()
    await lost
    back()
    while ((await bed.result(jobId)).status === 'running') await worker.beat()
    const job = await bed.ended(jobId)
    assert.deepEqual([job.status, job.attempt, job.charged_cents, launches], ['succeeded', 1, 4, 1])
  })

  it('is not polled by a worker that lost it', async () => {
    polls = [{ status: 'pending', rows: 1 }]
    const before = bed.vendor.requests.length
    const jobId = await submit()
    const first = newId(bed.clock())
    const [job = assert.fail('no job')] = await claimJobs(bed.database, first, 1, [], bed.clock())
    const running = createControl(bed.database, first, job, bed.clock)
    const working = runJob(bed.calls, new Map(), job, running.control)
    while (!bed.vendor.requests.slice(before).some(({ method }) => method === 'GET'))
      await new Promise((turn) => setImmediate(turn))
    running.leave()
    running.end()
    // Otherwise it would poll as long as the vendor returns "pending".
    await working
    polls = [{ status: 'done', rows: 2 }]
    bed.clock.advance(LEASE_MS + 1)
    await bed.hire().wake()
    assert.equal((await bed.ended(jobId)).charged_cents, 2)
  })

  it('is neither launched again nor charged after an interrupted launch', async () => {
    bed.vendor.answerWith(() => {
      launches += 1
      return 'hang'
    })
    const jobId = await submit()
    const first = bed.hire()
    await first.wake()
    while (launchCount() === 0) await new Promise((turn) => setImmediate(turn))
    bed.clock.advance(LEASE_MS + 1)
    const second = bed.hire()
    await second.wake()
    await first.beat()
    const job = await bed.ended(jobId)
    assert.deepEqual(
      [job.status, job.attempt, job.charged_cents, launches, job.error?.code],
      ['failed', 2, 0, 1, 'order_unknown'],
    )
    assert.equal((await bed.balance()).balance, balanceBefore)
  })

  it('is not worth a second submission after the answer to the first one was lost', async () => {
    const lost: readonly VendorReply[] = [
      { body: {} },
      { body: '' },
      { body: '{"id": "s1' },
      { status: 202, body: { id: 7 } },
      { status: 504, body: {} },
      'reset',
    ]
    for (const reply of lost) {
      launches = 0
      bed.vendor.answerWith(() => {
        launches += 1
        return reply
      })
      const jobId = await submit()
      await bed.hire().wake()
      const { error, ...job } = await bed.ended(jobId)
      assert.deepEqual(
        [job.status, job.charged_cents, launches, error?.code, retryable(error?.code)],
        ['failed', 0, 1, 'order_unknown', false],
        JSON.stringify(reply),
      )
    }
  })

  it('can be submitted again after the vendor rejected it', async () => {
    bed.vendor.answerWith(() => ({ status: 500, body: { message: 'out of order' } }))
    const jobId = await submit()
    await bed.hire().wake()
    const { error } = await bed.ended(jobId)
    assert.deepEqual([error?.code, retryable(error?.code)], ['upstream_error', true])
  })

  it('is not worth a second submission if its result is unreadable', async () => {
    for (const film of [{ body: { rows: 'odd' } }, { status: 504 }, 'reset'] as const) {
      films = [film]
      const { body } = await runCall(bed.calls, bed.request('survey', 'film', {}))
      await bed.hire().wake()
      const job = await bed.ended((JSON.parse(body) as { data: { job_id: string } }).data.job_id)
      assert.deepEqual(
        [job.charged_cents, job.error?.code],
        [0, 'order_unknown'],
        JSON.stringify(film),
      )
    }
  })

  it('is launched by the next worker if the first died before it stored the launch', async (context) => {
    const dead = Promise.withResolvers<void>()
    const { query } = bed.database
    // The connection to the vendor is open, and nothing was sent.
    const mocked = context.mock.method(
      bed.database,
      'query',
      (...given: Parameters<typeof query>) => {
        if (given[2] !== 'job_step_begin') return query(...given)
        dead.resolve()
        return new Promise<never>(() => {})
      },
    )
    const jobId = await submit()
    await bed.hire().wake()
    await dead.promise
    mocked.mock.restore()
    assert.equal(launches, 0)
    bed.clock.advance(LEASE_MS + 1)
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual([job.status, job.attempt, launches], ['succeeded', 2, 1])
  })

  it('ends soon and uncharged if its vendor lost it', async () => {
    let asked = 0
    bed.vendor.answerWith(({ method }) => {
      if (method === 'POST') return { body: { id: 'forgotten' } }
      asked += 1
      return { status: 404, body: {} }
    })
    const jobId = await submit()
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual(
      [job.status, job.charged_cents, job.error?.code, asked],
      ['failed', 0, 'job_lost', 15],
    )
  })

  it('is stopped at the vendor if its state can no longer be read', async () => {
    for (const unread of [
      { status: 500, body: {} },
      { body: { odd: true } },
      { status: 404, body: {} },
    ]) {
      let asked = 0
      stops = 0
      bed.vendor.answerWith(({ path, method }) => {
        if (path.endsWith('/stop')) stops += 1
        if (method === 'POST') return { body: { id: 's1' } }
        asked += 1
        return asked === 1 ? { body: { status: 'pending', rows: 1 } } : unread
      })
      const jobId = await submit()
      await bed.hire().wake()
      const job = await bed.ended(jobId)
      assert.deepEqual([job.status, job.charged_cents, stops], ['failed', 0, 1])
      assert.equal(
        job.error?.code,
        'status' in unread && unread.status === 404 ? 'job_lost' : 'order_unknown',
      )
    }
  })

  it('continues if its vendor does not list it in the first moments', async () => {
    let asked = 0
    bed.vendor.answerWith(({ method }) => {
      if (method === 'POST') return { body: { id: 'slow' } }
      asked += 1
      return asked % 15 === 0
        ? { body: { status: asked === 45 ? 'done' : 'pending', rows: 1 } }
        : { status: 404, body: {} }
    })
    const jobId = await submit()
    await bed.hire().wake()
    assert.deepEqual([(await bed.ended(jobId)).status, asked], ['succeeded', 45])
  })

  it('is found by its job_id in other actions of its service, for its own account only', async () => {
    const jobId = await submit()
    await assert.rejects(
      runCall(bed.calls, bed.request('survey', 'rows', { job_id: jobId })),
      (error) => error instanceof AppError && error.code === 'upstream_conflict',
    )
    await bed.hire().wake()
    await bed.ended(jobId)
    const { body } = await runCall(bed.calls, bed.request('survey', 'rows', { job_id: jobId }))
    assert.match(
      (JSON.parse(body) as { data: { asked: string } }).data.asked,
      /^\/surveys\/s\d+\/rows$/,
    )
    await assert.rejects(
      runCall(
        bed.calls,
        bed.request(
          'survey',
          'rows',
          { job_id: jobId },
          { caller: { ...bed.caller, accountId: bed.testCaller.keyId } },
        ),
      ),
      (error) => error instanceof AppError && error.code === 'unknown_job',
    )
    const [owner, id] = [ownerOf(bed.caller), parsePublicId('job', jobId) ?? '']
    assert.equal((await readJobReference(bed.database, owner, 'survey', id))?.hasEnded, true)
    assert.equal(
      await readJobReference(bed.database, { ...owner, mode: 'test' }, 'survey', id),
      undefined,
    )
    assert.equal(await readJobReference(bed.database, owner, 'work', id), undefined)
  })

  it('reports why the vendor rejected it, is free, and cannot be polled', async () => {
    bed.vendor.answerWith(() => ({
      status: 422,
      body: { message: 'No survey holds so many rows.' },
    }))
    const jobId = await submit()
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual(
      [job.status, job.charged_cents, job.error?.code],
      ['failed', 0, 'upstream_rejected'],
    )
    assert.match(JSON.stringify(job.error?.details), /"message":"No survey holds so many rows\."/)
    await assert.rejects(
      runCall(bed.calls, bed.request('survey', 'rows', { job_id: jobId })),
      (thrown) =>
        thrown instanceof AppError &&
        thrown.code === 'unknown_job' &&
        thrown.fix.includes('core/result'),
    )
    assert.equal((await bed.balance()).balance, balanceBefore)
  })
})
