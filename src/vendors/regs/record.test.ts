import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { prepared, withSimulators, wireOf } from '../../catalog/testing/run-call.ts'

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

describe('regs', () => {
  test('resolves a citation to the text of the last complete day of its title', async () => {
    const data = await openDataOf('regs/resolve', { citation: '12 CFR § 1026.43' })
    assert.deepEqual(data['freshness'], { up_to_date_as_of: '2026-11-18' })
    assert.match(String(data['text']), /Loans & terms\./)
    assert.equal(data['title'], '§ 1026.43 Minimum standards.')
  })

  test('rejects a statute without the vendor, and an unknown title', async () => {
    assert.throws(
      () => openWire('regs/resolve', { citation: '15 U.S.C. 1601' }),
      (error) => error instanceof AppError && error.code === 'upstream_not_configured',
    )
    await assert.rejects(
      runOpen('regs/resolve', { citation: '49 CFR 1.1' }),
      (error) => error instanceof AppError && error.code === 'upstream_not_found',
    )
  })

  test('treats an unreadable list of titles as an upstream failure, not as an unknown title', () => {
    const { source, input } = openSourceOf('regs/resolve', { citation: '12 CFR 1026.43' })
    for (const body of ['<html>We are being repaired.</html>', {}])
      assert.throws(
        () => source.followUps?.[0]?.({ status: 200, headers: {}, body }, input),
        (error) => error instanceof AppError && error.code === 'upstream_error',
      )
  })

  test('adds the agency to the words for the vendor, and requests as many rules as the source', () => {
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

  test('converts an agency name to its slug, and omits repealed rules', async () => {
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
