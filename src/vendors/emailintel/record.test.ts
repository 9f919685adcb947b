import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf } = withSimulators()

const LOOKUPS: readonly [string, string, Data, Data][] = [
  [
    'email-finder',
    '4',
    { domain: 'example.com', full_name: 'Ana Example' },
    { domain: 'example.com', full_name: 'Nobody There' },
  ],
  [
    'linkedin-finder',
    '5',
    { url: 'https://www.linkedin.com/in/ana' },
    { url: 'https://www.linkedin.com/in/nobody' },
  ],
  ['domain-search', '4', { domain: 'example.com' }, { domain: 'nobody.example' }],
  [
    'author-finder',
    '4',
    { url: 'https://example.com/post' },
    { url: 'https://example.com/nobody' },
  ],
  ['enrich', '4', { email: 'ana@example.com' }, { email: 'nobody@example.com' }],
  ['phone-finder', '10', { email: 'ana@example.com' }, { email: 'nobody@example.com' }],
]

describe('emailintel', () => {
  for (const [name, price, hit, miss] of LOOKUPS) {
    test(`${name} costs ${price}¢, also for a miss`, async () => {
      const found = await run(`emailintel/${name}`, hit)
      assert.ok('outcome' in found && found.outcome.kind === 'done')
      assert.equal(found.charged, cents(price))
      const missed = await run(`emailintel/${name}`, miss)
      assert.ok('outcome' in missed && missed.outcome.kind === 'empty')
      assert.equal(missed.charged, cents(price))
    })

    test(`${name} charges nothing for a vendor error`, async () => {
      const [field = ''] = Object.keys(hit)
      const broken = {
        email: 'sim:500@example.com',
        domain: 'status-500.sim.test',
        url: 'https://www.linkedin.com/in/sim:500',
      }[field]
      assert.equal(
        await failureOf(`emailintel/${name}`, { ...hit, [field]: broken }),
        'upstream_error',
      )
    })
  }

  test('returns the verdict of email-verifier at data.email.result for 2¢', async () => {
    for (const verdict of ['deliverable', 'undeliverable', 'risky']) {
      const result = await run('emailintel/email-verifier', { email: `${verdict}@example.com` })
      assert.ok('outcome' in result && result.outcome.kind === 'done')
      const { email, data } = result.outcome.data as {
        email: { result: string }
        data: { email: { result: string } }
      }
      assert.deepEqual([email.result, data.email.result], [verdict, verdict])
      assert.equal(result.charged, cents('2'))
    }
  })

  test('prefers the domain to the company name, and requires one of them', () => {
    const { action, input } = prepared('emailintel/email-finder', {
      domain: 'example.com',
      company: 'Example',
      full_name: 'Ana Example',
    })
    assert.deepEqual(action.request(input).query, {
      domain: 'example.com',
      full_name: 'Ana Example',
    })
    assert.equal(
      refusal('emailintel/email-finder', { full_name: 'Ana Example' }).code,
      'invalid_params',
    )
    assert.equal(refusal('emailintel/domain-search', {}).code, 'invalid_params')
  })

  test('takes pages of 10, 20 or 50, eight departments and two-letter countries', () => {
    const { action, input } = prepared('emailintel/domain-search', {
      domain: 'example.com',
      country: 'fr',
      limit: 50,
      department: 'hr',
    })
    assert.deepEqual(action.request(input).query, {
      domain: 'example.com',
      department: 'hr',
      country: 'FR',
      page: 1,
      limit: 50,
    })
    assert.equal(
      refusal('emailintel/domain-search', { domain: 'example.com', limit: 30 }).param,
      'limit',
    )
    assert.equal(
      refusal('emailintel/domain-search', { domain: 'example.com', department: 'legal' }).param,
      'department',
    )
    assert.equal(
      refusal('emailintel/domain-search', { domain: 'example.com', country: 'FRA' }).param,
      'country',
    )
  })

  test('explains the right format of a malformed value', () => {
    prepared('emailintel/linkedin-finder', { url: 'https://www.LinkedIn.com/in/ana' })
    assert.match(
      refusal('emailintel/email-finder', {
        domain: 'https://example.com',
        full_name: 'Ana Example',
      }).fix,
      /Without https:\/\/ and path, such as example\.com/,
    )
    assert.match(
      refusal('emailintel/domain-search', { domain: 'example.com', limit: '10' }).fix,
      /Did you mean 10\?/,
    )
  })

  test('requires exactly one key for phone-finder', () => {
    assert.equal(
      refusal('emailintel/phone-finder', { email: 'a@example.com', domain: 'example.com' }).param,
      'domain',
    )
    assert.equal(refusal('emailintel/phone-finder', {}).code, 'invalid_params')
  })

  test('retries only linkedin-finder after a transient server error', () => {
    const retryOf = (name: string, sent: Data) => {
      const { action, input } = prepared(`emailintel/${name}`, sent)
      return action.request(input).retry?.times
    }
    assert.equal(
      retryOf('linkedin-finder', { url: 'https://www.linkedin.com/in/ana', full: true }),
      2,
    )
    assert.equal(retryOf('enrich', { email: 'a@example.com' }), undefined)
  })

  test('offers every lookup through a merchant, without a paid retry', () => {
    for (const [name, , sent] of LOOKUPS) {
      const { action, input } = prepared(`emailintel/${name}`, sent)
      const { retry: _, ...once } = action.request(input)
      assert.equal(action.merchant?.at.baseUrl, 'https://mpp.orthogonal.com/tomba/v1')
      assert.deepEqual(action.merchant.request(input), once)
    }
  })

  test("treats the vendor's 402 for an odd mail server as an upstream error", async () => {
    assert.equal(
      await failureOf('emailintel/email-verifier', { email: 'sim:402@example.com' }),
      'upstream_error',
    )
  })
})
