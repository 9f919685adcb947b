import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { heldFor, prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { outcomeAndCents } = withSimulators()

describe('hiringdata', () => {
  test('requires a limit of at most 10 for jobs, and charges 40¢ for any number of postings', async () => {
    assert.equal(refusal('hiringdata/jobs', { posted_at_max_age_days: 7 }).param, 'limit')
    assert.equal(
      refusal('hiringdata/jobs', { posted_at_max_age_days: 7, limit: 11 }).param,
      'limit',
    )
    assert.equal(heldFor('hiringdata/jobs', { posted_at_max_age_days: 7, limit: 10 }), cents('40'))
    assert.equal(
      await outcomeAndCents('hiringdata/jobs', { posted_at_max_age_days: 7, limit: 3 }),
      'done 40',
    )
  })

  test('searches jobs of the last thirty days without an age, a date or a company', () => {
    const sent = (body: Data) => {
      const { action, input } = prepared('hiringdata/jobs', body)
      return (action.request(input).json as Data)['posted_at_max_age_days']
    }
    assert.equal(sent({ limit: 5, job_title_or: ['x'] }), 30)
    assert.equal(sent({ limit: 5, posted_at_max_age_days: 7 }), 7)
    assert.equal(sent({ limit: 5, company_domain_or: ['example.com'] }), undefined)
  })

  test('charges companies 60¢ for at most 5', async () => {
    assert.equal(heldFor('hiringdata/companies', {}), cents('60'))
    assert.equal(refusal('hiringdata/companies', { limit: 6 }).param, 'limit')
    assert.equal(await outcomeAndCents('hiringdata/companies', { limit: 2 }), 'done 60')
  })

  test('charges nothing without results', async () => {
    assert.equal(
      await outcomeAndCents('hiringdata/jobs', { limit: 3, company_name_or: ['nobody'] }),
      'empty 0',
    )
    assert.equal(
      await outcomeAndCents('hiringdata/companies', { company_name_or: ['nobody'] }),
      'empty 0',
    )
    for (const name of ['technographics', 'buying-intents']) {
      assert.equal(
        await outcomeAndCents(`hiringdata/${name}`, { company_name: 'nobody' }),
        'empty 0',
      )
      assert.equal(
        await outcomeAndCents(`hiringdata/${name}`, { company_domain: 'example.com' }),
        'done 25',
      )
      assert.equal(
        refusal(`hiringdata/${name}`, { company_domain: 'example.com', company_name: 'x' }).code,
        'invalid_params',
      )
    }
  })

  test('counts all results on request', () => {
    for (const name of ['jobs', 'companies']) {
      const { action, input } = prepared(`hiringdata/${name}`, {
        limit: 1,
        include_total_results: true,
      })
      assert.equal((action.request(input).json as Data)['include_total_results'], true)
    }
  })

  test("rejects the vendor's free preview", () => {
    assert.equal(
      refusal('hiringdata/companies', { blur_company_data: true }).param,
      'blur_company_data',
    )
  })
})
