import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSearxng } from '../../../../test/harness/vendors/searxng-server.ts'
import { loadConfig } from '../../../app/settings/config.ts'
import { checkSearch } from './search.ts'

const searxng = await startSearxng()
const check = (url = searxng.url) => checkSearch(loadConfig({ SEARXNG_URL: url }), 'web search')
const row = { url: 'https://www.wikipedia.org/', engines: ['bing', 'mojeek'] }

test('lists the engines that answer and those that do not, with their number', async () => {
  searxng.behave(() => ({ rows: [row], failed: [['google', 'CAPTCHA']] }))
  assert.deepEqual(await check(), {
    name: 'web search',
    state: 'ok',
    found: 'SearXNG answers; general: bing, mojeek (2 of 3; google: CAPTCHA)',
    fix: null,
  })
})

test('warns of a single engine, and reports that no engine answers', async () => {
  searxng.behave(() => ({ rows: [{ ...row, engines: ['bing'] }] }))
  assert.equal((await check()).state, 'warning')
  searxng.behave(() => ({ failed: [['google', 'CAPTCHA']] }))
  const { state, found } = await check()
  assert.deepEqual([state, found], ['missing', 'no engine of SearXNG answers (google: CAPTCHA)'])
})

const PROBLEMS = [
  ['JSON that is off', { status: 403, text: '' }, /rejects JSON/, /formats: \[html, json\]/],
  ['a limiter', { status: 429, text: '' }, /limits its callers/, /limiter: false/],
  ['a sign-in page', { status: 302, text: '' }, /status 302/, /sign-in page/],
  ['another page', { text: '<html></html>' }, /no results in JSON/, /address of SearXNG/],
] as const
for (const [name, answer, found, fix] of PROBLEMS)
  test(`names the lines to change for ${name}`, async () => {
    searxng.behave(() => answer)
    const report = await check()
    assert.equal(report.state, 'missing')
    assert.match(report.found, found)
    assert.match(report.fix ?? '', fix)
  })

test('reports a search engine that is missing or does not answer', async () => {
  assert.equal((await check('')).found, 'not set up')
  assert.match((await check('http://127.0.0.1:9')).found, /does not answer/)
})
