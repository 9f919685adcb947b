import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { fuse, type Ranking } from './fuse.ts'
import { plainText, publishedAt } from './text.ts'
import type { Hit, SearchWish } from './wish.ts'

const ANYTHING: Pick<SearchWish, 'since' | 'includeDomains' | 'excludeDomains'> = {
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

test('what two services found comes before what one service put first', () => {
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

test('a row that every answering service put first scores 1, and a service without hits does not lower it', () => {
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

test('spellings of one page become one row, with the address for every device and each fact from the best place that has it', () => {
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

test('a page that one service lists twice counts once, at its better place', () => {
  const [row, next] = fuse(
    [ranking('a', ['https://x.example/', 'https://www.x.example/#top', 'https://y.example/'])],
    ANYTHING,
    10,
  )
  assert.deepEqual([row?.score, row?.sources, next?.url], [1, ['a'], 'https://y.example/'])
})

test('domain filters hold exactly, whatever the services bring', () => {
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

test('with a window, dated rows outside of it are dropped, and undated ones where the service does not keep to it', () => {
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

test('no list of hits breaks the fusion: at most the limit, scores falling from at most 1, every page once', () => {
  const url = fc.oneof(
    fc.webUrl(),
    fc.constantFrom('https://a.example/', 'https://www.a.example', 'invalidSetting', ''),
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

test('snippets are one line without markup, cut at a word', () => {
  assert.equal(plainText('a <b>bold</b>\n  claim: 1 < 2 &lt; 3', 100), 'a bold claim: 1 < 2 < 3')
  assert.equal(plainText('one two three', 9), 'one two…')
  assert.equal(plainText('  ', 9), null)
})

test('dates in the spellings of the services become one, and phrases become none', () => {
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
