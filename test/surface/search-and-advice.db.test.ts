/** The composites that search and advise, with a test key, over HTTP and real jobs. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { before, describe, it } from 'node:test'
import { Agent } from 'undici'
import { resultHandler } from '../../src/calls/jobs/job-actions.ts'
import { runJob } from '../../src/calls/jobs/run-job.ts'
import type { JobHandler, LocalHandler } from '../../src/catalog/vocabulary/handlers.ts'
import { createConsult } from '../../src/composites/consult/consult.ts'
import {
  forgetConversations,
  createStoredConversations,
} from '../../src/composites/consult/stored-conversations.ts'
import type { SuggestedCall } from '../../src/composites/consult/suggested-call.ts'
import { createDiscover } from '../../src/composites/discover/create-discover.ts'
import { createDomainMemory } from '../../src/composites/onescrape/domain-memory.ts'
import { createOnescrape } from '../../src/composites/onescrape/onescrape.ts'
import type { CallLine } from '../../src/composites/onesearch/query-service.ts'
import type { SearchRow } from '../../src/composites/onesearch/fuse.ts'
import { createOnesearchDeep } from '../../src/composites/onesearch/onesearch-deep.ts'
import { createOnesearch } from '../../src/composites/onesearch/onesearch.ts'
import type { DeepRow } from '../../src/composites/onesearch/read-pages.ts'
import { createJobWaiters } from '../../src/jobs/waiters.ts'
import { createWorker, type Worker } from '../../src/jobs/worker.ts'
import type { Complete } from '../../src/composites/shared/complete.ts'
import { createComplete } from '../../src/llm/ask/complete.ts'
import { createRouter } from '../../src/llm/ask/create-router.ts'
import { DEFAULT_TIERS } from '../../src/llm/lists/tiers.ts'
import { createPages } from '../../src/reader/create-pages.ts'
import { judgePage } from '../../src/reader/judge/judge.ts'
import { startSimulators, type Simulators } from '../../src/simulators/start.ts'
import { splitBaseUrl } from '../../src/upstream/target.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { START_MS } from '../harness/beds/calls.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import { assertFits } from '../../src/catalog/testing/assert-fits.ts'

type Envelope<Data> = {
  status: number
  ok: boolean
  data: Data
  charged_cents: number
  error?: { code: string; param?: string | null }
}
type Finished<Result> = {
  ok: boolean
  status: string
  charged_cents: number
  result: Result
  error?: { code: string }
}

let bed: AppBed
let simulators: Simulators
let worker: Worker
let complete: Complete

before(async () => {
  simulators = await startSimulators({ now: () => START_MS })
  cleanUp(() => simulators.close())
  const pages = createPages({
    allowPrivateNetworks: [],
    ownPages: [],
    userAgent: 'tollgate-test',
    respectRobots: false,
    browserConcurrency: 1,
    extractionWorkers: 1,
    cacheFolder: tmpdir(),
  })
  cleanUp(() => pages.close())
  bed = await openAppBed({ simulatorUrl: simulators.url, configured: false })
  const { catalog, validator, lanes } = bed.calls
  const discover = createDiscover({ services: catalog.services, laneOf: lanes.statusOf })
  // The bed's map of handlers is its own copy.
  const own = bed.calls.local as Map<string, LocalHandler>
  own
    .set('core.result', resultHandler(bed.database, createJobWaiters()))
    // Long timeouts for a busy machine; zero where a test checks the timeout.
    .set('core.onesearch', (input, tools) =>
      createOnesearch(
        String(input['query']).includes('sim:slow') ? { limitMs: 100 } : { limitMs: 60_000 },
      )(input, tools),
    )
    .set(
      'core.onescrape',
      createOnescrape({
        judge: (page, url) => judgePage({ ...page, finalUrl: page.finalUrl ?? url }),
        extract: pages.extract,
        memory: createDomainMemory(),
      }),
    )
    .set(
      'core.consult',
      createConsult({
        catalog,
        validator,
        discover,
        laneOf: lanes.statusOf,
        conversations: createStoredConversations({ database: bed.database, now: bed.clock }),
      }),
    )
  complete = modelsOf(bed, simulators)
  worker = hire(createOnesearchDeep({ complete }))
})

/** The router as a gateway has it whose operator has set up no language model. */
function modelsOf({ database, calls, clock }: AppBed, { url }: Simulators): Complete {
  const dispatcher = new Agent()
  cleanUp(() => dispatcher.close())
  const simulator = {
    name: 'llm',
    ...splitBaseUrl(`${url}/llm`),
    key: 'simulated',
    dispatcher,
    defaultRates: null,
    isAggregator: true,
    remembersList: false,
  }
  return createComplete(
    createRouter({
      database,
      ledger: calls.ledger,
      now: clock,
      upstreams: [],
      simulator,
      tiers: DEFAULT_TIERS,
      models: new Map(),
    }),
  )
}

/** Calls that reached search services and readers. */
function countOf({ requests }: Simulators): number {
  return ['semantic', 'indep', 'rag', 'cited', 'render', 'render2', 'agentic'].reduce(
    (sum, label) => sum + requests.count(label),
    0,
  )
}

async function post<Data>(
  action: string,
  body: object,
  key = bed.testKey,
  headers: Record<string, string> = {},
): Promise<Envelope<Data>> {
  const response = await bed.post(`/api/run/core/${action}`, body, {
    authorization: `Bearer ${key}`,
    ...headers,
  })
  const answer = response.json<Omit<Envelope<Data>, 'status'>>()
  if (response.statusCode === 200 && !action.endsWith('-deep'))
    assertFits(`core/${action}`, answer.data)
  return { ...answer, status: response.statusCode }
}

function hire(handler: JobHandler): Worker {
  const handlers = new Map([['core.onesearch-deep', handler]])
  const hired = createWorker({
    database: bed.database,
    now: bed.clock,
    concurrency: 4,
    run: (job, control) => runJob(bed.calls, handlers, job, control),
    onError: (_what, { error }) => assert.fail(String(error)),
  })
  cleanUp(() => hired.stop(0))
  return hired
}

async function finish<Result>(action: string, body: object): Promise<Finished<Result>> {
  const { data } = await post<{ job_id: string }>(action, body)
  return ended(data.job_id)
}

async function ended<Result>(jobId: string): Promise<Finished<Result>> {
  await worker.wake()
  for (;;) {
    const polled = await post<Finished<Result>>('result', { job_id: jobId })
    const { status, result } = polled.data
    if (status === 'succeeded') assertFits('core/onesearch-deep', result)
    if (status === 'succeeded' || status === 'failed') return polled.data
    await new Promise((turn) => setImmediate(turn))
  }
}

describe('core/onesearch', () => {
  type Answer = { row_count: number; rows: SearchRow[]; calls: CallLine[]; content_trust: string }

  it('fuses what all services find, for 5 cents', async () => {
    const { data, charged_cents } = await post<Answer>('onesearch', {
      query: 'heat pumps in winter',
    })
    assert.deepEqual([charged_cents, data.row_count, data.content_trust], [5, 10, 'untrusted'])
    assert.ok(
      data.calls.length >= 6 && data.calls.every(({ ok }) => ok),
      JSON.stringify(data.calls),
    )
    assert.ok(
      (data.rows[0]?.sources.length ?? 0) >= 3,
      'the first row was found by several services',
    )
  })

  for (const topic of ['news', 'papers', 'code']) {
    it(`finds ${topic}, within a week and outside a domain`, async () => {
      const { data } = await post<Answer>('onesearch', {
        query: 'heat pumps',
        topic,
        freshness: 'week',
        country: 'de',
        exclude_domains: ['example.org'],
      })
      assert.ok(data.row_count > 0)
      for (const { url, published_at: published } of data.rows) {
        assert.ok(!url.includes('example.org'))
        assert.ok(published === null || Date.parse(published) > START_MS - 8 * DAY_MS)
      }
    })
  }

  it('finds only what lies in the domains that were named', async () => {
    const { data } = await post<Answer>('onesearch', {
      query: 'heat pumps',
      include_domains: ['docs.example'],
    })
    assert.ok(
      data.rows.length > 0 &&
        data.rows.every(({ url }) => new URL(url).hostname === 'docs.example'),
    )
  })

  it('charges nothing if no service finds a result or every service fails', async () => {
    for (const fault of ['sim:miss', 'sim:503', 'sim:badjson']) {
      const { status, error, charged_cents } = await post('onesearch', {
        query: `heat pumps ${fault}`,
      })
      assert.deepEqual([status, error?.code, charged_cents], [502, 'no_results', 0], fault)
    }
  })

  it('does not wait for services that take longer than the rest', async () => {
    const { error } = await post<Answer>('onesearch', { query: 'heat pumps sim:slow-60000' })
    const { calls } = (error as unknown as { details: { calls: CallLine[] } }).details
    assert.ok(
      calls.every((call) => call.error === 'upstream_timeout'),
      JSON.stringify(calls),
    )
  })

  it('reports a missing search service and an invalid domain', async () => {
    const absent = await post('onesearch', { query: 'x' }, bed.liveKey)
    assert.deepEqual(
      [absent.status, absent.error?.code, absent.charged_cents],
      [503, 'upstream_not_configured', 0],
    )
    const refused = await post('onesearch', {
      query: 'x',
      include_domains: ['example.com', 'no domain'],
    })
    assert.deepEqual([refused.status, refused.error?.param], [400, 'include_domains[1]'])
  })
})

describe('core/onesearch-deep', () => {
  type Result = {
    row_count: number
    read_count: number
    skipped_count: number
    answer: string | null
    answer_note?: string
    citations: unknown[]
    rows: DeepRow[]
    calls: unknown[]
    spent_cents: number
    budget_cents: number
    content_trust: string
  }

  it('searches, reads the best pages and charges what they cost', async () => {
    const job = await finish<Result>('onesearch-deep', {
      query: 'heat pumps in winter',
      questions: ['how cold may it be?'],
      read_pages: 3,
    })
    assert.deepEqual(
      [job.status, job.charged_cents, job.result.spent_cents, job.result.budget_cents],
      ['succeeded', 16, 16, 50],
    )
    assert.deepEqual(
      [
        job.result.read_count,
        job.result.rows.filter(({ content }) => content !== null).length,
        job.result.content_trust,
      ],
      [3, 3, 'untrusted'],
    )
    assert.match(job.result.answer ?? '', /\[1\]$/)
    assert.deepEqual(job.result.citations, [
      { number: 1, url: job.result.rows[0]?.url, title: job.result.rows[0]?.title },
    ])
  })

  it('has no answer of a language model where none is set up, or the caller has gone', async () => {
    const request = {
      system: 'Answer.',
      prompt: 'Why?',
      maxTokens: 20,
      accountId: bed.testCaller.accountId,
      signal: new AbortController().signal,
    }
    assert.equal(await complete({ ...request, mode: 'live' }), null)
    assert.equal(await complete({ ...request, mode: 'test', signal: AbortSignal.abort() }), null)
    assert.equal(typeof (await complete({ ...request, mode: 'test' })), 'string')
  })

  it('reads as far as the budget goes', async () => {
    const job = await finish<Result>('onesearch-deep', {
      query: 'heat pumps',
      read_pages: 10,
      budgetCents: 10,
    })
    assert.deepEqual(
      [job.charged_cents, job.result.read_count, job.result.skipped_count],
      [9, 2, 8],
    )
  })

  it('that its worker leaves is finished by another one, which buys nothing again', async () => {
    const read = Promise.withResolvers<void>()
    const leaving = hire(createOnesearchDeep({ complete: () => new Promise(() => read.resolve()) }))
    const { data } = await post<{ job_id: string }>('onesearch-deep', {
      query: 'heat pumps and crashes',
      read_pages: 2,
    })
    await leaving.wake()
    await read.promise
    const asked = countOf(simulators)
    await leaving.stop(0)
    const job = await ended<Result>(data.job_id)
    assert.deepEqual([job.status, job.charged_cents, job.result.read_count], ['succeeded', 9, 2])
    assert.equal(countOf(simulators), asked)
  })

  it('that finds nothing fails, uncharged', async () => {
    const job = await finish<Result>('onesearch-deep', { query: 'heat pumps sim:miss' })
    assert.deepEqual([job.status, job.charged_cents, job.error?.code], ['failed', 0, 'no_results'])
  })
})

describe('core/consult', () => {
  type Advice = { conversation_id: string; calls: SuggestedCall[]; question?: string }

  it('suggests a call that runs unchanged, for one cent', async () => {
    const { data, charged_cents } = await post<Advice>('consult', {
      intent: 'is ana@example.com deliverable?',
    })
    const [call] = data.calls
    assert.deepEqual([charged_cents, call?.params], [1, { email: 'ana@example.com' }])
    const made = await bed.post(
      `/api/run/${call?.service}/${call?.action}`,
      { ...call?.params, max_cost_cents: call?.max_cost_cents },
      { authorization: `Bearer ${bed.testKey}` },
    )
    assert.equal(made.statusCode, 200)
  })

  it('asks, and is answered in the same conversation, until that has been idle for a day', async () => {
    const asked = await post<Advice>('consult', { intent: 'verify an email address' })
    assert.deepEqual([asked.data.calls, asked.data.question], [[], 'Which email address?'])
    const { conversation_id } = asked.data
    bed.clock.advance(DAY_MS - 1)
    const answered = await post<Advice>('consult', { intent: 'ana@example.org', conversation_id })
    assert.deepEqual(
      answered.data.calls.map(({ params }) => params),
      [{ email: 'ana@example.org' }],
    )
    assert.equal(
      await forgetConversations(bed.database, bed.clock() + DAY_MS - 1),
      1,
      'only the conversation of the test before is forgotten',
    )
    bed.clock.advance(DAY_MS)
    const late = await post('consult', { intent: 'and again', conversation_id })
    assert.deepEqual(
      [late.status, late.error?.code, late.charged_cents],
      [404, 'unknown_conversation', 0],
    )
  })

  it('finds no conversation of another account or mode, and leaves it unchanged', async () => {
    const { data } = await post<Advice>('consult', { intent: 'verify an email address' })
    for (const key of [bed.strangerKey, bed.liveKey]) {
      const { status, error, charged_cents } = await post(
        'consult',
        { intent: 'ana@example.org', conversation_id: data.conversation_id },
        key,
      )
      assert.deepEqual([status, error?.code, charged_cents], [404, 'unknown_conversation', 0])
    }
    assert.equal(
      (
        await post<Advice>('consult', {
          intent: 'ana@example.org',
          conversation_id: data.conversation_id,
        })
      ).data.calls.length,
      1,
    )
  })

  it('charges only answers with calls', async () => {
    for (const intent of [
      'verify an email address',
      'run a sanctions check',
      'book me a flight from Lisbon to Berlin',
      'create an email inbox',
      'set an alarm for 6:30',
    ]) {
      const { status, data, charged_cents } = await post<Advice>('consult', { intent })
      assert.deepEqual([status, data.calls, charged_cents], [200, [], 0], intent)
      assert.equal(typeof data.question, 'string', intent)
    }
  })

  it('is not charged when nothing fits', async () => {
    const { status, data, charged_cents } = await post<Advice>('consult', {
      intent: 'iron my shirts',
    })
    assert.deepEqual([status, data.calls, charged_cents], [200, [], 0])
    assert.match(data.question ?? '', /different words/)
  })

  it('repeats its answer for a repeated request', async () => {
    const first = await post<Advice>(
      'consult',
      { intent: 'verify an email address' },
      bed.testKey,
      { 'idempotency-key': 'one' },
    )
    assert.deepEqual(
      await post<Advice>('consult', { intent: 'verify an email address' }, bed.testKey, {
        'idempotency-key': 'one',
      }),
      first,
    )
  })
})
