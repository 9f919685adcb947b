import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { errorCatalog } from '../../errors/catalog.ts'
import { services } from '../../vendors/index.ts'
import { catalogReference, serviceReference } from './catalog-reference.ts'
import { errorsReference } from './errors-reference.ts'
import { fixtureServices } from './testing/small-catalog.ts'

const reference = (name: string) =>
  readFile(new URL(`../../../docs/reference/${name}`, import.meta.url), 'utf8')

test('docs/reference/errors.md is generated from the error catalog', async () => {
  assert.equal(await reference('errors.md'), errorsReference(), 'run "npx node tools/reference.ts"')
})

test('docs/reference/catalog.md is generated from the catalog', async () => {
  assert.equal(
    await reference('catalog.md'),
    catalogReference(services),
    'run "npx node tools/reference.ts"',
  )
})

test('docs/reference/actions has the generated page of every service and no other file', async () => {
  for (const service of services)
    assert.equal(
      await reference(`actions/${service.id}.md`),
      serviceReference(service),
      'run "npx node tools/reference.ts"',
    )
  assert.deepEqual(
    (await readdir(new URL('../../../docs/reference/actions', import.meta.url))).toSorted(),
    services.map(({ id }) => `${id}.md`).toSorted(),
  )
})

test('gives every error code a section', () => {
  const text = errorsReference()
  for (const code of Object.keys(errorCatalog)) assert.ok(text.includes(`### \`${code}\`\n`), code)
})

test('escapes pipes and tags of descriptions in tables', () => {
  const text = catalogReference([
    {
      ...fixtureServices[0]!,
      actions: { odd: { ...fixtureServices[0]!.actions['search']!, summary: 'a|b\n<script>' } },
    },
  ])
  assert.ok(text.includes(String.raw`a\|b &lt;script> |`))
})
