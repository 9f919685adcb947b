import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { prepared, refusal } from '../../catalog/testing/run-call.ts'

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

test("sends a trial phase in the source's terms", () => {
  assert.equal(
    openWire('trials/search', { phase: 'PHASE3' }).query?.['filter.advanced'],
    'AREA[Phase]PHASE3',
  )
  assert.equal(refusal('trials/search', { phase: '3' }).param, 'phase')
})
