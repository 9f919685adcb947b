import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Data, Outcome } from '../../catalog/vocabulary/outcome.ts'
import { prepared, refusal, wireOf } from '../../catalog/testing/run-call.ts'
import { createValidator } from '../../catalog/validate/validate.ts'

/** The outcome of a vendor answer with status 200. */
function outcomeOf(id: string, sent: Data, body: unknown): Outcome {
  const { action, input } = prepared(id, sent)
  assert.ok(createValidator().matches(action.reply, body), 'the answer is in the vendor’s form')
  return action.outcome({ status: 200, headers: {}, body }, input)
}

describe('encyclopedia', () => {
  test('uses one host per language and no other host', () => {
    assert.equal(wireOf('encyclopedia/search', { q: 'x', lang: 'de' }).origin, 'de')
    assert.equal(
      prepared('encyclopedia/search', { q: 'x' }).service.vendor?.origins?.['de'],
      'https://de.wikipedia.org',
    )
    assert.equal(refusal('encyclopedia/search', { q: 'x', lang: 'evil.example/' }).param, 'lang')
  })

  test('charges nothing for an invalid title, a special page or a page of another wiki', () => {
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
