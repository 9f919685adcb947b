import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../../catalog/index.ts'
import { tryVendorKeys } from '../chores/try-vendor-keys.ts'
import { listVendors } from './listed-vendors.ts'

const { services } = createCatalog()
const listed = listVendors(services)

test('lists each vendor once, also those of single actions that take a key', () => {
  assert.equal(new Set(listed.map(({ label }) => label)).size, listed.length)
  assert.equal(new Set(listed.map(({ id }) => id)).size, listed.length)
  const predexon = listed.find(({ label }) => label === 'predexon')
  assert.equal(predexon?.service, null)
  assert.ok((predexon?.actions ?? 0) > 0)
  for (const { id, vendor } of services)
    assert.equal(
      listed.some((one) => one.id === id),
      vendor !== undefined,
      id,
    )
  assert.ok(listed.some(({ id, title }) => id !== title))
})

test('finds the key of a vendor by its label', async () => {
  const predexon = listed.filter(({ label }) => label === 'predexon')
  const verdicts = await tryVendorKeys(
    [...predexon, ...predexon.map((one) => ({ ...one, id: 'other' }))],
    {
      upstreams: new Map([['predexon', { url: null, credentials: { KEY: 'k' } }]]),
      userAgent: 'Tollgate-Test/1.0',
      allowPrivateNetworks: [],
    },
    { now: Date.now },
  )
  assert.deepEqual(
    [...verdicts],
    ['predexon', 'other'].map((id) => [id, { kind: 'no-free-request' }]),
  )
})
