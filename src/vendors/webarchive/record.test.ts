import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refusal, wireOf, withSimulators } from '../../catalog/testing/run-call.ts'

const { run } = withSimulators()

describe('webarchive', () => {
  test('the capture that answered is told, when another moment was asked for', async () => {
    const result = await run('webarchive/fetch', {
      url: 'https://example.com/a/b/c.html',
      timestamp: '2019',
    })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
    assert.equal(result.outcome.data['timestamp'], '20250101000000')
    assert.equal(result.outcome.data['encoding'], 'text')
  })

  test('captures are counted from the first or from the last, and never all of a site, as no limit would have it', () => {
    assert.equal(refusal('webarchive/snapshots', { url: 'example.com/*', limit: 0 }).param, 'limit')
    assert.deepEqual(
      [1, -1].map(
        (limit) => wireOf('webarchive/snapshots', { url: 'example.com/*', limit }).query?.['limit'],
      ),
      [1, -1],
    )
  })

  test('a moment is digits, year first; left out it is the latest', () => {
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
