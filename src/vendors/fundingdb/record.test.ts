import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { heldFor, prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { outcomeAndCents, failureOf } = withSimulators()

describe('fundingdb', () => {
  test('charges deals and investor-deals 10¢ per returned row, with small pages', async () => {
    assert.equal(heldFor('fundingdb/deals', {}), cents('100'))
    assert.equal(refusal('fundingdb/deals', { page_size: 26 }).param, 'page_size')
    assert.equal(await outcomeAndCents('fundingdb/deals', { page_size: 10, page: 1 }), 'done 20')
    assert.equal(await outcomeAndCents('fundingdb/deals', { page: 9 }), 'empty 0')
    assert.equal(
      await outcomeAndCents('fundingdb/investor-deals', {
        domain: 'fund.example.com',
        page_size: 3,
      }),
      'done 30',
    )
  })

  test('charges deal-investors 10¢, company-search 1¢, and nothing for a miss', async () => {
    assert.equal(await outcomeAndCents('fundingdb/deal-investors', { id: 'deal/1' }), 'done 10')
    assert.equal(await failureOf('fundingdb/deal-investors', { id: 'nobody' }), 'no_results')
    assert.equal(
      await failureOf('fundingdb/investor-deals', { domain: 'nobody.example.com' }),
      'no_results',
    )
    assert.equal(await outcomeAndCents('fundingdb/company-search', { name: 'Example' }), 'done 1')
    assert.equal(await outcomeAndCents('fundingdb/company-search', { name: 'nobody' }), 'empty 0')
  })

  test('offers deals through a merchant, but not company searches, which cost more there', () => {
    const merchantOf = (name: string, sent: Data) => {
      const { action, input } = prepared(`fundingdb/${name}`, sent)
      return action.merchant === undefined
        ? undefined
        : `${action.merchant.at.baseUrl}${action.merchant.request(input).path}`
    }
    assert.equal(merchantOf('deals', {}), 'https://mpp.orthogonal.com/fundable/deals')
    assert.equal(
      merchantOf('investor-deals', { domain: 'fund.example.com' }),
      'https://mpp.orthogonal.com/fundable/investor/deals',
    )
    assert.equal(
      merchantOf('deal-investors', { id: 'd/1' }),
      'https://mpp.orthogonal.com/fundable/deals/d%2F1/investors',
    )
    assert.equal(merchantOf('company-search', { name: 'x' }), undefined)
  })

  test('requires exactly one identifier for an investor and a company', () => {
    assert.equal(
      refusal('fundingdb/investor-deals', { id: 'a', domain: 'example.com' }).code,
      'invalid_params',
    )
    assert.equal(refusal('fundingdb/company-search', {}).code, 'invalid_params')
  })
})
