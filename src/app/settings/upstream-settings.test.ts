import assert from 'node:assert/strict'
import { test } from 'node:test'
import { services } from '../../vendors/index.ts'
import { noAuth, settingsOf } from '../../catalog/vocabulary/wire.ts'
import { readUpstreamSettings } from './upstream-settings.ts'

test('each vendor of the catalog is configured by its documented settings', () => {
  for (const { id, vendor } of services) {
    if (vendor === undefined) continue
    const label = vendor.label ?? id
    const variables = [
      ...settingsOf(label, vendor),
      ...settingsOf(label, { auth: noAuth, isPaidOnly: true }),
    ]
    const read = readUpstreamSettings(
      Object.fromEntries(variables.map((variable) => [variable, 'https://vendor.example'])),
    )
    assert.deepEqual(
      [...read.keys()],
      [label],
      `${variables.join(' and ')} are not read as settings of "${label}": a service, or the label of its vendor, is one word of letters and digits, or such a word with -a, -b, -c or -d`,
    )
  }
})
