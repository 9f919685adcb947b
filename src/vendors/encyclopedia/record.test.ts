import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Data, Outcome } from '../../catalog/vocabulary/outcome.ts'
import { prepared, refusal, wireOf } from '../../catalog/testing/run-call.ts'
import { createValidator } from '../../catalog/validate/validate.ts'

/** What comes of this answer of the vendor with status 200. */
function outcomeOf(id: string, sent: Data, body: unknown): Outcome {
  const { action, input } = prepared(id, sent)
  assert.ok(createValidator().matches(action.reply, body), 'the answer is in the vendor’s form')
  return action.outcome({ status: 200, headers: {}, body }, input)
}

describe('encyclopedia', () => {
  test('each language is a host of its own, and no other host can be named', () => {
    assert.equal(wireOf('encyclopedia/search', { q: 'x', lang: 'de' }).origin, 'de')
    assert.equal(
      prepared('encyclopedia/search', { q: 'x' }).service.vendor?.origins?.['de'],
      'https://de.wikipedia.org',
    )
    assert.equal(refusal('encyclopedia/search', { q: 'x', lang: 'evil.example/' }).param, 'lang')
  })

  test('what is no article is not charged: a title that is not allowed, a special page, a page of another wiki', () => {
    const answers = [
      {
        query: {
          pages: [
            {
              title: '[[x]]',
              invalidreason: 'The requested page title contains invalid characters: "[".',
              invalid: true,
            },
          ],
        },
      },
      { query: { pages: [{ ns: -1, title: 'Special:Search', special: true }] } },
      { query: { interwiki: [{ title: 'fr:Paris', iw: 'fr' }] } },
    ]
    for (const body of answers) {
      const outcome = outcomeOf('encyclopedia/page', { title: 'x' }, body)
      assert.ok(outcome.kind === 'failed' && outcome.code === 'upstream_not_found')
    }
    assert.equal(refusal('encyclopedia/page', { title: 'Ledger|Journal' }).param, 'title')
  })
})
