import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf } = withSimulators()

async function chargedFor(id: string, sent: Data): Promise<{ data: Data; charged: bigint }> {
  const result = await run(id, sent)
  assert.ok('outcome' in result && result.outcome.kind === 'done')
  return { data: result.outcome.data, charged: result.charged }
}

/** The same job after its end. */
function over(id: string): string {
  return id.replace(/^sim-[a-z0-9]+-/, 'sim-0-')
}

describe('deepenrich', () => {
  test('charges person-enrich at submit, 55¢ or 30¢ with lite_enrich, for any result', async () => {
    for (const [sent, price] of [
      [{ email: 'ana@example.com' }, '55'],
      [{ email: 'nobody@example.com', lite_enrich: true }, '30'],
    ] as const) {
      const submitted = await chargedFor('deepenrich/person-enrich', sent)
      assert.equal(submitted.charged, cents(price))
    }
  })

  test('charges company-funders and person-interactions 30¢ at submit, and polls for free', async () => {
    for (const [name, sent] of [
      ['company-funders', { company_domain: 'example.com' }],
      ['person-interactions', { social_media_url: 'https://x.com/example' }],
    ] as const) {
      const submitted = await chargedFor(`deepenrich/${name}`, sent)
      assert.equal(submitted.charged, cents('30'))
      const { request_id } = submitted.data as { request_id: string }
      const polled = await chargedFor('deepenrich/result', {
        endpoint: name,
        request_id: over(request_id),
      })
      assert.equal(polled.charged, 0n)
      assert.equal(polled.data['status'], 'completed')
      const { result } = polled.data['data'] as { result: unknown }
      assert.ok(result)
      assert.equal(polled.data['result'], result, 'also where status and request_id stand')
    }
  })

  test('charges nothing for a rejected submit', async () => {
    assert.equal(
      await failureOf('deepenrich/person-enrich', { email: 'sim:400@example.com' }),
      'upstream_rejected',
    )
    assert.equal(
      await failureOf('deepenrich/person-enrich', { email: 'sim:quota@example.com' }),
      'upstream_payment',
    )
    const { action, input } = prepared('deepenrich/person-enrich', { email: 'a@example.com' })
    assert.equal(
      action.outcome({ status: 202, headers: {}, body: { success: false, data: {} } }, input).kind,
      'failed',
    )
  })

  test('requires an email, a phone, a profile, or a name with company', () => {
    assert.equal(
      refusal('deepenrich/person-enrich', { name: 'Ana Example' }).code,
      'invalid_params',
    )
    assert.equal(refusal('deepenrich/person-enrich', { phone: '555' }).param, 'phone')
    prepared('deepenrich/person-enrich', { name: 'Ana Example', company: 'Example' })
    prepared('deepenrich/person-enrich', { phone: '+15550100' })
  })

  test('returns replies only for X', () => {
    assert.equal(
      refusal('deepenrich/person-interactions', {
        social_media_url: 'https://instagram.com/ana',
        type: 'replies',
      }).param,
      'type',
    )
    const { action, input } = prepared('deepenrich/person-interactions', {
      social_media_url: 'https://twitter.com/ana',
      type: 'replies',
      tweet_id: 'https://x.com/ana/status/1234567890?s=20',
    })
    assert.equal((action.request(input).json as Data)['tweet_id'], '1234567890')
  })

  test('accepts a post only for replies, by its number', () => {
    const x = 'https://x.com/1234567890'
    const error = refusal('deepenrich/person-interactions', {
      social_media_url: x,
      tweet_id: '1845000000000000000',
    })
    assert.equal(error.param, 'tweet_id')
    assert.match(error.fix, /"type": "replies"/)
    const { action, input } = prepared('deepenrich/person-interactions', {
      social_media_url: x,
      type: 'replies',
      tweet_id: `${x}/status/1845000000000000000`,
    })
    assert.equal((action.request(input).json as Data)['tweet_id'], '1845000000000000000')
  })

  test('returns a result by action name or by upstream path', () => {
    for (const endpoint of ['person-enrich', '/person/enrichment']) {
      const { action, input } = prepared('deepenrich/result', { endpoint, request_id: 'r1' })
      assert.deepEqual(action.request(input), {
        method: 'GET',
        path: '/person/enrichment',
        query: { request_id: 'r1' },
      })
    }
    assert.equal(
      refusal('deepenrich/result', { endpoint: '/account/usage', request_id: 'r1' }).param,
      'endpoint',
    )
  })
})
