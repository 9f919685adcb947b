import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../lib/money.ts'
import { createCatalog } from '../catalog/index.ts'
import { billable, worstCase } from '../catalog/prices/price.ts'
import { page, refusal } from '../catalog/testing/run-call.ts'
import { createValidator } from '../catalog/validate/validate.ts'

const catalog = createCatalog()
const validator = createValidator()

describe('scraping/scrape', () => {
  test('pinning render with a parameter that only render2 has is refused by name', () => {
    for (const [name, value] of Object.entries({
      render_js: true,
      stealth: false,
      proxy_country: 'de',
    })) {
      const error = refusal('scraping/scrape', {
        url: page('fine'),
        provider: 'render',
        [name]: value,
      })
      assert.equal(error.code, 'invalid_params')
      assert.equal(error.param, name)
    }
  })
})

describe('core/onescrape', () => {
  const { action } = catalog.findAction('core', 'onescrape')

  test('every distinct page sent is held and charged, two cents each, once one was read', () => {
    const input = validator.validate(action.input, {
      urls: ['example.com/a', 'https://example.com/a#x', 'example.com/b'],
    })
    assert.equal(worstCase(action, input), cents('4'))
    assert.equal(billable(action, input, { kind: 'partial', data: {}, units: 1 }), cents('4'))
    assert.equal(billable(action, input, { kind: 'failed', code: 'all_blocked', message: '' }), 0n)
  })

  test('social pages, documents and what is no address are refused before anything is held', () => {
    assert.equal(refusal('core/onescrape', { urls: ['https://x.com/a'] }).code, 'onescrape_social')
    assert.equal(
      refusal('core/onescrape', { urls: ['example.com', 'example.com/a.pdf'] }).param,
      'urls[1]',
    )
    assert.equal(refusal('core/onescrape', { urls: ['nothing'] }).code, 'bad_url')
    assert.equal(
      refusal('core/onescrape', {
        urls: Array.from({ length: 6 }, (_, index) => `example.com/${index}`),
      }).code,
      'invalid_params',
    )
  })
})

test('the deep jobs say how the charges of their rows add up', () => {
  for (const name of ['onescrape-deep', 'onefind-deep', 'onesearch-deep']) {
    const { description } = catalog.findAction('core', name).action
    assert.match(
      description ?? '',
      /charged_cents is rounded up.*charged_micros, which is exact.*spent_micros/,
      name,
    )
  }
})
