import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Challenge, Credential } from 'mppx'
import { startVendor } from '../../../test/harness/vendors/vendor.ts'
import { TEMPO_CHARGE, USDC_ON_TEMPO } from '../../catalog/vocabulary/merchant.ts'
import { acceptMpp } from './accept-mpp.ts'
import { takeOnTempo } from './take-on-tempo.ts'

const HASH = `0x${'ab'.repeat(32)}`
const chain = await startVendor()
const options = {
  asset: USDC_ON_TEMPO,
  recipient: '0x2222222222222222222222222222222222222222',
  secretKey: 'a-secret-of-this-gateway-of-32-bytes-or-more',
  realm: 'gate.example',
  rpcUrl: chain.url,
}
const acceptance = acceptMpp({ ...options, name: TEMPO_CHARGE, take: takeOnTempo(options) })

/** A payment whose transfer the buyer has broadcast. */
async function pushed() {
  const terms = {
    description: 'Sells a thing.',
    discovery: { example: {}, schema: {} },
    realm: 'gate.example',
    url: 'https://gate.example/api/run/a/b',
    amount: 12_345n,
    digest: null,
    expiresMs: Date.now() + 60_000,
  }
  const { headers } = await acceptance.request(terms)
  const authorization = Credential.serialize({
    challenge: Challenge.deserialize(headers['www-authenticate'] ?? ''),
    payload: { type: 'hash', hash: HASH },
  })
  return (
    (await acceptance.read({ authorization }, terms, Date.now())) ?? assert.fail('it is a payment')
  )
}

const repliesWith = (result: unknown): void =>
  chain.answerWith(({ body }) => ({
    body: { jsonrpc: '2.0', id: (body as { id: number }).id, result },
  }))

it('refuses no transfer that the chain has not confirmed, or whose chain does not answer', async () => {
  const payment = await pushed()
  repliesWith(null)
  assert.ok('unchecked' in (await payment.settle()))
  chain.answerWith(() => ({ status: 503, body: {} }))
  assert.ok('unchecked' in (await payment.settle()))
  repliesWith({ status: '0x0', transactionHash: HASH, logs: [], from: options.recipient })
  assert.ok('refused' in (await payment.settle()))
})
