import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { prepared } from '../../catalog/testing/run-call.ts'

function openSourceOf(id: string, sent: Data) {
  const { action, input } = prepared(id, sent)
  assert.ok(action.kind === 'call' && action.openSource !== undefined)
  return { source: action.openSource, input }
}

function openWire(id: string, sent: Data) {
  const { source, input } = openSourceOf(id, sent)
  source.check?.(input)
  return source.request(input)
}

test('keeps a quotation mark inside a phrase of an openFDA query', () => {
  assert.equal(
    openWire('drugs/search', { q: 'a" OR b' }).query?.['search'],
    'brand_name:"a  OR b" generic_name:"a  OR b"',
  )
})
