import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { chargeOf } = withSimulators()

describe('flights', () => {
  test('costs half a cent, and nothing without results', async () => {
    assert.equal(await chargeOf('flights/flights', { flight_iata: 'LH400' }), cents('0.5'))
    assert.equal(
      await chargeOf('flights/flights', { dep_iata: 'FRA', airline_iata: 'LH' }),
      cents('0.5'),
    )
    assert.equal(
      await chargeOf('flights/timetable', { iataCode: 'FRA', type: 'arrival' }),
      cents('0.5'),
    )
    const { action, input } = prepared('flights/flights', {})
    assert.equal(
      action.outcome({ status: 200, headers: {}, body: { data: [] } }, input).kind,
      'empty',
    )
  })

  test('requires an airport and either departures or arrivals', () => {
    assert.equal(refusal('flights/timetable', { type: 'arrival' }).param, 'iataCode')
    assert.equal(refusal('flights/timetable', { iataCode: 'FRA' }).param, 'type')
    assert.equal(refusal('flights/timetable', { iataCode: 'FRA', type: 'both' }).param, 'type')
  })
})
