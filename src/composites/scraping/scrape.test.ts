import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { CallTools, Invocation } from '../../catalog/vocabulary/handlers.ts'
import type { Data, Outcome } from '../../catalog/vocabulary/outcome.ts'
import { failed } from '../../catalog/vocabulary/outcome.ts'
import { createCatalog } from '../../catalog/index.ts'
import { billable } from '../../catalog/prices/price.ts'
import { sendWire } from '../../catalog/testing/send-wire.ts'
import { createValidator } from '../../catalog/validate/validate.ts'
import { systemClock } from '../../lib/clock.ts'
import { cents } from '../../lib/money.ts'
import { startSimulators, type Simulators } from '../../simulators/start.ts'
import { createScrapingScrape, type JudgePage } from './scrape.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'

const catalog = createCatalog()
const validator = createValidator()
const { action } = catalog.findAction('scraping', 'scrape')

let simulators: Simulators
before(async () => {
  simulators = await startSimulators({ now: systemClock })
})
after(() => simulators.close())
beforeEach(() => simulators.requests.clear())

/** Performs a step with the simulated vendor, as a real call does. */
async function invoke(serviceId: string, name: string, sent: Data): Promise<Invocation> {
  const { action: step, service } = catalog.findAction(serviceId, name)
  assert.ok(step.kind === 'call' && service.vendor !== undefined)
  const input = validator.validate(step.input, sent)
  const reply = await sendWire(
    `${simulators.url}/${serviceId}`,
    service.vendor,
    step.request(input),
  )
  const failure = reply.status > 299 ? service.vendor.readFailure?.(reply) : undefined
  const outcome =
    failure === undefined ? step.outcome(reply, input) : failed(failure.code, failure.message ?? '')
  return {
    outcome,
    hop: {
      provider: serviceId,
      action: name,
      ok: outcome.kind === 'done',
      charged_cents: 0,
      charged_micros: 0,
      latency_ms: 0,
    },
  }
}

function tools(invoker: CallTools['invoke'] = invoke): CallTools {
  return {
    mode: 'test',
    accountId: 'account',
    keyId: null,
    scope: 'account',
    callId: '0'.repeat(32),
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    now: systemClock,
    invoke: invoker,
    isLive: () => true,
  }
}

/** A judge for these tests: short text is thin, and "wall)" is a wall. */
const judgePage: JudgePage = ({ content }) => ({
  flags: content.includes('wall)') ? ['blocked'] : content.length < 200 ? ['thin_content'] : [],
})

const everythingIsAWall: JudgePage = () => ({ flags: ['blocked'] })

/** render2 is too slow and render is not configured. */
const halfConfigured: CallTools['invoke'] = async (service, name, input) => ({
  ...(await invoke(service, name, input)),
  outcome:
    service === 'render2'
      ? failed('upstream_timeout', 'Too slow.')
      : failed('upstream_not_configured', 'No lane.'),
})

async function scrape(
  sent: Data,
  options: { judgePage?: JudgePage } = { judgePage },
  invoker?: CallTools['invoke'],
): Promise<Outcome> {
  const input = validator.validate(action.input, sent)
  action.check(input)
  return createScrapingScrape(options)(input, tools(invoker))
}

function dataOf(outcome: Outcome): Data {
  assert.ok(outcome.kind === 'done')
  assertFits('scraping/scrape', outcome.data)
  return outcome.data
}

describe('scraping/scrape', () => {
  test('reads with render2 only by default, in one format, and charges once', async () => {
    const outcome = await scrape({ url: 'https://example.com/', formats: ['markdown', 'links'] })
    const data = dataOf(outcome)
    assert.deepEqual(Object.keys(data), [
      'provider',
      'url',
      'final_url',
      'status_code',
      'title',
      'markdown',
      'links',
    ])
    assert.equal(data['provider'], 'render2')
    assert.equal(simulators.requests.count(), 1)
    assert.equal(billable(action, { url: 'https://example.com/' }, outcome), cents('1'))
  })

  for (const fault of ['status-503', 'miss', 'page-404', 'wall', 'thin']) {
    test(`falls back to render if render2 returns "${fault}"`, async () => {
      const data = dataOf(await scrape({ url: `https://${fault}.render2.sim.test/` }))
      assert.equal(data['provider'], 'render')
      assert.ok(String(data['markdown']).length > 500)
      assert.equal(simulators.requests.count(), 2)
    })
  }

  test('uses only the given provider', async () => {
    assert.equal(
      dataOf(await scrape({ url: 'https://example.com/', provider: 'render' }))['provider'],
      'render',
    )
    assert.equal(
      (await scrape({ url: 'https://miss.render2.sim.test/', provider: 'render2' })).kind,
      'failed',
    )
    assert.equal(simulators.requests.count('render'), 1)
  })

  test('does not fall back to render with a parameter that only render2 supports', async () => {
    for (const field of [{ stealth: true }, { proxy_country: 'DE' }, { render_js: false }]) {
      simulators.requests.clear()
      assert.equal(
        (await scrape({ url: 'https://miss.render2.render2-stealth.sim.test/', ...field })).kind,
        'failed',
      )
      assert.equal(simulators.requests.count('render'), 0)
    }
  })

  test('fails with the list of calls, not charged, if no reader can read the page', async () => {
    const outcome = await scrape({ url: 'https://miss.sim.test/' })
    assert.ok(outcome.kind === 'failed' && outcome.code === 'no_results')
    assert.equal((outcome.details?.['calls'] as unknown[] | undefined)?.length, 2)
    assert.equal(billable(action, { url: 'https://miss.sim.test/' }, outcome), 0n)
  })

  test('fails on a wall in both readers, including one that only the judge detects', async () => {
    assert.equal((await scrape({ url: 'https://wall.sim.test/' })).kind, 'failed')
    const outcome = await scrape({ url: 'https://example.com/' }, { judgePage: everythingIsAWall })
    assert.ok(outcome.kind === 'failed' && outcome.details?.['blocked'] === true)
  })

  test('returns a page that is short in both readers', async () => {
    assert.equal(dataOf(await scrape({ url: 'https://thin.sim.test/' }))['provider'], 'render2')
  })

  test('prefers a vendor’s failure to a missing lane', async () => {
    const outcome = await scrape({ url: 'https://example.com/' }, {}, halfConfigured)
    assert.ok(outcome.kind === 'failed' && outcome.code === 'upstream_timeout')
  })

  test('does not judge a page read as links only', async () => {
    const input = { url: 'https://example.com/', formats: ['links'] }
    assert.ok(Array.isArray(dataOf(await scrape(input, { judgePage: everythingIsAWall }))['links']))
  })
})
