import assert from 'node:assert/strict'
import { test } from 'node:test'
import { page, refusal } from '../../catalog/testing/run-call.ts'

test('rejects a render2-only parameter when the provider is render', () => {
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
