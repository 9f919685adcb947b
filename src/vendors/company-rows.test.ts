/** Services that sell rows about companies: hiringdata, signals, fundingdb, altdata. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cpuMsOf } from '../../test/harness/cpu-time.ts'
import { cents } from '../lib/money.ts'
import type { Data } from '../catalog/vocabulary/outcome.ts'
import { heldFor, prepared, refusal, wireOf, withSimulators } from '../catalog/testing/run-call.ts'

const { outcomeAndCents, failureOf } = withSimulators()

describe('hiringdata', () => {
  test('limit is required for jobs, at most 10, and a call costs 40¢ however many postings come', async () => {
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

  test('jobs without an age, a date or a company are those of the last thirty days', () => {
    const sent = (body: Data) => {
      const { action, input } = prepared('hiringdata/jobs', body)
      return (action.request(input).json as Data)['posted_at_max_age_days']
    }
    assert.equal(sent({ limit: 5, job_title_or: ['x'] }), 30)
    assert.equal(sent({ limit: 5, posted_at_max_age_days: 7 }), 7)
    assert.equal(sent({ limit: 5, company_domain_or: ['example.com'] }), undefined)
  })

  test('companies cost 60¢ for at most 5', async () => {
    assert.equal(heldFor('hiringdata/companies', {}), cents('60'))
    assert.equal(refusal('hiringdata/companies', { limit: 6 }).param, 'limit')
    assert.equal(await outcomeAndCents('hiringdata/companies', { limit: 2 }), 'done 60')
  })

  test('nothing found is free everywhere', async () => {
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

  test('how many there are in all is counted on request', () => {
    for (const name of ['jobs', 'companies']) {
      const { action, input } = prepared(`hiringdata/${name}`, {
        limit: 1,
        include_total_results: true,
      })
      assert.equal((action.request(input).json as Data)['include_total_results'], true)
    }
  })

  test('the vendor’s free preview cannot be bought', () => {
    assert.equal(
      refusal('hiringdata/companies', { blur_company_data: true }).param,
      'blur_company_data',
    )
  })
})

describe('signals', () => {
  test('a call costs 25¢ for at most 100 rows, nothing when there is none', async () => {
    for (const feed of ['funding', 'acquisitions', 'job-changes', 'hiring', 'investors']) {
      assert.equal(await outcomeAndCents(`signals/${feed}`, { limit: 100 }), 'done 25')
      assert.equal(await outcomeAndCents(`signals/${feed}`, { search: 'nobody' }), 'empty 0')
      assert.equal(refusal(`signals/${feed}`, { limit: 101 }).param, 'limit')
    }
  })

  test('lists travel in one field: categories with pipes, others with commas', () => {
    const { action, input } = prepared('signals/funding', {
      countries: ['FR', 'ES'],
      categories: ['AI, applied', 'Health'],
      subcategories: ['ai', 'saas'],
    })
    assert.deepEqual(action.request(input).query, {
      countries: 'FR,ES',
      categories: 'AI, applied|Health',
      subcategories: 'ai,saas',
      page: 1,
      limit: 20,
    })
  })

  test('a parameter of another feed is refused', () => {
    assert.equal(refusal('signals/hiring', { round: ['seed'] }).param, 'round')
    prepared('signals/funding', { round: ['series h'] })
  })
})

describe('fundingdb', () => {
  test('deals and investor-deals cost 10¢ a row that came, and a page is small', async () => {
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

  test('deal-investors costs 10¢ flat, company-search 1¢, misses nothing', async () => {
    assert.equal(await outcomeAndCents('fundingdb/deal-investors', { id: 'deal/1' }), 'done 10')
    assert.equal(await failureOf('fundingdb/deal-investors', { id: 'nobody' }), 'no_results')
    assert.equal(
      await failureOf('fundingdb/investor-deals', { domain: 'nobody.example.com' }),
      'no_results',
    )
    assert.equal(await outcomeAndCents('fundingdb/company-search', { name: 'Example' }), 'done 1')
    assert.equal(await outcomeAndCents('fundingdb/company-search', { name: 'nobody' }), 'empty 0')
  })

  test('deals and their investors are sold by the call without the vendor’s key; a company search costs more there than here', () => {
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

  test('an investor and a company are named in exactly one way', () => {
    assert.equal(
      refusal('fundingdb/investor-deals', { id: 'a', domain: 'example.com' }).code,
      'invalid_params',
    )
    assert.equal(refusal('fundingdb/company-search', {}).code, 'invalid_params')
  })
})

describe('altdata', () => {
  test('company-enrich needs its sections, holds 35¢ for each and is charged the credits that it used', async () => {
    assert.equal(refusal('altdata/company-enrich', { company: 'example.com' }).param, 'sections')
    assert.equal(
      heldFor('altdata/company-enrich', {
        company: 'example.com',
        sections: ['industry', 'location'],
      }),
      cents('70'),
    )
    assert.equal(
      await outcomeAndCents('altdata/company-enrich', {
        company: 'example.com',
        sections: ['industry', 'location'],
      }),
      'done 25',
    )
    assert.equal(
      await failureOf('altdata/company-enrich', {
        company: 'nobody.example',
        sections: ['industry'],
      }),
      'no_results',
    )
  })

  test('ten articles cost about 2¢, by the credits that the vendor names', async () => {
    assert.equal(await outcomeAndCents('altdata/news', { query: 'ledgers', limit: 10 }), 'done 2')
    assert.equal(await outcomeAndCents('altdata/news', { query: 'ledgers', limit: 50 }), 'done 10')
    assert.equal(await outcomeAndCents('altdata/news', { query: 'nobody' }), 'empty 0')
    assert.equal(
      refusal('altdata/news', { query: 'x', company: 'example.com' }).code,
      'invalid_params',
    )
  })

  test('reviews cost 11 to 21¢', async () => {
    for (const name of ['employee-reviews', 'product-reviews']) {
      assert.equal(heldFor(`altdata/${name}`, { company: 'example.com' }), cents('21'))
      assert.equal(
        await outcomeAndCents(`altdata/${name}`, { company: 'example.com', limit: 10 }),
        'done 11',
      )
      assert.equal(
        await outcomeAndCents(`altdata/${name}`, { company: 'nobody.example' }),
        'empty 0',
      )
    }
    assert.equal(
      await outcomeAndCents('altdata/employee-reviews', { company: 'example.com', limit: 60 }),
      'done 15',
    )
    assert.equal(
      await outcomeAndCents('altdata/product-reviews', {
        company: 'example.com',
        products: ['p_1', 'p_2'],
      }),
      'done 15',
    )
  })

  test('what customers say is read of products that the caller names by id, so many as the told price covers', () => {
    const sent = { company: 'example.com', products: ['p_1', 'p_2'], limit: 20 }
    assert.deepEqual(wireOf('altdata/product-reviews', sent).query, {
      ...sent,
      products: 'p_1,p_2',
      offset: 0,
    })
    for (const products of [['p_1', 'p_2', 'p_3'], ['p_1,p_2,p_3'], []])
      assert.equal(refusal('altdata/product-reviews', { ...sent, products }).code, 'invalid_params')
    assert.equal(refusal('altdata/product-reviews', { ...sent, limit: 51 }).param, 'limit')
  })

  test('articles about one event are grouped by the name that the vendor reads, and no path is one that it answers by a redirect', () => {
    const wire = wireOf('altdata/news', { company: 'example.com', group_articles: true })
    assert.deepEqual(wire.query, {
      company: 'example.com',
      limit: 10,
      offset: 0,
      unique_article: true,
    })
    assert.equal(wire.path, '/v1/news/')
    assert.equal(
      wireOf('altdata/company-enrich', { company: 'example.com', sections: ['industry'] }).path,
      '/v1/company/enrichment/',
    )
    for (const name of ['employee-reviews', 'product-reviews'])
      assert.equal(
        wireOf(`altdata/${name}`, { company: 'example.com' }).path,
        `/v1/company/${name}/`,
      )
  })

  test('credits beyond what was held are not charged, and an answer that names none costs the usual', () => {
    const { action, input } = prepared('altdata/company-enrich', {
      company: 'example.com',
      sections: ['industry'],
    })
    const outcome = action.outcome(
      { status: 200, headers: {}, body: { data: { industry: { name: 'x' } } } },
      input,
    )
    assert.equal(outcome.kind === 'done' && outcome.units, 2.5)
    assert.equal(
      action.outcome({ status: 200, headers: {}, body: { location: { city: 'x' } } }, input).kind,
      'empty',
    )
  })

  test('used-up credit is told by its words, and a company whose name holds them is just not known', () => {
    const codeOf = (status: number, message: string) =>
      prepared('altdata/news', { query: 'x' }).service.vendor?.readFailure?.({
        status,
        headers: {},
        body: { message },
      })?.code
    assert.equal(codeOf(403, 'Not enough credits.'), 'upstream_payment')
    assert.equal(codeOf(429, 'Your credit balance is exhausted.'), 'upstream_payment')
    assert.equal(codeOf(404, 'Company newbalance.com was not found.'), 'no_results')
    assert.equal(
      codeOf(422, 'Company "Credit Agricole" cannot be told from others.'),
      'upstream_rejected',
    )
    const cpuMs = cpuMsOf(() =>
      assert.equal(codeOf(400, 'exceeded '.repeat(50_000)), 'upstream_rejected'),
    )
    assert.ok(cpuMs < 1_000, `a message of any length is read at once: ${cpuMs} ms`)
  })
})
