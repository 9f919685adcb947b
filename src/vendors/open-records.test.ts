/** Regulations, vehicles, drugs, trials and recalls: merchants with a public source that stands in for each. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../errors/app-error.ts'
import { cents } from '../lib/money.ts'
import type { Data } from '../catalog/vocabulary/outcome.ts'
import { worstCase } from '../catalog/prices/price.ts'
import { prepared, refusal, withSimulators, wireOf } from '../catalog/testing/run-call.ts'

const { run, runOpen, openDataOf } = withSimulators()

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

test('the merchant’s price is a cap: 10¢ a search, 2.5¢ a get, 3¢ and 5¢ for regulations', () => {
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

test('an open source is charged as our own work, not at the merchant’s cap', async () => {
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

test('a search that finds nothing is free, through the merchant and through the open source', async () => {
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

test('one thing that does not exist is a 404 and free', async () => {
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

describe('regs', () => {
  test('a citation is resolved to the text of the day up to which its title is complete', async () => {
    const data = await openDataOf('regs/resolve', { citation: '12 CFR § 1026.43' })
    assert.deepEqual(data['freshness'], { up_to_date_as_of: '2026-11-18' })
    assert.match(String(data['text']), /Loans & terms\./)
    assert.equal(data['title'], '§ 1026.43 Minimum standards.')
  })

  test('a statute is not resolved without the vendor, and a title that does not exist not at all', async () => {
    assert.throws(
      () => openWire('regs/resolve', { citation: '15 U.S.C. 1601' }),
      (error) => error instanceof AppError && error.code === 'upstream_not_configured',
    )
    await assert.rejects(
      runOpen('regs/resolve', { citation: '49 CFR 1.1' }),
      (error) => error instanceof AppError && error.code === 'upstream_not_found',
    )
  })

  test('titles that cannot be read are the source’s trouble, and not a title that does not exist', () => {
    const { source, input } = openSourceOf('regs/resolve', { citation: '12 CFR 1026.43' })
    for (const body of ['<html>We are being repaired.</html>', {}])
      assert.throws(
        () => source.further?.[0]?.({ status: 200, headers: {}, body }, input),
        (error) => error instanceof AppError && error.code === 'upstream_error',
      )
  })

  test('the vendor is asked for the rules of an agency by words, since it has no field for one, and for as many as the public source gives', () => {
    assert.deepEqual(wireOf('regs/search', { query: 'lead pipes', agency: 'EPA' }).json, {
      query: 'lead pipes (EPA)',
      agency: 'EPA',
      limit: 20,
    })
    assert.deepEqual(wireOf('regs/search', { query: 'lead pipes' }).json, {
      query: 'lead pipes',
      agency: undefined,
      limit: 20,
    })
  })

  test('the name of an agency becomes its slug, and rules no longer in force are left out', async () => {
    assert.equal(
      openWire('regs/search', { query: 'x', agency: 'Environmental Protection Agency' }).query?.[
        'agency_slugs[]'
      ],
      'environmental-protection-agency',
    )
    const { results } = (await openDataOf('regs/search', { query: 'loans' })) as { results: Data[] }
    assert.deepEqual(
      results.map(({ citation, title }) => [citation, title]),
      [['12 CFR 1026.43', 'Minimum standards for simulated loans']],
    )
  })
})

describe('vehicles', () => {
  test('words are taken apart into year, make and model', () => {
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

  test('words that the public source cannot heed are refused, before it is asked about other vehicles', () => {
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

  test('a VIN is decoded, and one that names nothing is a 404', async () => {
    assert.equal(openWire('vehicles/get', { id: '1HGCM82633A004352' }).origin, 'nhtsa')
    assert.equal(
      (await openDataOf('vehicles/get', { id: '1HGCM82633A004352' }))['id'],
      '1HGCM82633A004352',
    )
    const unknown = await runOpen('vehicles/get', { id: '0HGCM82633A004352' })
    assert.ok('outcome' in unknown && unknown.outcome.kind === 'failed')
  })
})

test('a search names something', () => {
  for (const id of ['vehicles/search', 'drugs/search', 'trials/search', 'recalls/search'])
    assert.equal(refusal(id, {}).code, 'invalid_params', id)
})

test('a quotation mark cannot leave a phrase of openFDA’s query', () => {
  assert.equal(
    openWire('drugs/search', { q: 'a" OR b' }).query?.['search'],
    'brand_name:"a  OR b" generic_name:"a  OR b"',
  )
})

test('a phase of a trial is asked for in the source’s own words', () => {
  assert.equal(
    openWire('trials/search', { phase: 'PHASE3' }).query?.['filter.advanced'],
    'AREA[Phase]PHASE3',
  )
  assert.equal(refusal('trials/search', { phase: '3' }).param, 'phase')
})
