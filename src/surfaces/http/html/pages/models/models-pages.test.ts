import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHTML as parse } from 'linkedom'
import { createCatalog } from '../../../../../catalog/index.ts'
import { createValidator } from '../../../../../catalog/validate/validate.ts'
import type { Candidate } from '../../../../../llm/lists/model.ts'
import { pricingPage } from '../pricing-page.ts'
import { languageModelPage } from './language-model-page.ts'
import { exampleInput, mediaModelPage } from './media-model-page.ts'
import { mediaOf, modelPath, type ModelOffer } from './model-offer.ts'
import { readModelQuery, type RawModelQuery } from './model-query.ts'
import { modelsPage } from './models-page.ts'

type Element = {
  readonly id: string
  readonly tagName: string
  readonly textContent: string
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  querySelector(selector: string): Element | null
  querySelectorAll(selector: string): Iterable<Element> & { readonly length: number }
  closest(selector: string): Element | null
}

// linkedom's types need the library of browsers.
const parseHTML = parse as unknown as (markup: string) => { readonly document: Element }

const site = { publicUrl: 'https://gate.example', version: 'v1' }
const catalog = createCatalog()
const published = {
  services: catalog.services,
  laneOf: () => ({ live: null, lanes: [] }),
  publicUrl: site.publicUrl,
}

type Listed = { id: string; input: bigint; output?: bigint; context?: number; parts?: string[] }

function candidate({
  id,
  input,
  output = input * 5n,
  context = 200_000,
  parts = ['text'],
}: Listed) {
  const rates = { prompt: input, completion: output, cacheRead: input / 10n, overrides: [] }
  return {
    id,
    upstreamModel: id,
    upstream: {} as Candidate['upstream'],
    isPricedByUpstream: true,
    rates,
    model: {
      id,
      name: `The ${id}`,
      createdSeconds: context,
      contextLength: context,
      maxCompletionTokens: null,
      rates,
      inputModalities: parts,
      parameters: ['tools'],
    },
  } satisfies Candidate
}

const small = candidate({ id: 'acme/small', input: 100_000n })
const large = candidate({
  id: 'acme/large:free',
  input: 4_000_000n,
  context: 1_000_000,
  parts: ['text', 'image'],
})
const other = candidate({ id: 'zeta/other', input: 1_234_567n, context: 8_000 })
const offer: ModelOffer = {
  tiers: new Map([['core/cheap', [small, other]]]),
  models: [small, large, other],
  version: '1',
  isLive: true,
}

function rowsOf(query: RawModelQuery, models = offer): string[] {
  const { document } = parseHTML(
    modelsPage(site, published, { offer: models, query: readModelQuery(query) }),
  )
  return [...document.querySelectorAll('tbody .model-id')].map(
    ({ textContent }) => textContent ?? '',
  )
}

test('lists language models with their prices per million tokens', () => {
  const page = modelsPage(site, published, { offer, query: readModelQuery({}) })
  const { document } = parseHTML(page)
  const row = [...document.querySelectorAll('tbody tr')].find(({ textContent }) =>
    textContent?.includes('zeta/other'),
  )
  const cells = [...(row?.querySelectorAll('td') ?? [])].map(({ textContent }) =>
    textContent?.trim(),
  )
  assert.deepEqual(cells.slice(1), [
    'zeta',
    'core/cheap',
    '8K',
    '$1.234567',
    '$0.123456',
    '$6.172835',
    'text, tools',
    'Live',
  ])
  assert.match(page, /href="\/models\/acme\/large%3Afree"/)
})

for (const [query, ids] of [
  [{ maker: 'acme' }, ['acme/large:free', 'acme/small']],
  [{ needs: 'image' }, ['acme/large:free']],
  [{ q: 'OTHER zeta' }, ['zeta/other']],
  [{ sort: 'input' }, ['acme/small', 'zeta/other', 'acme/large:free']],
  [{ sort: 'context' }, ['acme/large:free', 'acme/small', 'zeta/other']],
  [{ sort: '__proto__', needs: 'x' }, ['acme/large:free', 'acme/small', 'zeta/other']],
  [{ q: 'kokoro' }, ['kokoro']],
  [{ kind: 'music' }, ['minimax-music']],
  [{ q: 'zzyzx' }, []],
] as const)
  test(`filters and sorts models by ${JSON.stringify(query)}`, () =>
    assert.deepEqual(rowsOf(query), ids))

test('lists every media model once, cheapest result first on request', () => {
  const all = rowsOf({ kind: 'media', sort: 'price' })
  assert.equal(new Set(all).size, mediaOf(published)?.models.length)
})

test('names simulated models as such, and a list that is not available', () => {
  const preview = modelsPage(site, published, {
    offer: { ...offer, isLive: false },
    query: readModelQuery({}),
  })
  assert.match(preview, /simulated models of test keys/)
  assert.match(preview, /Needs operator setup/)
  const none = { ...offer, models: [], tiers: new Map() }
  const empty = modelsPage(site, published, {
    offer: none,
    query: readModelQuery({ kind: 'language' }),
  })
  assert.match(empty, /not available at the moment/)
})

test('a long list has pages', () => {
  const models = Array.from({ length: 150 }, (_, at) =>
    candidate({ id: `m/${at}`, input: 1n, context: at }),
  )
  assert.equal(rowsOf({}, { ...offer, models }).length, 100)
  assert.equal(rowsOf({ page: '2' }, { ...offer, models }).length, 50)
  assert.equal(rowsOf({ page: '99' }, { ...offer, models }).length, 50)
})

test('a language model has prices, limits and code in three APIs and five languages', () => {
  const view = { id: large.id, members: [large], isTier: false, isLive: true } as const
  const { document } = parseHTML(languageModelPage(site, published, view))
  const text = document.querySelector('main')?.textContent ?? ''
  for (const part of ['$4.00', '$20.00', '$0.40', '1,000,000 tokens', 'text, image', 'Not listed'])
    assert.ok(text.includes(part), part)
  const cards = [...document.querySelectorAll('#code ~ .code-card')]
  assert.deepEqual(
    cards.map((card) => card.querySelectorAll('.code-panel').length),
    [5, 5, 5],
  )
  for (const card of cards)
    for (const panel of card.querySelectorAll('.code-panel'))
      assert.match(panel.textContent ?? '', /acme\/large:free[^]*|[^]*gate\.example/)
  assert.equal(document.querySelector('[data-chat]')?.getAttribute('data-model'), large.id)
})

test('a tier lists its models in order', () => {
  const view = { id: 'core/cheap', members: [small, other], isTier: true, isLive: true } as const
  const { document } = parseHTML(languageModelPage(site, published, view))
  assert.deepEqual(
    [...document.querySelectorAll('tbody a')].map((link) => link.getAttribute('href')),
    [modelPath(small.id), modelPath(other.id)],
  )
})

test('every media model has a page, and its example is a valid call', () => {
  const media = mediaOf(published)
  assert.ok(media !== undefined)
  const { validate } = createValidator()
  for (const model of media.models) {
    const { document } = parseHTML(mediaModelPage(site, published, { media, model }))
    assert.equal(document.querySelector('h1')?.textContent, model.title)
    assert.equal(document.querySelectorAll('#prices + .table tbody tr').length, model.rates.length)
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length, model.key)
    assert.doesNotThrow(() => validate(media.action.input, exampleInput(model)), model.key)
  }
})

test('the example of the prices adds up', () => {
  const { document } = parseHTML(pricingPage(site, published, offer))
  const sums = [...document.querySelectorAll('#example ~ .table td:last-child')].map(
    ({ textContent }) => Number(textContent?.replace('$', '')),
  )
  assert.equal(sums.length, 4)
  const total = /Total \$([\d.]+)/.exec(document.querySelector('main')?.textContent ?? '')?.[1]
  assert.equal(Number(total), Number(sums.reduce((one, next) => one + next, 0).toFixed(6)))
})

test('every category has its prices, and the page works without language models', () => {
  const none = { ...offer, models: [], tiers: new Map() }
  const { document } = parseHTML(pricingPage(site, published, none))
  const categories = new Set(catalog.services.map(({ category }) => category))
  assert.equal(document.querySelectorAll('#categories + .table tbody tr').length, categories.size)
  assert.equal(document.querySelectorAll('#example ~ .table tbody tr').length, 3)
})
