import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSearchBed } from '../../../test/harness/beds/search.ts'
import { refusal } from '../../../test/harness/refusal.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'
import { asText } from '../../catalog/answers/vendor-failure.ts'
import { createCatalog } from '../../catalog/index.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { cents } from '../../lib/money.ts'
import { SEARCH_HANDLERS } from './search-handlers.ts'

const bed = await openSearchBed()
const { searxng, pages, site, run } = bed
const FACT = 'PostgreSQL was first released in 1996 under this name, after years as Postgres. '
const PAGE = (title: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><article><h1>${title}</h1><p>${FACT}${'A group commit shares one durable write between many callers of a database. '.repeat(8)}</p></article></main></body></html>`
pages.set('/a', PAGE('Group commits'))
pages.set('/b', PAGE('Notes on write-ahead logs'))
const ROWS = [
  {
    url: `${site}/a`,
    title: 'Group commits',
    content: FACT,
    publishedDate: '2026-10-14T08:00:00',
    engines: ['bing', 'mojeek'],
    positions: [1, 1],
  },
  {
    url: `${site}/b`,
    title: 'Notes on write-ahead logs',
    content: 'The licences of three open vector databases differ: Apache-2.0 or BSD-3-Clause.',
  },
]
const ACTIONS = SEARCH_HANDLERS.map((name) => name.replace('.', '/'))
const { findAction } = createCatalog()
const exampleOf = (action: string) => {
  const [service = '', name = ''] = action.split('/')
  return findAction(service, name).action.example
}
const priceOf = (action: string) => (action === 'cited/deep-search' ? cents('5') : cents('1'))
/** Of a question that no other test asks, because replies are cached. */
let asked = 0
const inputOf = (action: string) => {
  const { q, query, objective: _objective, search_queries, ...example } = exampleOf(action)
  const words = `${asText(q ?? query ?? 'group commit')} number${(asked += 1)}`
  return {
    ...example,
    ...(search_queries === undefined
      ? { [q === undefined ? 'query' : 'q']: words }
      : { query: words }),
  }
}

for (const action of ACTIONS) {
  test(`${action} answers in the shape of its vendor, for its list price`, async () => {
    searxng.behave(() => ({ rows: ROWS, failed: [['google', 'CAPTCHA']] }))
    const { data, charged } = await run(action, exampleOf(action))
    assertFits(action, data)
    assert.equal(charged, priceOf(action))
    assert.deepEqual(data['engines'], {
      answered: ['bing', 'mojeek'],
      failed: [{ name: 'google', reason: 'CAPTCHA' }],
    })
    assert.match(JSON.stringify(data), new RegExp(`${site}/[ab]`))
  })

  test(`${action} is free when the engines find nothing`, async () => {
    searxng.behave(() => ({}))
    const call = run(action, inputOf(action))
    if (action.startsWith('cited/')) await refusal(call, 'no_results')
    else assert.equal((await call).charged, 0n)
  })

  test(`${action} reports blocked engines with their return, free`, async () => {
    searxng.behave(() => ({
      failed: [
        ['bing', 'Suspended: too many requests'],
        ['mojeek', 'CAPTCHA'],
        ['wikipedia', 'CAPTCHA'],
      ],
    }))
    const { retryAfterSeconds } = await refusal(run(action, inputOf(action)), 'upstream_busy')
    assert.equal(retryAfterSeconds, 3_600)
  })

  test(`${action} rejects a query without words before the hold`, async () => {
    const input = inputOf(action)
    const field = 'q' in input ? 'q' : 'query'
    const call = run(action, { ...input, [field]: 'site:a.example' })
    assert.equal((await refusal(call, 'invalid_params')).param, field)
  })
}

const FAULTS = [
  ['a login page', { text: '<html>Log in</html>' }, 'upstream_error'],
  ['another JSON', { text: '{"results":"none"}' }, 'upstream_error'],
  ['JSON that is off', { status: 403, text: '' }, 'upstream_not_configured'],
  ['a limiter', { status: 429, text: '' }, 'upstream_busy'],
  ['a server error', { status: 500, text: '' }, 'upstream_error'],
  ['a redirect', { status: 302, text: '' }, 'upstream_error'],
] as const
for (const [name, answer, code] of FAULTS)
  test(`returns ${code} for ${name} of the search engine, free`, async () => {
    searxng.behave(() => answer)
    await refusal(run('indep/search', inputOf('indep/search')), code)
  })

test('asks the engines once for the same search, whichever action and account', async () => {
  searxng.behave(() => ({ rows: ROWS }))
  const before = searxng.asked.length
  const query = 'asked once'
  const answers = await Promise.all([
    run('indep/search', { q: query }),
    run('rag/search', { query }),
    run('render/search', { query: ` ${query} ` }),
  ])
  assert.equal(searxng.asked.length - before, 1)
  assert.ok(answers.every(({ charged }) => charged === cents('1')))
})

test('rejects what only the vendor supports, with the parameter, before the hold', async () => {
  const cases = [
    ['indep/search', { q: 'a', extra_snippets: true }, 'extra_snippets'],
    ['indep/search', { q: 'a', result_filter: ['videos'] }, 'result_filter'],
    ['render/search', { query: 'a', sources: ['images'] }, 'sources'],
    ['render2/search', { query: 'a', sources: ['web', 'images'] }, 'sources'],
    ['semantic/search', { query: 'a', type: 'neural' }, 'type'],
    ['semantic/search', { query: 'a', category: 'people' }, 'category'],
    ['semantic/search', { query: 'a', contents: { summary: true } }, 'contents.summary'],
    ['semantic/search', { query: 'a', numResults: 50, contents: { text: true } }, 'numResults'],
    ['cited/search', { q: 'a', includeImages: true }, 'includeImages'],
    [
      'cited/search',
      { q: 'a', outputType: 'structured', structuredOutputSchema: { type: 'object' } },
      'outputType',
    ],
  ] as const
  for (const [action, body, param] of cases) {
    const error = await refusal(run(action, body), 'upstream_not_configured')
    assert.equal(error.param, param, action)
  }
})

test('reads the pages that the caller wants, and leaves out those that cannot be read', async () => {
  searxng.behave(() => ({ rows: [...ROWS, { url: `${site}/missing`, title: 'Group' }] }))
  const { data: rag } = await run('rag/search', { query: 'read pages', include_raw_content: true })
  const { data: semantic } = await run('semantic/search', {
    query: 'read texts',
    contents: { text: { maxCharacters: 50 }, highlights: true },
  })
  const { data: render2 } = await run('render2/search', {
    query: 'read markdown',
    scrapeOptions: { formats: ['markdown', 'links'] },
  })
  for (const [data, field] of [
    [rag['results'], 'raw_content'],
    [semantic['results'], 'text'],
    [render2['data'], 'markdown'],
  ] as const) {
    const rows = data as Record<string, unknown>[]
    const withText = rows.filter((row) => typeof row[field] === 'string')
    assert.deepEqual([rows.length, withText.length], [3, 2], field)
    assert.match(String(withText[0]?.[field]), /PostgreSQL was first released/)
  }
  assert.ok(
    (semantic['results'] as Record<string, unknown>[]).every(
      ({ text }) => text === undefined || asText(text).length <= 50,
    ),
  )
})

test('answers without a language model with sentences of the pages, and reports that', async () => {
  searxng.behave(() => ({ rows: ROWS }))
  const { data } = await run('cited/search', {
    q: 'In which year was PostgreSQL first released?',
    includeInlineCitations: true,
  })
  assert.match(String(data['answer']), /first released in 1996.* \[1\]/)
  assert.equal(data['answered_by'], 'extract')
  assert.equal((data['sources'] as { url: string }[])[0]?.url, `${site}/a`)
  const { data: plain } = await run('cited/search', { q: 'When was PostgreSQL first released?' })
  assert.doesNotMatch(String(plain['answer']), /\[\d\]/)
})

test('does not answer a question that the pages do not answer, free', async () => {
  searxng.behave(() => ({ rows: ROWS }))
  const call = run('cited/search', {
    q: 'Which colour has the flag of Kiribati besides yellow?',
  })
  await refusal(call, 'no_results')
})

test('limits the searches of an account within an hour, and counts those without results more', async () => {
  const small = await openSearchBed({ SEARXNG_PER_HOUR: '6' })
  small.searxng.behave(() => ({ rows: ROWS }))
  const search = (q: string) => small.run('indep/search', { q })
  await search('one')
  // From the cache.
  await search('one')
  small.searxng.behave(() => ({}))
  await search('nothing')
  await search('nothing else')
  await refusal(search('three'), 'rate_limited')
  assert.equal(small.searxng.asked.length, 3)
  small.clock.advance(3_600_000)
  await search('four')
})

test('drops private addresses, which callers may not read', async () => {
  const strict = await openSearchBed({ ALLOW_PRIVATE_NETWORKS: '' })
  strict.searxng.behave(() => ({
    rows: [
      { url: 'http://10.0.0.1/' },
      { url: 'http://127.0.0.1/' },
      { url: 'https://example.com/' },
    ],
  }))
  const { data } = await strict.run('render/search', { query: 'anything' })
  assert.deepEqual(
    (data['data'] as { web: { url: string }[] }).web.map(({ url }) => url),
    ['https://example.com/'],
  )
})

test('leaves balanced books', async () => {
  assert.equal((await verifyLedger(bed.database)).ok, true)
})
