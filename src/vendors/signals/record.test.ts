import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { outcomeAndCents } = withSimulators()

describe('signals', () => {
  test('charges 25¢ for up to 100 rows, and nothing without rows', async () => {
    for (const feed of ['funding', 'acquisitions', 'job-changes', 'hiring', 'investors']) {
      assert.equal(await outcomeAndCents(`signals/${feed}`, { limit: 100 }), 'done 25')
      assert.equal(await outcomeAndCents(`signals/${feed}`, { search: 'nobody' }), 'empty 0')
      assert.equal(refusal(`signals/${feed}`, { limit: 101 }).param, 'limit')
    }
  })

  test('joins lists: categories with pipes, others with commas', () => {
    const { action, input } = prepared('signals/funding', {
      countries: ['FR', 'ES'],
      categories: ['AI, applied', 'Health'],
      subcategories: ['ai', 'saas'],
    })
    assert.deepEqual(action.request(input).query, {
      countries: 'FR,ES',
      categories: 'AI, applied|Health',
      subcategories: 'ai,saas',
      page: 1,
      limit: 20,
    })
  })

  test('rejects a parameter of another feed', () => {
    assert.equal(refusal('signals/hiring', { round: ['seed'] }).param, 'round')
    prepared('signals/funding', { round: ['series h'] })
  })
})
