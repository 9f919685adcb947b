import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { cents } from '../../lib/money.ts'
import {
  heldFor,
  prepared,
  refusal,
  wireOf,
  withSimulators,
} from '../../catalog/testing/run-call.ts'

const { outcomeAndCents, failureOf } = withSimulators()

describe('altdata', () => {
  test('holds 35¢ per section of company-enrich, and charges the used credits', async () => {
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

  test("charges about 2¢ for ten articles, by the vendor's credits", async () => {
    assert.equal(await outcomeAndCents('altdata/news', { query: 'ledgers', limit: 10 }), 'done 2')
    assert.equal(await outcomeAndCents('altdata/news', { query: 'ledgers', limit: 50 }), 'done 10')
    assert.equal(await outcomeAndCents('altdata/news', { query: 'nobody' }), 'empty 0')
    assert.equal(
      refusal('altdata/news', { query: 'x', company: 'example.com' }).code,
      'invalid_params',
    )
  })

  test('charges 11 to 21¢ for reviews', async () => {
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

  test('reads customer reviews only of products named by id, as many as the price covers', () => {
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

  test("groups articles with the vendor's parameter, and calls no path that redirects", () => {
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

  test('charges at most the hold, and the usual credits if the answer has none', () => {
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

  test('recognizes used-up credit by its words, except in the name of an unknown company', () => {
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
