import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fc } from '../../../../test/harness/property.ts'
import { fixtureServices } from '../../../catalog/published/testing/small-catalog.ts'
import { services } from '../../../vendors/index.ts'
import { createDiscover } from '../create-discover.ts'
import { createDocuments } from '../documents.ts'
import { toProbability } from './calibration.ts'
import { CANDIDATE_FEATURES } from './candidate-features.ts'
import { NOTHING, targetOf } from './create-ranker.ts'
import { createTranslate, foldWord, loadTranslate } from './lexicon.ts'
import { decodeModel, encodeModel, loadModel } from './model-file.ts'
import { readShapes } from './shapes.ts'
import { hashFeatures, readText } from './text-features.ts'

const MODEL = join(import.meta.dirname, 'model.bin')
const MOST_BYTES = 3_000_000
const laneOf = () => ({ live: 'vendor', lanes: ['vendor'] }) as const

test('the model has classes and features of this catalog and this code', () => {
  const { linear, trees } = loadModel()
  const targets = new Set(createDocuments(services, laneOf).map(targetOf))
  assert.deepEqual(
    linear.classes.filter((name) => name !== NOTHING && !targets.has(name)),
    [],
    'Run: npx node tools/finding/train.ts',
  )
  assert.ok(linear.classes.includes(NOTHING))
  assert.ok(Array.from(trees.feature).every((feature) => feature < CANDIDATE_FEATURES.length))
  assert.ok(linear.columns.every((column) => column < linear.classes.length))
})

test('the model is at most 3 MB and keeps its bytes when written again', () => {
  assert.ok(statSync(MODEL).size <= MOST_BYTES)
  const file = readFileSync(MODEL)
  assert.ok(encodeModel(decodeModel(file)).equals(file))
})

test('a model of another format is rejected with the command that makes a new one', () => {
  assert.throws(() => decodeModel(Buffer.from('{"format":0}\n')), /tools\/finding\/train\.ts/)
})

test('finds an action that the model does not know by its descriptor', () => {
  const [library] = fixtureServices
  assert.ok(library)
  const [action] = Object.values(library.actions)
  assert.ok(action)
  const tides = {
    ...library,
    id: 'tides',
    title: 'Tides',
    actions: {
      table: {
        ...action,
        summary: 'Read the tide table of a harbour.',
        keywords: ['high tide', 'low tide', 'harbour water level'],
      },
    },
  }
  const discover = createDiscover({ services: [...services, tides], laneOf })
  for (const query of ['tide table for Brest', 'when is high tide at the harbour of Dover'])
    assert.equal(discover.search(query).hits[0]?.service, 'tides', query)
})

test('returns the same hits for the same words, in any order of calls', () => {
  const queries = ['buscar patentes de baterías', 'NCT04280705', 'make a picture', '今天的新闻']
  const [one, other] = [createDiscover({ services, laneOf }), createDiscover({ services, laneOf })]
  const found = queries.map((query) => one.search(query))
  assert.deepEqual(
    queries
      .toReversed()
      .map((query) => other.search(query))
      .toReversed(),
    found,
  )
})

test('finds actions in fourteen languages', () => {
  const discover = createDiscover({ services, laneOf })
  for (const [query, expected] of [
    ['buscar patentes sobre baterías', /^patents\//],
    ['pesquisar ensaios clínicos', /^trials\//],
    ['trouve des brevets sur les batteries', /^patents\//],
    ['klinische Studien zu Asthma', /^trials\//],
    ['cerca brevetti sulle batterie', /^patents\//],
    ['znajdź patenty na baterie', /^patents\//],
    ['найди патенты на батареи', /^patents\//],
    ['pil patentlerini bul', /^patents\//],
    ['ابحث عن براءات اختراع البطاريات', /^patents\//],
    ['बैटरी के पेटेंट खोजो', /^patents\//],
    ['搜索电池专利', /^patents\//],
    ['電池の特許を検索', /^patents\//],
    ['배터리 특허 검색', /^patents\//],
    ['cari paten baterai', /^patents\//],
  ] as const) {
    const names = discover.search(query).hits.map(({ service, action }) => `${service}/${action}`)
    assert.ok(
      names.slice(0, 3).some((name) => expected.test(name)),
      `${query}: ${names.join(', ')}`,
    )
  }
})

test('translates inflected words, compounds, phrases and text without spaces', () => {
  const translate = createTranslate(
    'patent: patente патент 专利\nregister: handelsregister\nkeyword: palabra_clave\nsearch: 搜索',
  )
  for (const [text, english] of [
    ['patenten', ['patent']],
    ['патентами', ['patent']],
    ['handelsregisterauszug', ['register']],
    ['palabra clave', ['keyword']],
    ['搜索电池专利', ['search', 'patent']],
    ['pat', []],
  ] as const)
    assert.deepEqual(translate(text.split(' ')), english, text)
})

test('folds accents but not the marks that distinguish letters', () => {
  assert.deepEqual(['búsqueda', 'йод', 'größe', 'が'].map(foldWord), [
    'busqueda',
    'иод',
    'grosse',
    'が',
  ])
})

test('recognises the shapes of identifiers, addresses, files and code', () => {
  for (const [text, shape] of [
    ['NCT04280705', 'trial'],
    ['CVE-2024-3094', 'cve'],
    ['mail jane@acme.com', 'email'],
    ['10.1038/s41586-020-2649-2', 'doi'],
    ['0xdAC17F958D2ee523a2206206994597C13D831ec7', 'wallet'],
    ['SELECT ?item WHERE { ?item wdt:P31 wd:Q5 }', 'sparql'],
    ['select a from b', 'sql'],
    ['12 CFR 1026.43', 'citation'],
    ['DE89370400440532013000', 'iban'],
    ['1HGCM82633A004352', 'vin'],
    ['https://www.youtube.com/watch?v=x', 'host:youtube.com'],
    ['report.pdf', 'file:pdf'],
  ] as const)
    assert.ok(readShapes(text).shapes.includes(shape), text)
})

test('reads any text within bounds', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 3_000, unit: 'grapheme' }), (text) => {
      const { hashes, values } = hashFeatures(readText(text, loadTranslate(), (word) => [word]))
      assert.equal(hashes.length, values.length)
      assert.ok(hashes.length <= 2_000)
      assert.ok(values.every((value) => value > 0 && value <= 1))
    }),
    { numRuns: 50 },
  )
})

test('a higher score never has a lower probability', () => {
  const { calibration } = loadModel()
  fc.assert(
    fc.property(fc.double({ min: -12, max: 12, noNaN: true }), (score) => {
      const probability = toProbability(calibration, score)
      assert.ok(probability >= 0 && probability <= 1)
      assert.ok(toProbability(calibration, score + 0.5) >= probability)
    }),
  )
})
