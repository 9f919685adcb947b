import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { prepared, withSimulators } from '../../catalog/testing/run-call.ts'

const { runOpen, openDataOf } = withSimulators()

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

describe('vehicles', () => {
  test('splits words into year, make and model', () => {
    assert.deepEqual(openWire('vehicles/search', { q: '2020 Toyota Corolla Cross' }).query, {
      year: 2020,
      make: 'Toyota',
      model: 'Corolla Cross',
    })
    for (const q of ['Camry', 'toyota Camry', 'Camry 2020'])
      assert.deepEqual(
        openWire('vehicles/search', { make: 'Toyota', q, year: 2020 }).query,
        { year: 2020, make: 'Toyota', model: 'Camry' },
        q,
      )
    assert.equal(
      openWire('vehicles/search', { q: '2020 Toyota' }).path,
      '/ws/rest/vehicle/menu/model',
    )
    assert.throws(
      () => openWire('vehicles/search', { make: 'Toyota' }),
      (error) => error instanceof AppError && error.param === 'year',
    )
  })

  test('rejects words that the public source does not support, before the request', () => {
    const named = { make: 'Toyota', model: 'Camry', year: 2020 }
    assert.throws(
      () => openWire('vehicles/search', { ...named, q: 'Camry hybrid' }),
      (error) =>
        error instanceof AppError && error.param === 'q' && error.message.includes('"hybrid"'),
    )
    assert.deepEqual(
      openWire('vehicles/search', { ...named, q: ' 2020 toyota  camry ' }).query,
      named,
    )
    assert.deepEqual(
      openWire('vehicles/search', { make: 'Toyota', year: 2020, q: 'Camry hybrid' }).query,
      { ...named, model: 'Camry hybrid' },
    )
  })

  test('decodes a VIN, and reports an unknown one as 404', async () => {
    assert.equal(openWire('vehicles/get', { id: '1HGCM82633A004352' }).origin, 'nhtsa')
    assert.equal(
      (await openDataOf('vehicles/get', { id: '1HGCM82633A004352' }))['id'],
      '1HGCM82633A004352',
    )
    const unknown = await runOpen('vehicles/get', { id: '0HGCM82633A004352' })
    assert.ok('outcome' in unknown && unknown.outcome.kind === 'failed')
  })
})
