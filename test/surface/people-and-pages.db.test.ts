/** The composites that find people and read pages, with a test key, over HTTP and real jobs. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { before, describe, it } from 'node:test'
import { cancelHandler, resultHandler } from '../../src/calls/jobs/job-actions.ts'
import { runJob } from '../../src/calls/jobs/run-job.ts'
import type { JobHandler, LocalHandler } from '../../src/catalog/vocabulary/handlers.ts'
import { onefindDeep } from '../../src/composites/onefind/onefind-deep.ts'
import { onefind } from '../../src/composites/onefind/onefind.ts'
import type { PersonRow } from '../../src/composites/onefind/person-row.ts'
import type { ReaderDeps } from '../../src/composites/onescrape/accept-reading.ts'
import { createDomainMemory } from '../../src/composites/onescrape/domain-memory.ts'
import { createOnescrapeDeep } from '../../src/composites/onescrape/onescrape-deep.ts'
import type { PageRow } from '../../src/composites/onescrape/page-row.ts'
import { createJobWaiters } from '../../src/jobs/waiters.ts'
import { createWorker, type Worker } from '../../src/jobs/worker.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createPages } from '../../src/reader/create-pages.ts'
import { judgePage } from '../../src/reader/judge/judge.ts'
import { startSimulators, type Simulators } from '../../src/simulators/start.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { assertFits } from '../../src/catalog/testing/assert-fits.ts'

type Envelope<Data> = {
  ok: boolean
  data: Data
  charged_cents: number
  test?: boolean
  error?: { code: string; param?: string | null; fix?: string }
}
type CutRow = Pick<PageRow, 'content' | 'truncated'> & {
  readonly rest?: { readonly get_url: string; readonly offset: number; readonly size: number }
}
type Found = {
  query: string
  person: boolean
  row_count: number
  enriched: boolean
  rows: PersonRow[]
  calls: unknown[]
  next: string
  content_trust: string
}
type Submitted = { job_id: string; status: string; async: boolean }
type Finished<Result> = {
  ok: boolean
  status: string
  charged_cents: number
  result: Result
  error?: { code: string; fix?: string; retryable?: boolean }
}
type Enriched = {
  query: string | null
  row_count: number
  enriched_count: number
  skipped_count: number
  stats: { emails: number; phones: number }
  rows: PersonRow[]
  spent_cents: number
  budget_cents: number
}
type Read = {
  site?: { url: string; mapped_pages: number }
  url_count: number
  row_count: number
  read_count: number
  blocked_count: number
  skipped_count: number
  hard: boolean
  rows: PageRow[]
  spent_cents: number
  budget_cents: number
}

let bed: AppBed
let simulators: Simulators
let worker: Worker

before(async () => {
  simulators = await startSimulators({ now: systemClock })
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
  const readers: ReaderDeps = {
    judge: (page, url) => judgePage({ ...page, finalUrl: page.finalUrl ?? url }),
    extract: pages.extract,
    memory: createDomainMemory(),
  }
  const handlers = new Map<string, JobHandler>([
    ['core.onefind-deep', onefindDeep],
    ['core.onescrape-deep', createOnescrapeDeep(readers)],
  ])
  const ends = createJobWaiters()
  const local = new Map<string, LocalHandler>([['core.onefind', onefind]])
  bed = await openAppBed({ local, simulatorUrl: simulators.url })
  // The bed's map of handlers is its own copy.
  const own = bed.calls.local as Map<string, LocalHandler>
  own
    .set('core.result', resultHandler(bed.database, ends))
    .set('core.cancel', cancelHandler(bed.database))
  worker = createWorker({
    database: bed.database,
    now: bed.clock,
    concurrency: 4,
    run: (job, control) => runJob(bed.calls, handlers, job, control),
    onError: (_what, { error }) => assert.fail(String(error)),
  })
  cleanUp(() => worker.stop(0))
})

async function post<Data>(
  action: string,
  body: object,
): Promise<{ status: number } & Envelope<Data>> {
  const response = await bed.post(`/api/run/core/${action}`, body, {
    authorization: `Bearer ${bed.testKey}`,
  })
  const answer = response.json<Envelope<Data>>()
  if (answer.ok && !action.endsWith('-deep')) assertFits(`core/${action}`, answer.data)
  return { status: response.statusCode, ...answer }
}

async function finish<Result>(action: string, body: object): Promise<Finished<Result>> {
  const { data, charged_cents, ok } = await post<Submitted>(action, body)
  assert.deepEqual([ok, data.status, data.async, charged_cents], [true, 'queued', true, 0])
  await worker.wake()
  for (;;) {
    const polled = await post<Finished<Result>>('result', { job_id: data.job_id })
    assert.equal(polled.charged_cents, 0)
    const { status, result } = polled.data
    if (status === 'succeeded') assertFits(`core/${action}`, result)
    if (status === 'succeeded' || status === 'failed') return polled.data
    await new Promise((turn) => setImmediate(turn))
  }
}

it('a person is found by name with a test key in scripts that have no capitals', async () => {
  for (const [query, name, company] of [
    ['王伟 at Alibaba', '王伟', 'Alibaba'],
    ['山田太郎、トヨタ', '山田太郎', 'トヨタ'],
    ['محمد علي at Aramco', 'محمد علي', 'Aramco'],
    ['김민준 (Samsung)', '김민준', 'Samsung'],
  ] as const) {
    const { data, status } = await post<Found>('onefind', { query })
    assert.deepEqual(
      [status, data?.person, data?.rows[0]?.name, data?.rows[0]?.company],
      [200, true, name, company],
      query,
    )
  }
})

it('marks failures of a test key as simulated, and failures of a live key not', async () => {
  const path = '/api/run/core/onefind'
  const said = async (query: string, key: string, accept = '*/*') =>
    (await bed.post(path, { query }, { authorization: `Bearer ${key}`, accept })).json<{
      ok?: boolean
      test?: boolean
    }>()
  for (const query of ['a name without matches', 'ana@example.com']) {
    for (const accept of ['*/*', 'application/problem+json']) {
      assert.equal((await said(query, bed.testKey, accept)).test, true)
      assert.ok(!('test' in (await said(query, bed.liveKey, accept))))
    }
  }
})

describe('core/onefind', () => {
  it('finds people without contact data for two cents at any limit', async () => {
    const { data, charged_cents, test } = await post<Found>('onefind', {
      query: 'heads of logistics in Lyon',
      limit: 25,
    })
    assert.deepEqual(
      [charged_cents, test, data.person, data.enriched, data.row_count, data.rows.length],
      [2, true, false, false, 25, 25],
    )
    assert.ok(
      data.rows.every(
        ({ linkedin, email, enriched, error }) =>
          linkedin !== null && email === null && !enriched && error === undefined,
      ),
    )
    assert.equal(data.content_trust, 'untrusted')
    assert.equal(
      (await post<Found>('onefind', { query: 'heads of logistics in Lyon' })).data.row_count,
      15,
    )
  })

  it('finds exactly one row for a query that names one person', async () => {
    const { data } = await post<Found>('onefind', { query: 'Ana Example at Acme' })
    assert.deepEqual(
      [data.person, data.rows.map(({ name, company }) => [name, company])],
      [true, [['Ana Example', 'Acme']]],
    )
  })

  it('rejects identifiers and charges nothing for an empty result', async () => {
    const refused = async (query: string) => {
      const { status, error, charged_cents } = await post('onefind', { query })
      return [status, error?.code, charged_cents]
    }
    for (const query of ['ana@example.com', 'linkedin.com/in/ana', '+1 555 010 0123'])
      assert.deepEqual(await refused(query), [400, 'onefind_identifier', 0])
    assert.deepEqual(await refused('nobody of this kind'), [502, 'no_people', 0])
    assert.deepEqual((await post('onefind', { query: 'CTOs', limit: 26 })).error?.param, 'limit')
  })
})

describe('core/onefind-deep', () => {
  it('looks up rows of every kind and charges successful lookups', async () => {
    const rows = [
      'ana.example@example.com',
      'https://www.linkedin.com/in/ben-sample',
      'Carla Testa, Acme',
      'nobody@gmail.com',
    ]
    const { status, result, charged_cents } = await finish<Enriched>('onefind-deep', { rows })
    assert.equal(status, 'succeeded')
    assert.deepEqual(
      [result.query, result.row_count, result.skipped_count, result.budget_cents],
      [null, 4, 0, 64],
    )
    assert.deepEqual(
      result.rows.map(({ input }) => input),
      rows,
    )
    assert.deepEqual(
      result.rows.map(({ hops }) =>
        hops.map(
          ({ provider, action, ok, skipped }) => `${provider}/${action} ${skipped ?? String(ok)}`,
        ),
      ),
      [
        ['contactfind/person-from-email true', 'emailintel/enrich not_needed'],
        ['contactfind/linkedin-contacts true', 'emailintel/linkedin-finder true'],
        [
          'semantic/search true',
          'contactfind/linkedin-contacts true',
          'emailintel/linkedin-finder not_needed',
        ],
        ['contactfind/person-from-email false', 'emailintel/enrich webmail'],
      ],
    )
    assert.deepEqual(
      result.rows.map((row) => row.charged_cents),
      [10, 15, 11, 0],
    )
    assert.equal(result.rows[3]?.error, 'not found')
    assert.ok(
      result.rows
        .slice(0, 3)
        .every(({ email, name, enriched }) => email !== null && name !== null && enriched),
    )
    assert.deepEqual([charged_cents, result.spent_cents], [36, 36])
  })

  it('finds and enriches by description, and by name that person alone', async () => {
    const { result, charged_cents } = await finish<Enriched>('onefind-deep', {
      query: 'heads of logistics in Lyon',
      limit: 3,
    })
    assert.deepEqual(
      [result.row_count, result.enriched_count, result.stats.emails, charged_cents],
      [3, 3, 3, 31],
    )
    const one = await finish<Enriched>('onefind-deep', { query: 'Ana Example at Acme' })
    assert.deepEqual(
      [one.result.row_count, one.charged_cents, one.result.budget_cents],
      [1, 11, 16],
    )
  })

  it('reports the rows that the budget did not cover', async () => {
    const { result } = await finish<Enriched>('onefind-deep', {
      rows: ['a.b@example.com', 'c.d@example.com', 'e.f@example.com'],
      budgetCents: 20,
    })
    assert.deepEqual(
      result.rows.map(({ error }) => error ?? 'found'),
      ['found', 'found', 'over budget'],
    )
  })

  it('without a result fails, not charged; a body with both or neither is rejected', async () => {
    const { status, charged_cents, error, result } = await finish<Enriched>('onefind-deep', {
      rows: ['nobody@gmail.com'],
    })
    assert.deepEqual(
      [status, charged_cents, error?.code, error?.retryable],
      ['failed', 0, 'no_people', false],
    )
    assert.match(error?.fix ?? '', /change the description/)
    assert.deepEqual(
      [result.rows.map((row) => row.error), result.enriched_count, result.spent_cents],
      [['not found'], 1, 0],
    )
    for (const body of [{}, { query: 'CTOs in Lyon', rows: ['a.b@example.com'] }]) {
      const refused = await post('onefind-deep', body)
      assert.deepEqual([refused.status, refused.error?.code], [400, 'bad_request'])
    }
    assert.equal(
      (await post('onefind-deep', { rows: ['a.b@example.com'], budgetCents: 9 })).error?.param,
      'budgetCents',
    )
  })
})

describe('core/onescrape-deep', () => {
  it('reads each page with the first successful tier and charges only that tier', async () => {
    const cheap = 'wall.semantic.render2.render.cheapunblock'
    const urls = [
      'example.com',
      `${cheap}.sim.test`,
      `${cheap}.unblock.sim.test`,
      `${cheap}.unblock.proxy.sim.test`,
      'wall.sim.test',
    ]
    const { status, result, charged_cents } = await finish<Read>('onescrape-deep', { urls })
    assert.equal(status, 'succeeded')
    assert.deepEqual(
      result.rows.map(({ provider, error, hard, charged_cents: cents }) => [
        provider,
        error,
        hard,
        cents,
      ]),
      [
        ['semantic', undefined, false, 1],
        ['unblock', undefined, true, 2],
        ['proxy', undefined, true, 4],
        ['render2-stealth', undefined, true, 1],
        [null, 'blocked', true, 0],
      ],
    )
    assert.deepEqual(
      [
        result.url_count,
        result.row_count,
        result.read_count,
        result.blocked_count,
        result.skipped_count,
        result.hard,
      ],
      [5, 5, 4, 1, 0, true],
    )
    assert.deepEqual([charged_cents, result.spent_cents, result.budget_cents], [8, 8, 50])
    assert.ok(result.rows[4]?.hops.every(({ ok, charged_cents: cents }) => !ok && cents === 0))
  })

  it('stores the whole text of a page that max_chars cuts', async () => {
    const { result } = await finish<{ rows: readonly CutRow[] }>('onescrape-deep', {
      urls: ['example.com'],
      max_chars: 100,
    })
    const [row] = result.rows
    assert.ok(row?.rest !== undefined && row.truncated === true)
    assert.doesNotMatch(JSON.stringify(result), /data:text/)
    const file = await bed.app.inject(
      new URL(row.rest.get_url).pathname + new URL(row.rest.get_url).search,
    )
    assert.equal(file.rawPayload.length, row.rest.size)
    assert.equal(file.rawPayload.subarray(0, row.rest.offset).toString(), row.content)
  })

  it('reads a site from its map, the seed first', async () => {
    const { result, charged_cents } = await finish<Read>('onescrape-deep', {
      site: { url: 'https://example.com/', max_pages: 4 },
    })
    assert.equal(result.rows[0]?.url, 'https://example.com/')
    assert.ok(result.row_count >= 2 && result.row_count <= 4)
    assert.ok((result.site?.mapped_pages ?? 0) >= result.row_count - 1)
    assert.equal(charged_cents, 2)
  })

  it('that reads no page fails, uncharged; bad input is refused before anything is held', async () => {
    const { status, charged_cents, error, result } = await finish<Read>('onescrape-deep', {
      urls: ['wall.sim.test'],
    })
    assert.deepEqual(
      [status, charged_cents, error?.code, error?.retryable],
      ['failed', 0, 'all_blocked', true],
    )
    assert.deepEqual(
      [
        result.rows.map((row) => [row.error, row.hard]),
        result.read_count,
        result.blocked_count,
        result.spent_cents,
      ],
      [[['blocked', true]], 0, 1, 0],
    )
    const codeOf = async (body: object) => (await post('onescrape-deep', body)).error?.code
    assert.equal(await codeOf({}), 'bad_request')
    assert.equal(
      await codeOf({ urls: ['example.com'], site: { url: 'example.com' } }),
      'bad_request',
    )
    assert.equal(await codeOf({ urls: ['https://www.linkedin.com/in/x'] }), 'onescrape_social')
    assert.equal(await codeOf({ site: { url: 'https://example.com/a.pdf' } }), 'onescrape_document')
    assert.equal(await codeOf({ site: { url: 'example.com', max_pages: 51 } }), 'invalid_params')
  })
})
