import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { leastPrice, worstCase } from '../../catalog/prices/price.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf } = withSimulators()
const PROFILE = 'https://www.linkedin.com/in/ana-example'

describe('contactfind/linkedin-contacts', () => {
  test('linkedin_url is refused before anything is held', () => {
    const error = refusal('contactfind/linkedin-contacts', { linkedin_url: PROFILE })
    assert.deepEqual([error.code, error.param], ['invalid_params', 'linkedin_url'])
    assert.match(error.fix, /expected field is `profile`/)
    assert.equal(
      refusal('contactfind/linkedin-contacts', { profile: PROFILE, linkedin_url: PROFILE }).param,
      'linkedin_url',
    )
  })

  test('only addresses of profiles are taken', () => {
    for (const profile of [
      'https://www.linkedin.com/company/acme',
      'https://example.com/in/ana',
      'ana',
    ])
      assert.equal(refusal('contactfind/linkedin-contacts', { profile }).param, 'profile')
    prepared('contactfind/linkedin-contacts', { profile: 'linkedin.com/pub/ana/1/2/3' })
  })

  test('a hit costs 10¢, and 30¢ with include_phone', async () => {
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

  test('a miss is free, as a 404 of the vendor and as empty lists', async () => {
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

  test('a refusal that the vendor writes into a successful answer is a failure', () => {
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

  test('a call that asks for no kind of contact is refused', () => {
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
  test('a page of 10 costs 10¢, each profile 1¢, a page holds at most 25', async () => {
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

  test('searches wait for their turn at the vendor, which takes 60 of them a minute and 1000 calls of all kinds', () => {
    const { action, service } = prepared('contactfind/people-search', {})
    assert.deepEqual(
      [action.kind === 'call' && action.limits, service.vendor?.limits],
      [{ perMinute: 60 }, { perMinute: 1_000 }],
    )
  })

  test('an empty page is free, whether the vendor sends a map or a list', async () => {
    const result = await run('contactfind/people-search', { name: 'nobody' })
    assert.ok('outcome' in result && result.outcome.kind === 'empty')
    const { action, input } = prepared('contactfind/people-search', {})
    for (const profiles of [{}, [], null])
      assert.equal(
        action.outcome({ status: 200, headers: {}, body: { profiles } }, input).kind,
        'empty',
      )
  })

  test('seniority is taken in any spelling and sent in the vendor’s; an unknown one is named', () => {
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

  test('filters that exclude each other are refused, and contacts cannot be revealed at the price of a profile', () => {
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

describe('contactfind by e-mail address', () => {
  test('person-from-email costs 10¢ and is free on a miss', async () => {
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

  test('a profile that holds the address asked about and nothing else is a miss', () => {
    const { action, input } = prepared('contactfind/person-from-email', { email: 'a@example.com' })
    const kindOf = (profile: Data) =>
      action.outcome({ status: 200, headers: {}, body: { status_code: 200, profile } }, input).kind
    assert.equal(kindOf({ email: ['A@example.com'], experience: [] }), 'failed')
    assert.equal(kindOf({ email: 'a@example.com', full_name: '' }), 'failed')
    assert.equal(kindOf({ email: ['a@example.com'], full_name: 'Ana Example' }), 'done')
    assert.equal(kindOf({ email: ['a@example.com', 'ana@home.example'] }), 'done')
  })

  test('what the vendor says in the body of a refusal stands where the advice looks for it', () => {
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

  test('the vendor is told who asks: it turns away requests that do not say', () => {
    assert.equal(
      prepared('contactfind/email-verify', { email: 'a@example.com' }).service.vendor
        ?.sendsUserAgent,
      true,
    )
  })

  test('every verdict of email-verify is an answer and costs 2¢', async () => {
    for (const status of ['valid', 'invalid', 'accept_all', 'disposable', 'unknown']) {
      const result = await run('contactfind/email-verify', { email: `${status}@example.com` })
      assert.ok('outcome' in result && result.outcome.kind === 'done')
      assert.deepEqual(result.outcome.data['data'], { status })
      assert.equal(result.charged, cents('2'))
    }
  })

  test('a verdict that is missing is a failure and free', async () => {
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

test('contactfind/linkedin-contacts says what a look-up with phone numbers costs where none came', () => {
  const { description } = prepared('contactfind/linkedin-contacts', {
    profile: 'https://www.linkedin.com/in/ana-example',
  }).action
  assert.match(
    description ?? '',
    /include_phone costs 30¢, even if the profile has addresses but no phone number/,
  )
})
