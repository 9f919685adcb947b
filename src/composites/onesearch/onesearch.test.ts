import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toAppError } from '../../calls/perform/outcome-error.ts'
import { AppError } from '../../errors/app-error.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { createValidator } from '../../catalog/validate/validate.ts'
import type { CallLine } from './query-service.ts'
import type { SearchRow } from './fuse.ts'
import { createOnesearch } from './onesearch.ts'
import {
  checkDomains,
  onesearchInput,
  toSearchRequest,
  type OnesearchInput,
} from './search-input.ts'
import { searchServices, type SearchService } from './search-services.ts'
import { fakeTools, found, NOW_MS, type Answers } from './testing/fake-tools.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'

type Answer = {
  query: string
  row_count: number
  rows: SearchRow[]
  calls: CallLine[]
  next: string
}

const validator = createValidator()

/** A test service with the replies of semantic/search. */
function service(name: string, more: Partial<SearchService> = {}): SearchService {
  return {
    service: name,
    action: 'search',
    topics: ['web'],
    honoursFreshness: true,
    input: ({ query }) => ({ query }),
    hits: (reply) =>
      ((reply['results'] ?? []) as { url: string; title: string }[]).map(({ url, title }) => ({
        url,
        title,
        snippet: null,
        published: null,
      })),
    ...more,
  }
}

function search(
  services: readonly SearchService[],
  answers: Answers,
  input: Data = {},
): Promise<Outcome> {
  return createOnesearch({ services })(
    validator.validate(onesearchInput, { query: 'heat pumps', ...input }),
    fakeTools(answers),
  )
}

function answerOf(outcome: Outcome): Answer {
  assert.ok(outcome.kind === 'done', JSON.stringify(outcome))
  assertFits('core/onesearch', outcome.data)
  return outcome.data as Answer
}

test('returns the results of all services as one list with sources', async () => {
  const answer = answerOf(
    await search([service('a'), service('b')], {
      'a/search': () => found('https://x.example/'),
      'b/search': () => found('http://www.x.example', 'https://y.example/'),
    }),
  )
  assert.deepEqual(
    answer.rows.map(({ url, sources }) => [url, sources]),
    [
      ['https://x.example/', ['a', 'b']],
      ['https://y.example/', ['b']],
    ],
  )
  assert.deepEqual(
    [
      answer.query,
      answer.row_count,
      answer.calls.map(({ service: label, ok, row_count: rows }) => [label, ok, rows]),
    ],
    [
      'heat pumps',
      2,
      [
        ['a', true, 1],
        ['b', true, 2],
      ],
    ],
  )
  assert.match(answer.next, /core\/onescrape/)
})

test('lists failed, slow and missing services without failing the search', async () => {
  const answers: Answers = {
    'fine/search': () => found('https://x.example/'),
    'down/search': () => failed('upstream_error', 'Down.'),
    'picky/search': () => {
      throw new AppError('invalid_params', 'Too long.')
    },
    'slow/search': () => failed('upstream_timeout', 'Too slow.'),
  }
  const answer = answerOf(
    await search(
      ['fine', 'down', 'picky', 'slow', 'absent'].map((name) => service(name)),
      answers,
    ),
  )
  assert.deepEqual(
    answer.calls.map(({ service: label, ok, skipped, error }) => [label, ok, skipped ?? error]),
    [
      ['fine', true, undefined],
      ['down', false, 'upstream_error'],
      ['picky', false, 'invalid_params'],
      ['slow', false, 'upstream_timeout'],
      ['absent', false, 'not_configured'],
    ],
  )
  assert.equal(answer.row_count, 1)
  assert.match(answer.next, /slow took too long/)
})

test('limits the time of each service', async () => {
  const tools = fakeTools({ 'a/search': () => found('https://x.example/') })
  await createOnesearch({ services: [service('a')], limitMs: 3_000 })(
    validator.validate(onesearchInput, { query: 'x' }),
    tools,
  )
  assert.deepEqual(
    tools.steps.map(({ limitMs }) => limitMs),
    [3_000],
  )
})

test('queries all services concurrently', async () => {
  let calls = 0
  let release = (): void => {}
  const both = new Promise<void>((resolve) => {
    release = resolve
  })
  const answer = async (): Promise<Outcome> => {
    calls += 1
    if (calls === 2) release()
    await both
    return found('https://x.example/')
  }
  answerOf(await search([service('a'), service('b')], { 'a/search': answer, 'b/search': answer }))
})

test('fails with no_results without rows, and upstream_not_configured without services', async () => {
  const nothing = await search([service('a')], { 'a/search': () => found() })
  assert.ok(nothing.kind === 'failed')
  assert.deepEqual(
    [nothing.code, (nothing.details?.['calls'] as CallLine[]).length],
    ['no_results', 1],
  )
  const filtered = await search(
    [service('a')],
    { 'a/search': () => found('https://x.example/') },
    { include_domains: ['y.example'] },
  )
  assert.ok(filtered.kind === 'failed' && filtered.code === 'no_results')
  assert.match(filtered.message, /filters/)
  const absent = await search([service('a'), service('b')], {})
  assert.ok(absent.kind === 'failed')
  assert.equal(absent.code, 'upstream_not_configured')
})

test('distinguishes an outage of every service from a search without results', async () => {
  const services = [service('a'), service('b'), service('absent')]
  const down = (): Outcome => failed('upstream_error', 'Down.')
  const slow = (): Outcome => failed('upstream_timeout', 'Too slow.')
  const adviceAfter = async (answers: Readonly<Record<string, () => Outcome>>) => {
    const outcome = await search(services, answers)
    assert.ok(outcome.kind === 'failed' && outcome.code === 'no_results')
    return `${toAppError(outcome).isRetryable ? 'Later: ' : ''}${outcome.message} ${outcome.fix ?? ''}`
  }
  assert.match(
    await adviceAfter({ 'a/search': down, 'b/search': slow }),
    /^Later: No search service answered.*Try again later/,
  )
  assert.match(
    await adviceAfter({ 'a/search': down, 'b/search': () => found() }),
    /^No.* different words/,
  )
  assert.match(
    await adviceAfter({ 'a/search': down, 'b/search': () => failed('no_results', 'Nothing.') }),
    /^No.* different words/,
  )
})

test('rejects a blank query', () => {
  assert.throws(
    () => validator.validate(onesearchInput, { query: ' \t ' }),
    (error) => error instanceof AppError && error.param === 'query',
  )
})

test('returns at most `limit` rows', async () => {
  const urls = Array.from({ length: 20 }, (_, index) => `https://example.com/${index}`)
  assert.equal(
    answerOf(await search([service('a')], { 'a/search': () => found(...urls) }, { limit: 3 }))
      .row_count,
    3,
  )
})

test('queries only services that serve the topic', async () => {
  const services = [service('a'), service('press', { topics: ['news'] })]
  const answers = {
    'a/search': () => found('https://a.example/'),
    'press/search': () => found('https://press.example/'),
  }
  assert.deepEqual(
    answerOf(await search(services, answers, { topic: 'news' })).rows.map(({ url }) => url),
    ['https://press.example/'],
  )
})

test('accepts all spellings of a domain, and names the invalid one', () => {
  const input: OnesearchInput = {
    query: 'x',
    limit: 10,
    topic: 'web',
    include_domains: ['https://www.Example.com/path', '*.docs.example.org', 'example.com'],
  }
  assert.deepEqual(toSearchRequest(input, NOW_MS).includeDomains, [
    'example.com',
    'docs.example.org',
  ])
  assert.throws(
    () => checkDomains({ exclude_domains: ['example.com', 'not a domain'] }),
    (error) => error instanceof AppError && error.param === 'exclude_domains[1]',
  )
})

test('has a service for every topic, and sends inputs that its action accepts', async () => {
  const { createCatalog } = await import('../../catalog/index.ts')
  const catalog = createCatalog()
  const variants: Partial<OnesearchInput>[] = [
    {},
    { freshness: 'week', country: 'de' },
    { include_domains: ['example.com', 'github.com'] },
    { exclude_domains: ['example.com'], limit: 25 },
    { query: 'word '.repeat(80).trim() },
  ]
  for (const topic of ['web', 'news', 'papers', 'code'] as const) {
    const serving = searchServices.filter(({ topics }) => topics.includes(topic))
    assert.ok(serving.length > 0, topic)
    for (const { service: id, action: name, input } of serving) {
      const { action } = catalog.findAction(id, name)
      for (const variant of variants)
        action.check(
          validator.validate(
            action.input,
            input(toSearchRequest({ query: 'heat pumps', limit: 10, topic, ...variant }, NOW_MS)),
          ),
        )
    }
  }
})
