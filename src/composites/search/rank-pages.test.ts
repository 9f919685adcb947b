import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineHit } from './engine-reply.ts'
import { FEATURE_NAMES, scoreFeatures } from './order-model.ts'
import { featuresOf, rankPages, toRankings } from './rank-pages.ts'

const hit = (name: string, more: Partial<EngineHit> = {}): EngineHit => ({
  url: `https://${name}.example/`,
  title: name,
  snippet: null,
  published: null,
  engines: ['bing'],
  positions: [],
  ...more,
})
const request = { query: 'wal archive', since: null, includeDomains: [], excludeDomains: [] }
const namesOf = (hits: readonly EngineHit[]) =>
  rankPages([{ hits }], request, true).map(({ url }) => new URL(url).hostname.split('.')[0])

test('makes one ranking for each engine, in its own order', () => {
  const rankings = toRankings(
    [
      hit('a', { engines: ['bing', 'mojeek'], positions: [3, 1] }),
      hit('b', { engines: ['bing'], positions: [1] }),
      hit('c', { engines: ['mojeek'] }),
    ],
    true,
  )
  const order = rankings.map(({ source, hits }) => [source, ...hits.map(({ title }) => title)])
  assert.deepEqual(order, [
    ['bing', 'b', 'a'],
    ['mojeek', 'a', 'c'],
  ])
})

test('prefers a page about the query to a page that only stands before it', () => {
  assert.deepEqual(
    namesOf([
      hit('shop', { title: 'Buy now', snippet: 'Everything on sale.', positions: [1] }),
      hit('docs', { title: 'WAL archive', snippet: 'Continuous archiving.', positions: [2] }),
    ]),
    ['docs', 'shop'],
  )
})

test('ranks every feature from 0 to 1, with more of a feature never below less of it', () => {
  const rows = rankPages(
    [{ hits: [hit('wal'), hit('b', { title: 'The WAL archive' })] }],
    request,
    true,
  )
  const none = Object.fromEntries(FEATURE_NAMES.map((name) => [name, 0])) as never
  for (const features of featuresOf(rows, request.query, 1))
    for (const name of FEATURE_NAMES) {
      assert.ok(features[name] >= 0 && features[name] <= 1, name)
      const more = { ...(none as object), [name]: 1 } as never
      assert.ok(scoreFeatures(more) >= scoreFeatures(none), name)
    }
})

test('ranks no rows, one row and rows without any text', () => {
  assert.deepEqual(namesOf([]), [])
  assert.deepEqual(namesOf([hit('a', { title: null })]), ['a'])
  assert.deepEqual(rankPages([{ hits: [hit('a')] }], { ...request, query: '!?' }, true).length, 1)
})

test('ranks a hundred long rows within half a second of processor time', () => {
  const hits = Array.from({ length: 100 }, (_, at) =>
    hit(`h${at}`, { title: 'wal archive '.repeat(25), snippet: 'archive wal '.repeat(160) }),
  )
  rankPages([{ hits }], request, true)
  const before = process.cpuUsage()
  rankPages([{ hits }], request, true)
  const { user, system } = process.cpuUsage(before)
  assert.ok(user + system < 500_000, `${user + system} µs`)
})
