import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCatalog } from '../../catalog/index.ts'
import { done, failed } from '../../catalog/vocabulary/outcome.ts'
import { toHop } from '../../catalog/prices/hop.ts'
import { toJobEnd } from './job-end.ts'

const entry = createCatalog().findAction('companyfind', 'tam-build')
const untrusted = { ...entry, action: { ...entry.action, untrustedContent: true } }
const hop = toHop(entry, { ok: true, charge: 10_001n, latencyMs: 7 })

describe('the end of a job', () => {
  it('marks text of third parties in its result, also in the result of a failure', () => {
    const result = { text: 'x', content_trust: 'untrusted' }
    assert.deepEqual(toJobEnd(untrusted, done({ text: 'x' }), 1n, []).result, result)
    assert.deepEqual(
      toJobEnd(untrusted, { ...failed('no_people', 'None.'), result: { text: 'x' } }, 0n, [])
        .result,
      result,
    )
    assert.deepEqual(toJobEnd(entry, done({ text: 'x' }), 1n, []).result, { text: 'x' })
  })

  it('has the lines of its receipt, in cents rounded up', () => {
    assert.deepEqual(JSON.parse(toJobEnd(entry, done({}), 10_001n, [hop]).hops ?? ''), [
      {
        provider: 'companyfind',
        action: 'tam-build',
        ok: true,
        charged_cents: 2,
        charged_micros: 10_001,
        latency_ms: 7,
      },
    ])
  })

  it('charges no line of a failed job', () => {
    const [line] = JSON.parse(
      toJobEnd(entry, failed('no_people', 'None.'), 0n, [hop]).hops ?? '',
    ) as (typeof hop)[]
    assert.deepEqual(line, { ...hop, charged_cents: 0, charged_micros: 0 })
  })

  it('has no retry time, because a failed job stays failed', () => {
    assert.deepEqual(
      toJobEnd(entry, { ...failed('upstream_busy', 'Busy.'), retryAfterSeconds: 5 }, 0n, []),
      { kind: 'failed', code: 'upstream_busy', message: 'Busy.', hops: '[]' },
    )
  })
})
