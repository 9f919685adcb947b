import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { createCatalog } from '../../catalog/index.ts'
import { billable, worstCase } from '../../catalog/prices/price.ts'
import { refusal } from '../../catalog/testing/run-call.ts'
import { createValidator } from '../../catalog/validate/validate.ts'

const { action } = createCatalog().findAction('core', 'onescrape')

describe('core/onescrape', () => {
  test('holds and charges two cents for each distinct page if at least one was read', () => {
    const input = createValidator().validate(action.input, {
      urls: ['example.com/a', 'https://example.com/a#x', 'example.com/b'],
    })
    assert.equal(worstCase(action, input), cents('4'))
    assert.equal(billable(action, input, { kind: 'partial', data: {}, units: 1 }), cents('4'))
    assert.equal(billable(action, input, { kind: 'failed', code: 'all_blocked', message: '' }), 0n)
  })

  test('names the selector that is not valid', () => {
    const { code, param } = refusal('core/onescrape', {
      urls: ['example.com'],
      include: ['article'],
      exclude: ['.ad', 'a[href'],
    })
    assert.deepEqual([code, param], ['invalid_params', 'exclude[1]'])
  })

  test('rejects social pages, documents and invalid URLs before the hold', () => {
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
