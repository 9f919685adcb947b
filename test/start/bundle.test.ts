import assert from 'node:assert/strict'
import { existsSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { bundleOf, SERVICES } from '../../bundle.mjs'

const SERVICE_NAMES = Object.keys(SERVICES) as (keyof typeof SERVICES)[]

test('has an entry point for every service, all in one folder', async () => {
  const files = await Promise.all(SERVICE_NAMES.map((service) => bundleOf(service)))
  for (const file of files) assert.ok(file !== null && existsSync(file))
  assert.equal(new Set(files.map((file) => dirname(file ?? ''))).size, 1)
})

test('is built once for the same sources, and a newer file is read again', async () => {
  const file = (await bundleOf('serve')) ?? assert.fail()
  const builtMs = statSync(join(dirname(file), '../current.json')).mtimeMs
  assert.equal(await bundleOf('serve'), file)
  assert.equal(statSync(join(dirname(file), '../current.json')).mtimeMs, builtMs)
  utimesSync(SERVICES.serve, new Date(), new Date())
  assert.equal(await bundleOf('serve'), file)
  assert.ok(statSync(join(dirname(file), '../current.json')).mtimeMs > builtMs)
})
