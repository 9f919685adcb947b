import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Data, Outcome } from '../../catalog/vocabulary/outcome.ts'
import { prepared } from '../../catalog/testing/run-call.ts'
import { createValidator } from '../../catalog/validate/validate.ts'

/** The outcome of a vendor answer with status 200. */
function outcomeOf(id: string, sent: Data, body: unknown): Outcome {
  const { action, input } = prepared(id, sent)
  assert.ok(createValidator().matches(action.reply, body), 'the answer is in the vendor’s form')
  return action.outcome({ status: 200, headers: {}, body }, input)
}

test('maps an error with status 200 to its code', () => {
  const codeOf = (id: string, sent: Data, code: string) => {
    const outcome = outcomeOf(id, sent, {
      error: { code, info: 'Told by the source.' },
      servedby: 'x',
    })
    assert.ok(outcome.kind === 'failed')
    assert.deepEqual((outcome.details?.['upstream'] as Data)['message'], 'Told by the source.')
    return outcome.code
  }
  assert.equal(
    codeOf('entitygraph/search', { q: 'x', lang: 'xx' }, 'badvalue'),
    'upstream_rejected',
  )
  assert.equal(codeOf('entitygraph/search', { q: 'x' }, 'maxlag'), 'upstream_busy')
  assert.equal(
    codeOf('encyclopedia/page', { title: 'x' }, 'internal_api_error_DBQueryError'),
    'upstream_error',
  )
})
