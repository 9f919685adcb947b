/** Caps of counts on the call path: callers above them are rejected, steps are lowered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { runCall } from '../../calls/run.ts'
import type { LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { services } from '../../vendors/index.ts'
import { capCounts } from './cap-counts.ts'

const FOUND = { results: [{ url: 'https://a.example/', title: 'A' }] }
const step: LocalHandler = async (_input, { invoke }) => {
  await invoke('semantic', 'search', { query: 'x', numResults: 50 })
  return { kind: 'done', data: {}, units: 1 }
}
const bed = await openCallBed({
  services: capCounts(services, [{ action: 'semantic/search', field: 'numResults', most: 5 }]),
  local: new Map([['core.onescrape', step]]),
})
bed.vendor.answerWith(() => ({ body: FOUND }))
const sentCounts = () =>
  bed.vendor.requests.map(({ body }) => (body as { numResults: number }).numResults)

test('a count above the cap is rejected, not charged and not sent', async () => {
  await assert.rejects(
    runCall(bed.calls, bed.request('semantic', 'search', { query: 'x', numResults: 6 })),
    { code: 'invalid_params', param: 'numResults' },
  )
  assert.deepEqual(sentCounts(), [])
  assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: 0n })
  await runCall(bed.calls, bed.request('semantic', 'search', { query: 'x', numResults: 5 }))
  assert.deepEqual(sentCounts(), [5])
})

test('a step of a multi-source action is lowered to the cap', async () => {
  await runCall(bed.calls, bed.request('core', 'onescrape', { urls: ['https://a.example/'] }))
  assert.deepEqual(sentCounts(), [5, 5])
})
