import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refusal, wireOf, withSimulators } from '../../catalog/testing/run-call.ts'

const { run } = withSimulators()

describe('webarchive', () => {
  test('returns the time of the capture that answered', async () => {
    const result = await run('webarchive/fetch', {
      url: 'https://example.com/a/b/c.html',
      timestamp: '2019',
    })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
    assert.equal(result.outcome.data['timestamp'], '20250101000000')
    assert.equal(result.outcome.data['encoding'], 'text')
  })

  test('counts captures from the first or the last, and rejects an unlimited list', () => {
    assert.equal(refusal('webarchive/snapshots', { url: 'example.com/*', limit: 0 }).param, 'limit')
    assert.deepEqual(
      [1, -1].map(
        (limit) => wireOf('webarchive/snapshots', { url: 'example.com/*', limit }).query?.['limit'],
      ),
      [1, -1],
    )
  })

  test('accepts digits, year first, and uses the latest capture by default', () => {
    assert.equal(
      refusal('webarchive/fetch', { url: 'https://example.com/', timestamp: '2025-01-01' }).param,
      'timestamp',
    )
    assert.equal(
      wireOf('webarchive/fetch', { url: 'https://example.com/a?b=c' }).path,
      '/web/2id_/https://example.com/a?b=c',
    )
    assert.equal(
      wireOf('webarchive/fetch', { url: 'https://example.com/a?b=c#part' }).path,
      '/web/2id_/https://example.com/a?b=c',
    )
  })
})
