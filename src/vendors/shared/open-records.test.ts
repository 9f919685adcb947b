/**
 * Regulations, vehicles, drugs, trials and recalls: merchants, each with a public source as a
 * replacement.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, runOpen } = withSimulators()

const searches: Record<string, Data> = {
  'regs/search': { query: 'loans' },
  'vehicles/search': { make: 'Toyota', model: 'Camry', year: 2020 },
  'drugs/search': { q: 'ibuprofen' },
  'trials/search': { q: 'migraine' },
  'recalls/search': { q: 'stroller' },
}

const gets: Record<string, Data> = {
  'vehicles/get': { id: '41393' },
  'drugs/get': { id: '0002-1433' },
  'trials/get': { id: 'NCT04368728' },
  'recalls/get': { id: '10234' },
}

test("caps the merchant's price: 10¢ a search, 2.5¢ a get, 3¢ and 5¢ for regulations", () => {
  const caps: Record<string, bigint> = {
    'regs/search': cents('3'),
    'vehicles/search': cents('10'),
    'drugs/search': cents('10'),
    'trials/search': cents('10'),
    'recalls/search': cents('10'),
  }
  for (const [id, sent] of Object.entries(searches)) {
    const { action, input } = prepared(id, sent)
    assert.equal(worstCase(action, input), caps[id], id)
  }
  for (const [id, sent] of Object.entries(gets)) {
    const { action, input } = prepared(id, sent)
    assert.equal(worstCase(action, input), cents('2.5'), id)
  }
  const resolve = prepared('regs/resolve', { citation: '12 CFR 1026.43' })
  assert.equal(worstCase(resolve.action, resolve.input), cents('5'))
})

test("charges an open source as the gateway's own work, not at the merchant's cap", async () => {
  for (const [id, sent] of Object.entries({
    ...searches,
    ...gets,
    'regs/resolve': { citation: '12 CFR 1026.43' },
  })) {
    const result = await runOpen(id, sent)
    assert.ok('outcome' in result && result.outcome.kind === 'done', id)
    assert.equal(result.charged, cents('1'), id)
  }
})

test('charges nothing for a search without results, through merchant or open source', async () => {
  const misses: Record<string, Data> = {
    'regs/search': { query: 'sim:miss' },
    'vehicles/search': { q: 'sim:miss 2020' },
    'drugs/search': { q: 'sim:miss' },
    'trials/search': { q: 'sim:miss' },
    'recalls/search': { q: 'sim:miss' },
  }
  for (const [id, sent] of Object.entries(misses)) {
    for (const result of [await run(id, sent), await runOpen(id, sent)]) {
      assert.ok('outcome' in result && result.outcome.kind === 'empty', id)
      assert.equal(result.charged, 0n, id)
    }
  }
})

test('reports an unknown id as 404 without a charge', async () => {
  const unknown: Record<string, Data> = {
    'vehicles/get': { id: '404' },
    'drugs/get': { id: 'nobody' },
    'trials/get': { id: 'NCT00000404' },
    'recalls/get': { id: '404' },
    'regs/resolve': { citation: '12 CFR 9999.1' },
  }
  for (const [id, sent] of Object.entries(unknown)) {
    const result = await runOpen(id, sent)
    const code =
      'failure' in result
        ? result.failure?.code
        : result.outcome.kind === 'failed'
          ? result.outcome.code
          : undefined
    assert.equal(code, 'upstream_not_found', id)
  }
})

test('requires a search term', () => {
  for (const id of ['vehicles/search', 'drugs/search', 'trials/search', 'recalls/search'])
    assert.equal(refusal(id, {}).code, 'invalid_params', id)
})
