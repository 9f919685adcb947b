import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../src/catalog/index.ts'
import { findDeprecatedModels, findEnded } from './vendor-sdks/find-ended.ts'
import { MIRRORED_METHODS } from './vendor-sdks/mirrored-methods.ts'

const SDK = `
/** @deprecated Of another class. */
declare class Old { search(): void }
declare class Client {
    /** Searches. {@link search} @example { */
    search(query: string): void;
    /**
     * Maps.
     * @deprecated The endpoint ends.
     * Use search() instead.
     */
    map(url: string): void;
    map(url: string, limit: number): void;
    /** @deprecated Without options. */
    read(url: string): void;
    /** With options. */
    read(url: string, options: object): void;
    // gone(): void;
    list: () => void;
}
/** @deprecated */
export declare function fetchAll(): void;
`

const endedOf = (owner: string | null, ...names: readonly string[]) =>
  findEnded(
    [
      {
        file: 'sdk.d.ts',
        owner,
        methods: Object.fromEntries(names.map((name) => [name, ['a/b']])),
      },
    ],
    (file) => (file === 'sdk.d.ts' ? SDK : null),
  ).map(({ method, deprecated }) => [method, deprecated])

test('reports a method that its SDK deprecates, with the words of the SDK', () => {
  assert.deepEqual(endedOf('Client', 'search', 'map', 'read', 'list'), [
    ['Client.map', 'The endpoint ends. Use search() instead.'],
  ])
  assert.deepEqual(endedOf(null, 'fetchAll'), [['fetchAll', 'deprecated']])
})

test('reports a method, a class and a package that are missing', () => {
  assert.deepEqual(endedOf('Client', 'gone', 'scrape'), [
    ['Client.gone', null],
    ['Client.scrape', null],
  ])
  assert.deepEqual(endedOf('Missing', 'search'), [['Missing.search', null]])
  const mirrored = [{ file: 'none.d.ts', owner: 'Client', methods: { search: ['a/b'] } }]
  assert.equal(findEnded(mirrored, () => null).length, 1)
})

test('reads the deprecated models of an SDK', () => {
  assert.deepEqual(
    findDeprecatedModels("const DEPRECATED_MODELS = {\n 'a-4-5': 'November 30th, 2026',\n};"),
    [{ name: 'a-4-5', date: 'November 30th, 2026' }],
  )
  assert.deepEqual(findDeprecatedModels('const MODELS = {}'), [])
})

test('every mirrored method belongs to actions of the catalog', () => {
  const known = new Set(
    createCatalog()
      .allActions()
      .map(({ service, name }) => `${service.id}/${name}`),
  )
  const named = MIRRORED_METHODS.flatMap(({ methods }) => Object.values(methods).flat())
  assert.deepEqual(
    named.filter((action) => !known.has(action)),
    [],
  )
})
