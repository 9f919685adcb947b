import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { page, prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, missOf, failureOf } = withSimulators()
const readers = {
  'proxy/scrape': '1',
  'proxy/markdown': '1',
  'proxy/scrape_residential': '4',
  'proxy/extract': '20',
} as const
const extra = (id: string) =>
  id === 'proxy/extract' ? { extract_properties: 'title, price(number)' } : {}

describe('proxy', () => {
  for (const [id, price] of Object.entries(readers)) {
    test(`${id}: charges ${price} cents for a page`, async () => {
      const result = await run(id, { url: page('fine'), ...extra(id) })
      assert.ok('outcome' in result && result.outcome.kind === 'done')
      assert.equal(result.charged, cents(price))
    })

    test(`${id}: passes on the vendor's 409 under load`, async () => {
      assert.equal(
        await failureOf(id, { url: page('status-409'), ...extra(id) }),
        'upstream_conflict',
      )
    })

    test(`${id}: treats a blocked target as a miss, and used-up credit not as a wrong key`, async () => {
      assert.equal(await failureOf(id, { url: page('miss'), ...extra(id) }), 'no_results')
      assert.equal(await failureOf(id, { url: page('status-404'), ...extra(id) }), 'no_results')
      assert.equal(await failureOf(id, { url: page('quota'), ...extra(id) }), 'upstream_payment')
      assert.equal(
        await failureOf(id, { url: page('status-403'), ...extra(id) }),
        'upstream_not_configured',
      )
    })

    test(`${id}: accepts timeouts of 5 to 60 seconds and two-letter countries`, () => {
      for (const [name, value] of [
        ['timeout', 4],
        ['timeout', 61],
        ['proxy_country', 'deu'],
        ['js_snippet', 'alert("no base64")'],
      ] as const)
        assert.equal(refusal(id, { url: page('fine'), ...extra(id), [name]: value }).param, name)
    })

    test(`${id}: uses the browser by default, and rejects parameters that require it without it`, () => {
      const { action, input } = prepared(id, { url: page('fine'), ...extra(id) })
      assert.equal(action.request(input).query?.['browser'], true)
      for (const [name, value] of Object.entries({
        wait_for_selector: 'h1',
        js_snippet: 'YWxlcnQoKQ==',
        return_page_source: true,
      }))
        assert.equal(
          refusal(id, { url: page('fine'), ...extra(id), browser: false, [name]: value }).param,
          name,
        )
    })
  }

  test('uses residential addresses only for the residential action', () => {
    for (const id of Object.keys(readers)) {
      const { action, input } = prepared(id, {
        url: page('fine'),
        ...extra(id),
        proxy_country: 'DE',
      })
      const { query } = action.request(input)
      assert.equal(
        query?.['proxy_type'],
        id === 'proxy/scrape_residential' ? 'residential' : 'datacenter',
      )
      assert.equal(query?.['proxy_country'], 'de')
    }
  })

  test('returns only the HTML of a page, as raw', async () => {
    const result = await run('proxy/scrape', { url: page('fine') })
    assert.ok('outcome' in result && result.outcome.kind === 'done')
    assert.deepEqual(Object.keys(result.outcome.data), ['raw'])
    assert.match(String(result.outcome.data['raw']), /^<!doctype html>/)
  })

  test("treats a wall and the page's own error status as free misses", async () => {
    for (const id of ['proxy/scrape', 'proxy/markdown', 'proxy/scrape_residential']) {
      assert.equal((await missOf(id, { url: page('wall') })).details?.['blocked'], true)
      assert.equal((await missOf(id, { url: page('page-403') })).details?.['page_status'], 403)
    }
  })

  test('charges nothing for an extraction without any property', () => {
    const { action, input } = prepared('proxy/extract', {
      url: page('fine'),
      ...extra('proxy/extract'),
    })
    const outcomeOf = (body: unknown) =>
      action.outcome({ status: 200, headers: {}, body }, input).kind
    assert.equal(outcomeOf({ title: '', price: null, reviews: [] }), 'failed')
    assert.equal(outcomeOf({ title: '', price: 0 }), 'done')
    assert.equal(refusal('proxy/extract', { url: page('fine') }).param, 'extract_properties')
  })
})
