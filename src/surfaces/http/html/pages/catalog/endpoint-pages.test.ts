import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleOf } from '../../../../../../test/harness/sample.ts'
import { createCatalog } from '../../../../../catalog/index.ts'
import { endpointExample } from '../../../../../catalog/published/endpoint-example.ts'
import { endpointName } from '../../../../../catalog/titles/endpoint-names.ts'
import { createValidator } from '../../../../../catalog/validate/validate.ts'
import { endpointPage } from './endpoint-page.ts'
import { endpointPath, findEndpoint, type EndpointView } from './endpoint-paths.ts'

const site = { publicUrl: 'https://gate.example', version: 'v1' }
const { services, allActions } = createCatalog()
const published = {
  services,
  laneOf: () => ({ live: null, lanes: [] }),
  publicUrl: site.publicUrl,
}
const { validate } = createValidator()

const views = allActions().flatMap(({ service, name, action }): EndpointView[] =>
  action.kind === 'endpoint'
    ? action.endpoints.map((entry) => ({ service, name, action, entry }))
    : [],
)

const VOID = new Set([
  'meta',
  'link',
  'input',
  'br',
  'img',
  'hr',
  'path',
  'circle',
  'rect',
  'line',
  'polyline',
])

/** Elements that a browser would close or drop. Markup of the pages writes every end tag. */
function unbalanced(markup: string): string[] {
  const open: string[] = []
  const wrong: string[] = []
  for (const [, slash, name = ''] of markup.matchAll(/<(\/)?([a-z][a-z0-9]*)\b[^>]*?>/g)) {
    if (VOID.has(name)) continue
    if (slash === undefined) open.push(name)
    else if (open.pop() !== name) wrong.push(name)
  }
  return [...wrong, ...open]
}

test('every endpoint of the catalog has a valid page of its own', () => {
  assert.ok(views.length > 1_300)
  for (const view of sampleOf(views, 8)) {
    const id = `${view.service.id}/${view.name} ${view.entry.endpoint}`
    const page = endpointPage(site, published, view)
    const { title } = endpointName(view.service, view.name, view.entry.endpoint)
    assert.deepEqual(unbalanced(page), [], id)
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, value]) => value)
    assert.equal(new Set(ids).size, ids.length, `${id} has unique ids`)
    for (const [, target = ''] of page.matchAll(/(?:href="#|for="|labelledby=")([^"]+)"/g))
      assert.ok(ids.includes(target), `${id}: #${target}`)
    assert.equal(page.match(/<h1>/g)?.length, 1, id)
    assert.ok(page.includes(title.replaceAll("'", '&#39;')), id)
    assert.ok(Buffer.byteLength(page) < 150_000, `${id}: ${Buffer.byteLength(page)} bytes`)
  }
})

test('the printed example of every endpoint page is a valid request', () => {
  for (const { action, entry } of sampleOf(views, 4))
    assert.doesNotThrow(
      () => validate(action.input, endpointExample(action, entry)),
      entry.endpoint,
    )
})

test('addresses of endpoint pages are unique, need no escapes and lead back to their endpoint', () => {
  const paths = views.map(({ service, name, entry }) =>
    endpointPath(service.id, name, entry.endpoint),
  )
  assert.equal(new Set(paths).size, paths.length)
  views.forEach(({ service, name, action, entry }, at) => {
    const path = paths[at] ?? ''
    assert.equal(encodeURI(path), path)
    assert.equal(findEndpoint(action, path.slice(`/catalog/${service.id}/${name}/`.length)), entry)
  })
})
