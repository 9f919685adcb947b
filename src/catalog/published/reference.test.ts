import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorCatalog } from '../../errors/catalog.ts'
import { runWhole } from '../../lib/background/sliced.ts'
import { services } from '../../vendors/index.ts'
import { catalogReference, serviceReference } from './catalog-reference.ts'
import { errorsReference } from './errors-reference.ts'
import { fixtureServices } from './testing/small-catalog.ts'

test('the overview links to the section of every action', () => {
  const text = runWhole(catalogReference(services))
  for (const service of services) {
    const { id, actions } = service
    const page = runWhole(serviceReference(service))
    for (const name of Object.keys(actions)) {
      assert.ok(text.includes(`| [\`${id}/${name}\`](actions/${id}.md#`), `${id}/${name}`)
      assert.ok(page.includes(`\n\n## ${id}/${name}\n\n`), `${id}/${name}`)
    }
  }
})

test('gives every error code a section', () => {
  const text = errorsReference()
  for (const code of Object.keys(errorCatalog)) assert.ok(text.includes(`### \`${code}\`\n`), code)
})

test('escapes pipes and tags of descriptions in tables', () => {
  const odd = { ...fixtureServices[0]!.actions['search']!, summary: 'a|b\n<script>' }
  const text = runWhole(catalogReference([{ ...fixtureServices[0]!, actions: { odd } }]))
  assert.ok(text.includes(String.raw`a\|b &lt;script> |`))
})
