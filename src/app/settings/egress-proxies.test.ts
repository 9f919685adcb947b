import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from './config.ts'

test('reads proxies with country and kind, and repeats no password', () => {
  const EGRESS_PROXIES =
    'US=http://op:secret@proxy.example:8080, de-residential=https://proxy.example'
  const { inHouse, settings } = loadConfig({ EGRESS_PROXIES })
  assert.deepEqual(inHouse.proxies, [
    { country: 'us', isResidential: false, url: 'http://op:secret@proxy.example:8080' },
    { country: 'de', isResidential: true, url: 'https://proxy.example' },
  ])
  assert.ok(!JSON.stringify(settings).includes('secret'))
  for (const wrong of [
    'http://op:secret@proxy.example',
    'us=http://op:secret%zz@a',
    'usa=http://a',
    'us=socks5://op:secret@a',
  ])
    assert.throws(
      () => loadConfig({ EGRESS_PROXIES: wrong }),
      (error: Error) =>
        error.message.includes('EGRESS_PROXIES') && !error.message.includes('secret'),
    )
})
