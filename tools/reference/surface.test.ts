import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixtureServices } from '../../src/catalog/published/testing/small-catalog.ts'
import { cents } from '../../src/lib/money.ts'
import { flat } from '../../src/catalog/vocabulary/tariff.ts'
import { params, type Action, type Service } from '../../src/catalog/vocabulary/define.ts'
import { Type } from '../../src/lib/schema.ts'
import { services } from '../../src/vendors/index.ts'
import { compareSurfaces, readSurface, recordOf, serviceFacts } from './surface.ts'

const [library = assert.fail(), ledgers = assert.fail()] = fixtureServices
const { search = assert.fail() } = library.actions

/** The changes that another version of library/search makes. */
function changesOf(action: Action, more: Readonly<Record<string, Action>> = {}): string[] {
  const changed: Service = {
    ...library,
    actions: { ...library.actions, search: action, ...more },
  }
  return compareSurfaces(
    new Map([['library', serviceFacts(library)]]),
    new Map([['library', serviceFacts(changed)]]),
  )
}

test('shows a changed price, parameter, limit and action, and nothing else', () => {
  assert.deepEqual(changesOf({ ...search, price: flat(cents('3')) }), [
    '~ library/search price price_cents: 1 → 3',
    '~ library/search price price_cents_text: "1" → "3"',
    '~ library/search price price_micros: 10000 → 30000',
    '~ library/search price max_price_cents: 1 → 3',
    '~ library/search price text: "1¢ per call" → "3¢ per call"',
  ])
  const input = params({
    query: Type.String({ minLength: 2 }),
    title: Type.Optional(Type.Boolean()),
  })
  assert.deepEqual(changesOf({ ...search, input }), [
    '~ library/search params properties.query minLength: 1 → 2',
    '- library/search params properties.limit type: "integer"',
    '- library/search params properties.limit minimum: 1',
    '- library/search params properties.limit maximum: 25',
    '- library/search params properties.limit default: 10',
    '+ library/search params properties.title type: "boolean"',
  ])
  const added = changesOf(search, { more: search })
  assert.ok(added.length > 10 && added.every((line) => line.startsWith('+ library/more ')))
})

test('shows no change of a text, a title or an example', () => {
  const texts = {
    title: 'Other',
    summary: 'Other.',
    description: 'Other.',
    example: { query: 'b' },
  }
  assert.deepEqual(changesOf({ ...search, ...texts }), [])
})

test('names endpoints by their path, so that a new one is the only change', () => {
  const { fetch } = ledgers.actions
  assert.ok(fetch?.kind === 'endpoint')
  const facts = serviceFacts(ledgers)
  const [path = ''] = fetch.endpoints.map(({ endpoint }) => endpoint)
  assert.ok([...facts.keys()].some((fact) => fact.includes(` endpoints ${path} price_cents`)))
  assert.ok([...facts.keys()].some((fact) => fact.includes(` oneOf ${path} properties.`)))
})

test('records a line for errors, events, settings and each service', () => {
  const surface = readSurface(services)
  const record = recordOf(surface)
  const names = [...record.matchAll(/^([\w-]+) [\da-f]{16}$/gm)].map(([, name]) => name)
  assert.deepEqual(names, ['errors', 'events', 'settings', ...services.map(({ id }) => id)])
  assert.match(surface.get('settings')?.get('`DATA_DIR`') ?? '', /\.tollgate/)
  assert.match(surface.get('errors')?.get('rate_limited') ?? '', /"status":429/)
})

test('a changed fact changes the line of its part only', () => {
  const facts = new Map([['library/search price price_cents', '1']])
  const surface = new Map([
    ['errors', facts],
    ['library', facts],
  ])
  const other = new Map([...surface, ['library', new Map([...facts].map(([path]) => [path, '2']))]])
  const [lines, changed] = [recordOf(surface), recordOf(other)].map((text) => text.split('\n'))
  assert.deepEqual(
    changed?.filter((line) => !lines?.includes(line)).map((line) => line.split(' ')[0]),
    ['library'],
  )
  assert.deepEqual(compareSurfaces(surface, other), ['~ library/search price price_cents: 1 → 2'])
})
