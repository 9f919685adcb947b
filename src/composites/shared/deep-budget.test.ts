import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../../catalog/index.ts'

test('each deep job documents how the charges of its rows add up', () => {
  const catalog = createCatalog()
  for (const name of ['onescrape-deep', 'onefind-deep', 'onesearch-deep']) {
    const { description } = catalog.findAction('core', name).action
    assert.match(
      description ?? '',
      /charged_cents is rounded up.*charged_micros, which is exact.*spent_micros/,
      name,
    )
  }
})
