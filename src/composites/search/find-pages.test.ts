import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import type { WireRequest } from '../../catalog/vocabulary/wire.ts'
import { readEngineReply } from './engine-reply.ts'
import { ANY_TIME, createFindPages, type PageSearch } from './find-pages.ts'
import { periodBetween, periodOf, periodOfTbs } from './period.ts'

const NOW = Date.UTC(2026, 10, 29, 12)
const tools = {
  accountId: 'a',
  callId: 'c' as never,
  signal: new AbortController().signal,
  timeoutMs: 10_000,
  now: () => NOW,
}
const SEARCH: PageSearch = {
  queries: ['group commit'],
  topic: 'web',
  period: ANY_TIME,
  language: null,
  includeDomains: [],
  excludeDomains: [],
  count: 10,
  page: 1,
  safeSearch: 1,
}
const read = (body: unknown) => readEngineReply(body) ?? assert.fail('it is a reply')
type Row = { url: string; engines?: string[]; positions?: number[]; [field: string]: unknown }

function bedOf(rows: readonly Row[], failed: unknown[] = [], engines?: unknown) {
  const sent: WireRequest[] = []
  const find = createFindPages({
    isAllowed: (url) => !url.includes('10.0.0.1'),
    requests: {
      async search(wire) {
        sent.push(wire)
        return read({
          results: rows.map((row) => ({ engines: ['bing'], title: 'Group commit', ...row })),
          unresponsive_engines: failed,
        })
      },
      list: async () => engines,
    },
  })
  return { sent, find: (search: Partial<PageSearch> = {}) => find({ ...SEARCH, ...search }, tools) }
}

test('prefers the page on which engines agree to the first page of one engine', async () => {
  const { find } = bedOf([
    { url: 'https://one.example/a', engines: ['bing'], positions: [1] },
    {
      url: 'https://both.example/a',
      engines: ['bing', 'mojeek', 'wikipedia'],
      positions: [2, 2, 1],
    },
  ])
  const { rows, engines } = await find()
  assert.deepEqual(
    rows.map(({ url, sources }) => [url, sources.length]),
    [
      ['https://both.example/a', 3],
      ['https://one.example/a', 1],
    ],
  )
  assert.deepEqual(engines, { answered: ['bing', 'mojeek', 'wikipedia'], failed: [] })
  assert.ok(rows.every(({ score }) => score > 0 && score < 1))
})

test('merges addresses of the same page, and drops those that no caller may receive', async () => {
  const { rows } = await bedOf([
    { url: 'https://a.example/p?utm_source=x', engines: ['bing'] },
    { url: 'http://www.a.example/p/', engines: ['mojeek'] },
    { url: 'javascript:alert(1)' },
    { url: '' },
    { url: 'http://10.0.0.1/admin' },
  ]).find()
  assert.deepEqual(
    rows.map(({ url, sources }) => [url, sources]),
    [['https://a.example/p', ['bing', 'mojeek']]],
  )
})

test('reports engines that failed next to those that answered', async () => {
  const { find } = bedOf([{ url: 'https://a.example/' }], [['google', 'CAPTCHA']])
  assert.deepEqual((await find()).engines, {
    answered: ['bing'],
    failed: [{ name: 'google', reason: 'CAPTCHA' }],
  })
})

test('never reports blocked engines as an empty result', async () => {
  const failed = [
    ['google', 'Suspended: CAPTCHA'],
    ['bing', 'Suspended: too many requests'],
  ]
  const config = {
    engines: ['google', 'bing'].map((name) => ({ name, enabled: true, categories: ['general'] })),
  }
  for (const list of [config, undefined])
    await assert.rejects(bedOf([], failed, list).find(), (error: unknown) => {
      assert.ok(error instanceof AppError)
      assert.deepEqual([error.code, error.retryAfterSeconds], ['upstream_busy', 3_600])
      assert.match(error.message, /google \(Suspended: CAPTCHA\), bing .*Nothing was charged/)
      return true
    })
})

test('is empty when engines answered with nothing, also if others failed', async () => {
  const engines = ['google', 'mojeek'].map((name) => ({
    name,
    enabled: true,
    categories: ['general'],
  }))
  const found = await bedOf([], [['google', 'CAPTCHA']], { engines }).find()
  assert.deepEqual([found.rows, found.engines.answered], [[], ['mojeek']])
  assert.deepEqual((await bedOf([]).find()).rows, [])
})

test('uses the replies that arrived, and fails if none did', async () => {
  const arrived = read({
    results: [{ url: 'https://a.example/', engines: ['bing'] }],
  })
  const isFirst = ({ query }: WireRequest) => query?.['q'] === 'group commit'
  const findWith = (fails: (wire: WireRequest) => boolean, error: Error) =>
    createFindPages({
      isAllowed: () => true,
      requests: {
        search: async (wire) => (fails(wire) ? Promise.reject(error) : arrived),
        list: async () => undefined,
      },
    })({ ...SEARCH, queries: ['group commit', 'fsync batching'] }, tools)
  const busy = new AppError('upstream_busy')
  assert.equal((await findWith((wire) => !isFirst(wire), busy)).rows.length, 1)
  await assert.rejects(
    findWith(() => true, busy),
    busy,
  )
  const defect = new TypeError('a defect')
  await assert.rejects(findWith(isFirst, defect), defect)
})

test('sends topic, language, period, page and domains to the engines', async () => {
  const { sent, find } = bedOf([{ url: 'https://a.example/' }])
  await find({
    topic: 'news',
    language: 'de-DE',
    period: periodOf('week', NOW),
    page: 3,
    safeSearch: 2,
    includeDomains: ['a.example'],
  })
  assert.deepEqual(sent[0]?.query, {
    q: 'group commit site:a.example',
    format: 'json',
    categories: 'news',
    language: 'de-DE',
    time_range: 'week',
    pageno: 3,
    safesearch: 2,
  })
})

test('reads a second page only for more rows than a page has', async () => {
  const few = bedOf([{ url: 'https://a.example/' }])
  await few.find({ count: 20 })
  const many = bedOf([{ url: 'https://a.example/' }])
  await many.find({ count: 21 })
  const pagesOf = ({ sent }: typeof few) => sent.map(({ query }) => query?.['pageno'])
  assert.deepEqual([pagesOf(few), pagesOf(many)], [[1], [1, 2]])
})

test('drops pages without a date only if the engines do not apply the period', async () => {
  const rows = [
    { url: 'https://new.example/', publishedDate: '2026-11-28T10:00:00' },
    { url: 'https://old.example/', publishedDate: '2026-01-28T10:00:00' },
    { url: 'https://undated.example/' },
  ]
  const hostsFor = async (period: PageSearch['period']) => {
    const { rows: found, undated } = await bedOf(rows).find({ period })
    return [
      found
        .map(({ url }) => new URL(url).hostname.split('.')[0] ?? '')
        .toSorted((a, b) => a.localeCompare(b)),
      undated,
    ]
  }
  assert.deepEqual(await hostsFor(periodOf('week', NOW)), [['new', 'undated'], 0])
  assert.deepEqual(await hostsFor(periodBetween('2026-11-25', undefined, NOW)), [['new'], 1])
  assert.deepEqual(await hostsFor(periodBetween('2026-01-01', '2026-02-01', NOW)), [['old'], 1])
  assert.deepEqual(await hostsFor(periodBetween(undefined, '2026-02-01', NOW)), [['old'], 1])
  assert.deepEqual(await hostsFor(periodOfTbs('qdr:h', NOW)), [[], 1])
  assert.deepEqual(await hostsFor(ANY_TIME), [['new', 'old', 'undated'], 0])
})

test('asks engines for the shortest span that contains the period', () => {
  const span = (from: string) => periodBetween(from, undefined, NOW).freshness
  assert.deepEqual(
    ['2026-11-29', '2026-11-24', '2026-11-01', '2026-02-01', '2020-01-01'].map(span),
    ['day', 'week', 'month', 'year', null],
  )
})
