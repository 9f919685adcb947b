import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { fuse, type Ranking } from './fuse.ts'
import { plainText, publishedAt } from './text.ts'
import type { Hit, SearchRequest } from './search-request.ts'

const ANYTHING: Pick<SearchRequest, 'since' | 'includeDomains' | 'excludeDomains'> = {
  since: null,
  includeDomains: [],
  excludeDomains: [],
}

function hit(url: string, more: Partial<Hit> = {}): Hit {
  return { url, title: null, snippet: null, published: null, ...more }
}

function ranking(source: string, urls: readonly string[], honoursFreshness = true): Ranking {
  return { source, honoursFreshness, hits: urls.map((url) => hit(url)) }
}

const urlsOf = (rankings: readonly Ranking[], filters: Partial<typeof ANYTHING> = {}) =>
  fuse(rankings, { ...ANYTHING, ...filters }, 25).map(({ url }) => url)

test('ranks a page of two services above the first page of one', () => {
  const rows = fuse(
    [
      ranking('a', ['https://one.example/', 'https://both.example/']),
      ranking('b', ['https://two.example/', 'https://both.example/']),
    ],
    ANYTHING,
    10,
  )
  assert.deepEqual(
    rows.map(({ url }) => url),
    ['https://both.example/', 'https://one.example/', 'https://two.example/'],
  )
  assert.deepEqual(rows[0]?.sources, ['a', 'b'])
})

test('scores 1 if every service with hits ranks the row first', () => {
  const rows = fuse(
    [
      ranking('a', ['https://x.example/']),
      ranking('b', ['http://www.x.example']),
      ranking('silent', []),
    ],
    ANYTHING,
    10,
  )
  assert.deepEqual(
    rows.map(({ score, sources }) => [score, sources]),
    [[1, ['a', 'b']]],
  )
})

test('counts each engine of a metasearch as a source in its place', () => {
  const found = (url: string, ...engines: string[]) => hit(url, { engines })
  const rows = fuse(
    [
      {
        source: 'metasearch',
        honoursFreshness: true,
        hits: [
          found('https://one.example/', 'bing'),
          found('https://two.example/', 'bing', 'mojeek'),
        ],
      },
      ranking('other', ['https://three.example/']),
    ],
    ANYTHING,
    10,
  )
  assert.deepEqual(
    rows.map(({ url, sources }) => [url, sources]),
    [
      ['https://two.example/', ['bing', 'mojeek']],
      ['https://one.example/', ['bing']],
      ['https://three.example/', ['other']],
    ],
  )
  assert.ok(rows.every(({ score }) => score > 0 && score <= 1))
})

test('merges URLs of one page and takes each field from its best rank', () => {
  const a: Ranking = {
    source: 'a',
    honoursFreshness: true,
    hits: [hit('http://m.news.example/story?utm_source=feed', { title: 'Story' })],
  }
  const b: Ranking = {
    source: 'b',
    honoursFreshness: true,
    hits: [
      hit('https://other.example/'),
      hit('https://news.example/story/', {
        title: 'The story',
        snippet: '<strong>Heat</strong> &amp; cold',
        published: '2026-11-01T10:00:00',
      }),
    ],
  }
  const row = fuse([a, b], ANYTHING, 10).find(({ sources }) => sources.length === 2)
  assert.deepEqual(
    [row?.url, row?.title, row?.snippet, row?.published_at],
    ['https://news.example/story/', 'Story', 'Heat & cold', '2026-11-01T10:00:00.000Z'],
  )
})

test('counts a page that one service lists twice once, at its better rank', () => {
  const [row, next] = fuse(
    [ranking('a', ['https://x.example/', 'https://www.x.example/#top', 'https://y.example/'])],
    ANYTHING,
    10,
  )
  assert.deepEqual([row?.score, row?.sources, next?.url], [1, ['a'], 'https://y.example/'])
})

test('applies domain filters to all results', () => {
  const urls = [
    'https://good.example/',
    'https://docs.good.example/',
    'https://notgood.example/',
    'https://good.example.evil.test/',
    'https://bad.good.example/x',
  ]
  const filters = { includeDomains: ['good.example'], excludeDomains: ['bad.good.example'] }
  assert.deepEqual(urlsOf([ranking('a', urls)], filters), [
    'https://good.example/',
    'https://docs.good.example/',
  ])
})

test('drops rows outside the window, and undated rows of services without a filter', () => {
  const hits = [
    hit('https://old.example/', { published: '2026-01-01' }),
    hit('https://new.example/', { published: 'Thu, 19 Nov 2026 10:00:00 GMT' }),
    hit('https://undated.example/', { published: '3 days ago' }),
  ]
  const filters = { ...ANYTHING, since: '2026-11-13' }
  assert.deepEqual(
    fuse([{ source: 'a', honoursFreshness: false, hits }], filters, 10).map(({ url }) => url),
    ['https://new.example/'],
  )
  assert.deepEqual(
    fuse([{ source: 'a', honoursFreshness: true, hits }], filters, 10).map(({ url }) => url),
    ['https://new.example/', 'https://undated.example/'],
  )
})

test('returns unique rows with falling scores within the limit for any hits', () => {
  const url = fc.oneof(
    fc.webUrl(),
    fc.constantFrom('https://a.example/', 'https://www.a.example', 'nonsense', ''),
  )
  const text = fc.option(fc.string(), { nil: null })
  const hits = fc.array(fc.record({ url, title: text, snippet: text, published: text }), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ source: fc.constantFrom('a', 'b', 'c'), honoursFreshness: fc.boolean(), hits }),
        { maxLength: 5 },
      ),
      fc.integer({ min: 1, max: 25 }),
      (rankings, limit) => {
        const rows = fuse(rankings, ANYTHING, limit)
        assert.ok(rows.length <= limit && new Set(rows.map(({ id }) => id)).size === rows.length)
        rows.forEach(({ score }, at) =>
          assert.ok(score > 0 && score <= 1 && score <= (rows[at - 1]?.score ?? 1)),
        )
      },
    ),
    { numRuns: 200 },
  )
})

test('shortens snippets to one line without markup, cut at a word', () => {
  assert.equal(plainText('a <b>bold</b>\n  claim: 1 < 2 &lt; 3', 100), 'a bold claim: 1 < 2 < 3')
  assert.equal(plainText('one two three', 9), 'one two…')
  assert.equal(plainText('  ', 9), null)
})

test('converts the date formats of services, and drops phrases', () => {
  assert.equal(publishedAt('2026-11-19'), '2026-11-19T00:00:00.000Z')
  assert.equal(publishedAt('2026-11-19T08:30:00'), '2026-11-19T08:30:00.000Z')
  assert.equal(publishedAt('20261119T083000Z'), '2026-11-19T08:30:00.000Z')
  assert.deepEqual(['3 days ago', 'May 5', '', '2026-99-99'].map(publishedAt), [
    null,
    null,
    null,
    null,
  ])
})
