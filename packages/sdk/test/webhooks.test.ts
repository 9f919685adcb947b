import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedHeaders } from '../../../src/events/delivery/sign.ts'
import { newSecret, receiversPart } from '../../../src/events/webhooks/secrets.ts'
import { verifyWebhook } from '../src/index.ts'

const NOW_MS = Date.UTC(2027, 2, 17)
const now = (): number => NOW_MS
const EVENT = {
  id: 'evt_1',
  type: 'job.succeeded',
  timestamp: '',
  data: { sequence: 1, name: 'ä' },
}
const body = JSON.stringify(EVENT)
const message = { id: EVENT.id, timestamp: NOW_MS / 1000, body }
const BAD = { name: 'TollgateError', code: 'invalid_signature' }

for (const version of ['v1', 'v1a'] as const)
  test(`accepts what the gateway signs with ${version}, and nothing else`, async () => {
    const secret = newSecret(version)
    const mine = receiversPart(secret)
    const headers = signedHeaders(message, [newSecret(version), secret])
    const bytes = new TextEncoder().encode(body)
    for (const given of [body, bytes, bytes.buffer])
      assert.deepEqual(await verifyWebhook(mine, headers, given, { now }), EVENT)
    assert.deepEqual(await verifyWebhook(mine, new Headers(headers), body, { now }), EVENT)
    const { 'webhook-signature': signature = '' } = signedHeaders(message, [secret])
    for (const changed of [
      { ...headers, 'webhook-id': 'evt_2' },
      { ...headers, 'webhook-signature': signature.replace(/,.../, ',AAA') },
      { ...headers, 'webhook-signature': 'v1,%' },
      { ...headers, 'webhook-signature': undefined },
      signedHeaders(message, [newSecret(version)]),
    ])
      await assert.rejects(verifyWebhook(mine, changed, body, { now }), BAD)
    await assert.rejects(verifyWebhook(mine, headers, `${body} `, { now }), BAD)
  })

test('rejects a delivery outside the tolerance, in both directions', async () => {
  const secret = newSecret('v1')
  const headers = signedHeaders(message, [secret])
  for (const seconds of [-301, 301])
    await assert.rejects(
      verifyWebhook(secret, headers, body, { now: () => NOW_MS + seconds * 1000 }),
      BAD,
    )
  const later = { now: () => NOW_MS + 301_000, toleranceS: 302 }
  assert.deepEqual(await verifyWebhook(secret, headers, body, later), EVENT)
})

test('rejects a text that is not a secret of a webhook', async () => {
  const headers = signedHeaders(message, [newSecret('v1')])
  for (const secret of ['', 'tg_live_x', 'whsec_', 'whsec_%'])
    await assert.rejects(verifyWebhook(secret, headers, body, { now }), BAD)
})
