import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { leastPrice, worstCase } from '../../catalog/prices/price.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf } = withSimulators()
const PROFILE = 'https://www.linkedin.com/in/ana-example'

describe('contactfind/linkedin-contacts', () => {
  test('rejects the parameter linkedin_url before a hold', () => {
    const error = refusal('contactfind/linkedin-contacts', { linkedin_url: PROFILE })
    assert.deepEqual([error.code, error.param], ['invalid_params', 'linkedin_url'])
    assert.match(error.fix, /expected field is `profile`/)
    assert.equal(
      refusal('contactfind/linkedin-contacts', { profile: PROFILE, linkedin_url: PROFILE }).param,
      'linkedin_url',
    )
  })

  test('accepts only profile URLs', () => {
    for (const profile of [
      'https://www.linkedin.com/company/acme',
      'https://example.com/in/ana',
      'ana',
    ])
      assert.equal(refusal('contactfind/linkedin-contacts', { profile }).param, 'profile')
    prepared('contactfind/linkedin-contacts', { profile: 'linkedin.com/pub/ana/1/2/3' })
  })

  test('charges 10¢ for a hit, and 30¢ with include_phone', async () => {
    const plain = await run('contactfind/linkedin-contacts', { profile: PROFILE })
    assert.ok('outcome' in plain && plain.outcome.kind === 'done')
    assert.equal(plain.charged, cents('10'))
    const withPhone = await run('contactfind/linkedin-contacts', {
      profile: PROFILE,
      include_phone: true,
    })
    assert.ok('outcome' in withPhone && withPhone.outcome.kind === 'done')
    assert.equal(withPhone.charged, cents('30'))
    assert.deepEqual((withPhone.outcome.data['profile'] as { phone: string[] }).phone.length, 1)
  })

  test('charges nothing for a miss, as 404 or as empty lists', async () => {
    assert.equal(
      await failureOf('contactfind/linkedin-contacts', {
        profile: 'https://www.linkedin.com/in/nobody',
      }),
      'no_results',
    )
    const { action, input } = prepared('contactfind/linkedin-contacts', { profile: PROFILE })
    const answer = (body: unknown) => action.outcome({ status: 200, headers: {}, body }, input)
    for (const profile of [
      { url: PROFILE, email: [], work_email: [], personal_email: [], phone: [], github: ['x'] },
      [],
      null,
      undefined,
    ])
      assert.equal(answer({ status_code: 200, profile }).kind, 'failed')
  })

  test('treats an error in a successful body as a failure', () => {
    const { action, input } = prepared('contactfind/linkedin-contacts', { profile: PROFILE })
    const codeOf = (body: unknown) => {
      const outcome = action.outcome({ status: 200, headers: {}, body }, input)
      return outcome.kind === 'failed' ? outcome.code : outcome.kind
    }
    const profile = { email: ['sample@example.com'] }
    assert.equal(codeOf({ status_code: 404, message: 'Not Found' }), 'no_results')
    assert.equal(codeOf({ status_code: 403, profile }), 'upstream_payment')
    assert.equal(
      codeOf({
        status_code: 200,
        message: 'This is sample data, talk to sales to unlock it.',
        profile,
      }),
      'upstream_not_configured',
    )
  })

  test('rejects a call that asks for no kind of contact', () => {
    assert.equal(
      refusal('contactfind/linkedin-contacts', { profile: PROFILE, email_type: 'none' }).param,
      'email_type',
    )
    prepared('contactfind/linkedin-contacts', {
      profile: PROFILE,
      email_type: 'none',
      include_phone: true,
    })
  })
})

describe('contactfind/people-search', () => {
  test('charges 10¢ for a page of 10, 1¢ per profile, at most 25 per page', async () => {
    const { action, input } = prepared('contactfind/people-search', { job_title: ['CFO'] })
    assert.equal(worstCase(action, input), cents('10'))
    assert.equal(leastPrice(action, input), cents('1'))
    assert.equal(refusal('contactfind/people-search', { page_size: 26 }).param, 'page_size')
    const last = await run('contactfind/people-search', {
      job_title: ['CFO'],
      page_size: 25,
      page: 2,
    })
    assert.ok('outcome' in last && last.outcome.kind === 'done')
    assert.equal(last.outcome.units, 15)
    assert.equal(last.charged, cents('15'))
  })

  test('limits searches to 60 per minute, and all calls to 1,000', () => {
    const { action, service } = prepared('contactfind/people-search', {})
    assert.deepEqual(
      [action.kind === 'call' && action.limits, service.vendor?.limits],
      [{ perMinute: 60 }, { perMinute: 1_000 }],
    )
  })

  test('charges nothing for an empty page, as a map or as a list', async () => {
    const result = await run('contactfind/people-search', { name: 'nobody' })
    assert.ok('outcome' in result && result.outcome.kind === 'empty')
    const { action, input } = prepared('contactfind/people-search', {})
    for (const profiles of [{}, [], null])
      assert.equal(
        action.outcome({ status: 200, headers: {}, body: { profiles } }, input).kind,
        'empty',
      )
  })

  test('accepts seniority in any spelling, and names an unknown level', () => {
    const { action, input } = prepared('contactfind/people-search', {
      seniority: ['vp', 'founder', 'Owner/Founder'],
    })
    assert.deepEqual((action.request(input).json as { seniority: string[] }).seniority, [
      'VP',
      'Owner / Founder',
      'Owner / Founder',
    ])
    assert.equal(
      refusal('contactfind/people-search', { seniority: ['vp', 'boss'] }).param,
      'seniority[1]',
    )
  })

  test('rejects exclusive filters, and does not reveal contacts for the price of a profile', () => {
    assert.equal(
      refusal('contactfind/people-search', { match_experience: 'both', company_filter: 'past' })
        .param,
      'company_filter',
    )
    assert.equal(
      refusal('contactfind/people-search', {
        recently_changed_jobs: true,
        years_in_current_role: ['0_2'],
      }).param,
      'years_in_current_role',
    )
    assert.equal(refusal('contactfind/people-search', { reveal_info: true }).param, 'reveal_info')
  })
})

describe('contactfind by email address', () => {
  test('charges person-from-email 10¢, and nothing for a miss', async () => {
    const hit = await run('contactfind/person-from-email', { email: 'ben.sample@example.com' })
    assert.ok('outcome' in hit && hit.outcome.kind === 'done')
    assert.equal(hit.charged, cents('10'))
    assert.equal(
      await failureOf('contactfind/person-from-email', { email: 'nobody@example.com' }),
      'no_results',
    )
    const { action, input } = prepared('contactfind/person-from-email', { email: 'a@example.com' })
    assert.equal(
      action.outcome({ status: 200, headers: {}, body: { profile: [] } }, input).kind,
      'failed',
    )
  })

  test('treats a profile with only the requested address as a miss', () => {
    const { action, input } = prepared('contactfind/person-from-email', { email: 'a@example.com' })
    const kindOf = (profile: Data) =>
      action.outcome({ status: 200, headers: {}, body: { status_code: 200, profile } }, input).kind
    assert.equal(kindOf({ email: ['A@example.com'], experience: [] }), 'failed')
    assert.equal(kindOf({ email: 'a@example.com', full_name: '' }), 'failed')
    assert.equal(kindOf({ email: ['a@example.com'], full_name: 'Ana Example' }), 'done')
    assert.equal(kindOf({ email: ['a@example.com', 'ana@home.example'] }), 'done')
  })

  test('passes on the message in the body of an error', () => {
    const { action, input } = prepared('contactfind/email-verify', { email: 'a@example.com' })
    const refused = action.outcome(
      { status: 200, headers: {}, body: { status_code: 400, message: 'That is no address.' } },
      input,
    )
    assert.deepEqual(refused.kind === 'failed' && [refused.code, refused.details], [
      'upstream_rejected',
      {
        upstream: {
          service: 'contactfind',
          status: 400,
          code: null,
          message: 'That is no address.',
        },
      },
    ])
  })

  test('charges 2¢ for every verdict of email-verify', async () => {
    for (const status of ['valid', 'invalid', 'accept_all', 'disposable', 'unknown']) {
      const result = await run('contactfind/email-verify', { email: `${status}@example.com` })
      assert.ok('outcome' in result && result.outcome.kind === 'done')
      assert.deepEqual(result.outcome.data['data'], { status })
      assert.equal(result.charged, cents('2'))
    }
  })

  test('treats a missing verdict as a failure without a charge', async () => {
    const { action, input } = prepared('contactfind/email-verify', { email: 'a@example.com' })
    assert.equal(
      action.outcome({ status: 200, headers: {}, body: { status_code: 200 } }, input).kind,
      'failed',
    )
    assert.equal(
      await failureOf('contactfind/email-verify', { email: 'sim:busy@example.com' }),
      'upstream_busy',
    )
    assert.equal(refusal('contactfind/email-verify', { email: 'no address' }).param, 'email')
  })
})

test('publishes that linkedin-contacts charges for phone numbers even without a number', () => {
  const { description } = prepared('contactfind/linkedin-contacts', {
    profile: 'https://www.linkedin.com/in/ana-example',
  }).action
  assert.match(
    description ?? '',
    /include_phone costs 30¢, even if the profile has addresses but no phone number/,
  )
})
