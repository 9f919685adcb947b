import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent } from 'undici'
import { descriptor } from '../../catalog/published/descriptor.ts'
import { createValidator } from '../../catalog/validate/validate.ts'
import { services } from '../../vendors/index.ts'
import { loadConfig } from '../settings/config.ts'
import { capCounts } from './cap-counts.ts'
import { openCatalog } from './in-house/open-catalog.ts'

function openWith(COUNT_CAPS: string) {
  const dispatcher = new Agent()
  const { catalog, lanes } = openCatalog({
    prices: 'list',
    countCaps: loadConfig({ COUNT_CAPS }).countCaps,
    means: { hasModel: false, parts: new Set(), proxies: [] },
    sources: {
      upstreams: new Map(),
      guardedDispatcher: dispatcher,
      operatorDispatcher: dispatcher,
      simulatorUrl: 'http://127.0.0.1:9',
      userAgent: 'test',
    },
  })
  return { catalog, laneOf: lanes.statusOf, publicUrl: 'https://gate.example' }
}

test('rejects a count above the cap with the name of the parameter, and keeps other actions', () => {
  const { catalog } = openWith('semantic/search.numResults=3, render/crawl.limit=20')
  const { validate } = createValidator()
  const validated = (service: string, name: string, input: object) =>
    validate(catalog.findAction(service, name).action.input, input)
  assert.throws(() => validated('semantic', 'search', { query: 'x', numResults: 4 }), {
    code: 'invalid_params',
    param: 'numResults',
  })
  assert.equal(validated('semantic', 'search', { query: 'x' })['numResults'], 3)
  assert.throws(() => validated('render', 'crawl', { url: 'https://a.example/', limit: 21 }))
  assert.equal(validated('render2', 'crawl', { url: 'https://a.example/' })['maxPages'], 100)
})

test('publishes the cap as maximum, in the description, and in the example', () => {
  const { catalog, laneOf, publicUrl } = openWith('semantic/search.numResults=3')
  const { service, action } = catalog.findAction('semantic', 'search')
  const published = descriptor({ services: catalog.services, laneOf, publicUrl }, service, 'search')
  const text = JSON.stringify(published)
  assert.match(text, /"numResults":\{[^{}]*"maximum":3\b/)
  assert.match(text, /Maximum number of results, 1 to 3\./)
  assert.equal(action.example['numResults'], 3)
})

test('rejects caps of unknown actions and parameters, and caps above the maximum, at the start', () => {
  for (const [cap, message] of [
    ['semantic/serach.numResults=3', /unknown action "semantic\/serach"/],
    ['semantic/search.query=3', /no count "query"/],
    ['trends/fetch.endpoint=3', /no count "endpoint"/],
    ['semantic/search.numResults=0', /from 1 to 100/],
    ['semantic/search.numResults=101', /from 1 to 100/],
  ] as const)
    assert.throws(() => openWith(cap), { name: 'StartError', message }, cap)
  for (const cap of ['semantic/search=3', 'numResults=3', 'semantic/search.numResults=x'])
    assert.throws(() => loadConfig({ COUNT_CAPS: cap }), /COUNT_CAPS/, cap)
})

test('changes nothing without caps', () => {
  assert.equal(capCounts(services, []), services)
})
