/** What is peculiar to single services; what holds for all of them is in catalog.test.ts. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { systemClock } from '../../lib/clock.ts'
import { startSimulators, type Simulators } from '../../simulators/start.ts'
import type { CallAction, Data, Outcome, VendorFailure } from '../define.ts'
import { createCatalog } from '../index.ts'
import { billable, worstCase } from '../price.ts'
import { sendWire } from '../testing/send-wire.ts'
import { createValidator } from '../validate.ts'

const catalog = createCatalog()
const validator = createValidator()

let simulators: Simulators
before(async () => {
  simulators = await startSimulators({ now: systemClock })
})
after(() => simulators.close())

type Result = { readonly outcome: Outcome; readonly charged: bigint } | { readonly failure: VendorFailure | undefined }

/** A call from validation to charge, as production makes it. */
async function run(id: string, sent: Data): Promise<Result> {
  const { action, service, input } = prepared(id, sent)
  const reply = await sendWire(`${simulators.url}/${service.id}`, service.vendor?.auth ?? assert.fail('no vendor'), action.request(input))
  if (reply.status > 299) return { failure: service.vendor?.readFailure?.(reply) }
  assert.ok(validator.matches(action.reply, reply.body))
  const outcome = action.outcome(reply, input)
  return { outcome, charged: billable(action, input, outcome) }
}

function prepared(id: string, sent: Data) {
  const [serviceId = '', name = ''] = id.split('/')
  const { action, service } = catalog.findAction(serviceId, name)
  assert.ok(action.kind === 'call')
  const input = validator.validate(action.input, sent)
  action.check(input)
  return { action: action as CallAction, service, input }
}

function refusal(id: string, sent: Data): AppError {
  const [serviceId = '', name = ''] = id.split('/')
  const { action } = catalog.findAction(serviceId, name)
  try {
    action.check(validator.validate(action.input, sent))
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error
  }
  assert.fail('the input was accepted')
}

async function missOf(id: string, sent: Data): Promise<Extract<Outcome, { kind: 'failed' }>> {
  const result = await run(id, sent)
  assert.ok('outcome' in result && result.outcome.kind === 'failed')
  assert.equal(result.charged, 0n)
  return result.outcome
}

async function failureOf(id: string, sent: Data): Promise<ErrorCode | undefined> {
  const result = await run(id, sent)
  assert.ok('failure' in result, 'the vendor answered with a success')
  return result.failure?.code
}

const page = (fault: string) => `https://${fault}.sim.test/article`

describe('semantic/search', () => {
  test('people and company take no dates and no excluded domains, and the field is named', () => {
    for (const category of ['people', 'company']) {
      for (const [name, value] of Object.entries({ start_published_date: '2026-01-01', end_published_date: '2026-01-01', exclude_domains: ['example.com'] })) {
        const error = refusal('semantic/search', { query: 'x', category, [name]: value })
        assert.equal(error.code, 'invalid_params')
        assert.equal(error.param, name)
      }
    }
  })

  test('people are searched on LinkedIn alone', () => {
    assert.equal(refusal('semantic/search', { query: 'x', category: 'people', include_domains: ['linkedin.com', 'example.com'] }).param, 'include_domains[1]')
    prepared('semantic/search', { query: 'x', category: 'people', include_domains: ['www.linkedin.com'] })
  })

  test('the category github becomes a filter by domain', () => {
    const { action, input } = prepared('semantic/search', { query: 'x', category: 'github' })
    assert.deepEqual((action.request(input).json as Data)['includeDomains'], ['github.com'])
    assert.equal((action.request(input).json as Data)['category'], undefined)
  })

  test('no results is an answer and free', async () => {
    const result = await run('semantic/search', { query: 'sim:miss nothing at all' })
    assert.ok('outcome' in result && result.outcome.kind === 'empty')
    assert.equal(result.charged, 0n)
  })

  test('a date that is none is refused', () => {
    assert.equal(refusal('semantic/search', { query: 'x', start_published_date: 'yesterday' }).param, 'start_published_date')
  })
})

describe('semantic/contents', () => {
  test('pages that failed are shown and not charged', async () => {
    const urls = [page('fine'), page('miss'), page('page-404'), ...Array.from({ length: 12 }, (_, index) => `https://example.com/${index}`)]
    const result = await run('semantic/contents', { urls, text: true, summary: true })
    assert.ok('outcome' in result && result.outcome.kind === 'partial')
    assert.equal(result.outcome.units, 26)
    assert.equal(result.charged, cents('3'))
  })

  test('a call whose every page failed is free', async () => {
    const result = await run('semantic/contents', { urls: [page('miss')] })
    assert.ok('outcome' in result && result.outcome.kind === 'empty')
    assert.equal(result.charged, 0n)
  })

  test('ids and addresses are one list, duplicates are charged once, one cent is the least', async () => {
    const { action, input } = prepared('semantic/contents', { urls: ['https://example.com/a', 'https://example.com/a'], ids: ['https://example.com/a'] })
    assert.deepEqual(action.request(input).json, { urls: ['https://example.com/a'], text: true, maxAgeHours: undefined })
    assert.equal(worstCase(action, input), cents('1'))
  })

  test('a field that is switched off is not asked for, and the text is when nothing else is', () => {
    const { action, input } = prepared('semantic/contents', { urls: ['https://example.com/'], text: false, highlights: true })
    assert.deepEqual(Object.keys(action.request(input).json as Data), ['urls', 'highlights', 'maxAgeHours'])
    const bare = prepared('semantic/contents', { urls: ['https://example.com/'], text: false })
    assert.equal((bare.action.request(bare.input).json as Data)['text'], true)
  })

  test('a page reported as read without any content is not charged', () => {
    const { action, input } = prepared('semantic/contents', { urls: ['https://example.com/'] })
    const body = { results: [{ id: 'https://example.com/', url: 'https://example.com/', text: ' ' }], statuses: [{ id: 'https://example.com/', status: 'success' }] }
    assert.equal(action.outcome({ status: 200, headers: {}, body }, input).kind, 'empty')
  })

  test('neither urls nor ids is refused, and what is no address is named', () => {
    assert.equal(refusal('semantic/contents', {}).code, 'invalid_params')
    const error = refusal('semantic/contents', { urls: ['https://example.com/', 'no address'] })
    assert.equal(error.code, 'bad_url')
    assert.equal(error.param, 'urls[1]')
  })
})

describe('readers of single pages', () => {
  const readers = ['render/scrape', 'render2/scrape', 'cheapunblock/scrape']

  for (const id of readers) {
    test(`${id}: a page that was read costs one cent`, async () => {
      const result = await run(id, { url: page('fine') })
      assert.ok('outcome' in result && result.outcome.kind === 'done')
      assert.equal(result.charged, cents('1'))
    })

    test(`${id}: a wall is a miss and free, although the vendor reports success`, async () => {
      const miss = await missOf(id, { url: page('wall') })
      assert.equal(miss.code, 'no_results')
      assert.equal(miss.details?.['blocked'], true)
    })

    test(`${id}: what is no address is refused before anything is held`, () => {
      for (const url of ['not a url', 'ftp://example.com/', 'https://user:word@example.com/']) assert.equal(refusal(id, { url }).code, 'bad_url')
    })

    test(`${id}: a vendor in trouble gives the code that says what to do`, async () => {
      assert.equal(await failureOf(id, { url: page('status-429') }), 'upstream_busy')
      assert.equal(await failureOf(id, { url: page('status-503') }), 'upstream_error')
      assert.equal(await failureOf(id, { url: page('status-400') }), 'upstream_rejected')
      assert.equal(await failureOf(id, { url: page('status-408') }), 'upstream_timeout')
    })
  }

  test('a target’s own 404 is a miss with every reader, however the vendor reports it', async () => {
    assert.equal((await missOf('render/scrape', { url: page('page-404') })).details?.['page_status'], 404)
    assert.equal((await missOf('render2/scrape', { url: page('page-404') })).code, 'no_results')
    assert.equal(await failureOf('cheapunblock/scrape', { url: page('page-404') }), 'no_results')
  })

  test('a page that no engine could read is a miss and no vendor failure', async () => {
    assert.equal(await failureOf('render/scrape', { url: page('miss') }), 'no_results')
    assert.equal((await missOf('render2/scrape', { url: page('miss') })).code, 'no_results')
    assert.equal(await failureOf('cheapunblock/scrape', { url: page('miss') }), 'no_results')
  })

  test('a long article about walls is not taken for one', () => {
    const { action, input } = prepared('render/scrape', { url: page('fine') })
    const body = { success: true, data: { markdown: `# Access denied\n\n${'A story about a closed door. '.repeat(100)}`, metadata: { title: 'Access denied: a history', statusCode: 200 } } }
    assert.equal(action.outcome({ status: 200, headers: {}, body }, input).kind, 'done')
  })

  test('a title may be a list of titles', () => {
    const { action, input } = prepared('render/scrape', { url: page('fine') })
    const body = { success: true, data: { markdown: 'x', metadata: { title: ['Just a moment...', 'Other'], statusCode: 200 } } }
    assert.equal(action.outcome({ status: 200, headers: {}, body }, input).kind, 'failed')
  })

  test('a page that came back without what was asked for is a miss', () => {
    const { action, input } = prepared('render/scrape', { url: page('fine'), formats: ['markdown'] })
    const body = { success: true, data: { links: ['https://example.com/'], metadata: { statusCode: 200 } } }
    assert.equal(action.outcome({ status: 200, headers: {}, body }, input).kind, 'failed')
  })

  test('render gives the vendor at least twice the wait as its deadline', () => {
    for (const [waitFor, timeout] of [[0, 60_000], [20_000, 60_000], [60_000, 135_000]]) {
      const { action, input } = prepared('render/scrape', { url: page('fine'), waitFor })
      assert.equal((action.request(input).json as Data)['timeout'], timeout)
    }
  })

  test('render2 asks for JSON when a schema is given, and refuses JSON without one', () => {
    const { action, input } = prepared('render2/scrape', { url: page('fine'), jsonSchema: { type: 'object' } })
    assert.deepEqual((action.request(input).json as Data)['formats'], ['markdown', 'json'])
    assert.equal(refusal('render2/scrape', { url: page('fine'), formats: ['json'] }).param, 'jsonSchema')
    assert.equal(refusal('render2/scrape', { url: page('fine'), formats: ['screenshot'], renderJs: false }).param, 'renderJs')
  })

  test('a map without a single page is an answer and free', async () => {
    const result = await run('render/map', { url: page('miss') })
    assert.ok('outcome' in result && result.outcome.kind === 'empty')
    assert.equal(result.charged, 0n)
  })
})

describe('scraping/scrape', () => {
  test('pinning render with a parameter that only render2 has is refused by name', () => {
    for (const [name, value] of Object.entries({ render_js: true, stealth: false, proxy_country: 'de' })) {
      const error = refusal('scraping/scrape', { url: page('fine'), provider: 'render', [name]: value })
      assert.equal(error.code, 'invalid_params')
      assert.equal(error.param, name)
    }
  })
})

describe('core/onescrape', () => {
  const { action } = catalog.findAction('core', 'onescrape')

  test('every distinct page sent is held and charged, two cents each, once one was read', () => {
    const input = validator.validate(action.input, { urls: ['example.com/a', 'https://example.com/a#x', 'example.com/b'] })
    assert.equal(worstCase(action, input), cents('4'))
    assert.equal(billable(action, input, { kind: 'partial', data: {}, units: 1 }), cents('4'))
    assert.equal(billable(action, input, { kind: 'failed', code: 'all_blocked', message: '' }), 0n)
  })

  test('social pages, documents and what is no address are refused before anything is held', () => {
    assert.equal(refusal('core/onescrape', { urls: ['https://x.com/a'] }).code, 'onescrape_social')
    assert.equal(refusal('core/onescrape', { urls: ['example.com', 'example.com/a.pdf'] }).param, 'urls[1]')
    assert.equal(refusal('core/onescrape', { urls: ['nothing'] }).code, 'bad_url')
    assert.equal(refusal('core/onescrape', { urls: Array.from({ length: 6 }, (_, index) => `example.com/${index}`) }).code, 'invalid_params')
  })
})
