import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../../../src/catalog/index.ts'
import { Client } from '../src/client.ts'
import { toCatalogName, toCodeName } from '../src/names.ts'

const entries = createCatalog().allActions()
const names = entries.flatMap(({ service, name }) => [service.id, name])

test('finds every service and action by its name in code', () => {
  assert.ok(names.some((name) => toCodeName(name) !== name))
  for (const name of names) {
    assert.equal(toCatalogName(toCodeName(name)), name)
    assert.equal(toCatalogName(name), name, 'the name of the catalog works, too')
  }
})

test('has no member with the name of a service, except files', () => {
  const client = new Client({ key: 'k', url: 'http://127.0.0.1:1' })
  const hidden = names.filter((_, index) => index % 2 === 0).filter((id) => id in client)
  assert.deepEqual(
    [...new Set(hidden)].filter((id) => id !== 'files'),
    [],
  )
})
