import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEngineNames, readEngineReply, shortestSuspension } from './engine-reply.ts'

const readHits = (body: unknown) => readEngineReply(body) ?? assert.fail('it is a reply')

test('reads hits with their engines and places, and engines that failed', () => {
  const { hits, failures } = readHits({
    results: [
      {
        url: 'https://a.example/',
        title: 'A',
        content: 'About a.',
        publishedDate: '2026-11-01T00:00:00',
        engine: 'bing',
        engines: ['mojeek', 'bing', 'bing'],
        positions: [1, 4, 'x', -2],
      },
      { url: 'https://b.example/', engine: 'wikipedia' },
      'no row',
    ],
    unresponsive_engines: [['google', 'CAPTCHA'], ['brave', 'timeout', true], ['startpage'], [3]],
  })
  assert.deepEqual(hits, [
    {
      url: 'https://a.example/',
      title: 'A',
      snippet: 'About a.',
      published: '2026-11-01T00:00:00',
      engines: ['mojeek', 'bing'],
      positions: [1, 4],
    },
    {
      url: 'https://b.example/',
      title: null,
      snippet: null,
      published: null,
      engines: ['wikipedia'],
      positions: [],
    },
  ])
  assert.deepEqual(failures, [
    { name: 'google', reason: 'CAPTCHA' },
    { name: 'brave', reason: 'timeout' },
    { name: 'startpage', reason: 'no answer' },
  ])
})

test('bounds the rows and texts of a reply', () => {
  const row = { url: 'https://a.example/', content: 'x'.repeat(100_000), engine: 'bing' }
  const { hits } = readHits({ results: Array.from({ length: 5_000 }, () => row) })
  assert.equal(hits.length, 100)
  assert.ok(JSON.stringify(hits).length < 250_000)
})

for (const body of ['<html>log in</html>', null, [], {}, { results: 'none' }])
  test(`reads no reply from ${JSON.stringify(body)}`, () => {
    assert.equal(readEngineReply(body), null)
  })

test('lists the enabled engines of a category, and none for an unknown reply', () => {
  const engines = [
    { name: 'bing', enabled: true, categories: ['general', 'web'] },
    { name: 'google', enabled: false, categories: ['general'] },
    { name: 'bing news', enabled: true, categories: ['news'] },
  ]
  assert.deepEqual(readEngineNames({ engines }, 'general'), ['bing'])
  assert.equal(readEngineNames('<html>', 'general'), null)
})

test('waits for the first engine to return from its suspension', () => {
  const after = (...reasons: string[]) =>
    shortestSuspension(reasons.map((reason) => ({ name: 'one', reason })))
  assert.equal(after('Suspended: CAPTCHA', 'Suspended: too many requests'), 3_600)
  assert.equal(after('Suspended: access denied'), 86_400)
  assert.equal(after('CAPTCHA (Cloudflare)'), 15 * 86_400)
  assert.equal(after('Suspended: CAPTCHA', 'timeout'), 30)
})
