import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Challenge, Credential } from 'mppx'
import { generatePrivateKey } from 'viem/accounts'
import { USDC_ON_BASE } from '../../catalog/vocabulary/merchant.ts'
import { x402Exact } from '../pay/methods/x402-exact.ts'
import { DEV_ASSET } from '../pay/testing/devledger.ts'
import { acceptMpp, type MppAcceptanceOptions } from './accept-mpp.ts'
import { acceptX402, type X402Payload } from './accept-x402.ts'
import type { PaymentTerms, Headers } from './acceptance.ts'

const NOW_MS = Date.UTC(2026, 9, 14, 12)
const terms: PaymentTerms = {
  description: 'Sells a thing.',
  discovery: {
    example: { query: 'x' },
    schema: { type: 'object', properties: { query: { type: 'string' } } },
  },
  realm: 'gate.example',
  url: 'https://gate.example/api/run/shop/thing',
  amount: 20_000n,
  digest: 'sha-256=:YQ==:',
  expiresMs: NOW_MS + 300_000,
}
/** Each differs in one respect from the paid request. */
const OTHERS: Readonly<Record<string, Partial<PaymentTerms>>> = {
  host: { realm: 'other.example' },
  address: { url: 'https://gate.example/api/run/shop/other' },
  body: { digest: 'sha-256=:Yg==:' },
  'body, which is none': { digest: null },
}

describe('a payment by MPP', () => {
  const options: MppAcceptanceOptions = {
    name: 'devledger.charge',
    asset: DEV_ASSET,
    recipient: '0xhouse',
    secretKey: 'a-secret-of-this-gateway-of-32-bytes-or-more',
    take: async () => ({ reference: 'r' }),
  }
  const mpp = acceptMpp(options)
  const challengeOf = async (from = mpp): Promise<Challenge.Challenge> =>
    Challenge.deserialize((await from.request(terms)).headers['www-authenticate'] ?? '')
  const paid = (challenge: Challenge.Challenge): Headers => ({
    authorization: Credential.serialize({ challenge, payload: {} }),
  })

  it('has a unique key, and expires', async () => {
    const [one, other] = [paid(await challengeOf()), paid(await challengeOf())]
    const presented = await mpp.read(one, terms, NOW_MS)
    assert.deepEqual([presented?.paysFullAmount, presented?.isExpired], [true, false])
    assert.equal((await mpp.read(one, terms, NOW_MS + 300_000))?.isExpired, true)
    assert.notEqual((await mpp.read(other, terms, NOW_MS))?.key, presented?.key)
    assert.equal(
      (await mpp.read(one, { ...terms, amount: 20_001n }, NOW_MS))?.paysFullAmount,
      false,
    )
  })

  for (const [what, change] of Object.entries(OTHERS)) {
    it(`is not accepted for another ${what}`, async () =>
      assert.equal(
        await mpp.read(paid(await challengeOf()), { ...terms, ...change }, NOW_MS),
        null,
      ))
  }

  it('is not accepted if another server requested it, for another recipient, or changed', async () => {
    const stranger = await challengeOf(
      acceptMpp({ ...options, secretKey: 'a-secret-of-another-gateway-of-32-bytes-or-more' }),
    )
    const former = await challengeOf(acceptMpp({ ...options, recipient: '0xformer' }))
    const challenge = await challengeOf()
    const cheaper = { ...challenge, request: { ...challenge.request, amount: '1' } }
    for (const changed of [stranger, former, cheaper])
      assert.equal(await mpp.read(paid(changed), terms, NOW_MS), null)
  })
})

describe('a payment by x402', () => {
  const x402 = acceptX402({
    asset: USDC_ON_BASE,
    recipient: '0x2222222222222222222222222222222222222222',
    token: { name: 'USD Coin', version: '2' },
    take: async () => ({ refused: 'insufficient_funds' }),
  })

  async function signed(): Promise<X402Payload> {
    const buyer = x402Exact({
      key: generatePrivateKey(),
      assets: [USDC_ON_BASE],
      now: () => NOW_MS,
    })
    const request = {
      origin: 'https://gate.example',
      path: '/api/run/shop/thing',
      method: 'POST',
      headers: {},
      body: '{}',
    } as const
    const [offer] = await buyer.offersIn(
      { status: 402, headers: { ...(await x402.request(terms)).headers }, text: '{}' },
      request,
    )
    const headers = (await offer?.sign()) ?? {}
    return JSON.parse(
      Buffer.from(headers['payment-signature'] ?? '', 'base64').toString('utf8'),
    ) as X402Payload
  }
  const paid = (payload: unknown): Headers => ({
    'payment-signature': Buffer.from(JSON.stringify(payload)).toString('base64'),
  })

  it('has a key of payer and nonce in any spelling', async () => {
    const one = await signed()
    const presented = await x402.read(paid(one), terms, NOW_MS)
    assert.equal(presented?.paysFullAmount, true)
    const { from, nonce } = one.payload.authorization
    const respelled = {
      ...one,
      payload: {
        ...one.payload,
        authorization: {
          ...one.payload.authorization,
          from: from.toLowerCase(),
          nonce: `0x${nonce.slice(2).toUpperCase()}`,
        },
      },
    }
    assert.equal((await x402.read(paid(respelled), terms, NOW_MS))?.key, presented?.key)
    assert.equal(
      (await x402.read(paid(one), { ...terms, amount: 20_001n }, NOW_MS))?.paysFullAmount,
      false,
    )
  })

  it('is not accepted with another chain, token, scheme, recipient or amount', async () => {
    const one = await signed()
    const other = '0x3333333333333333333333333333333333333333'
    for (const accepted of [
      { network: 'eip155:1' },
      { asset: other },
      { scheme: 'upto' },
      { payTo: other },
      { amount: '20001' },
    ]) {
      assert.equal(
        await x402.read(
          paid({ ...one, accepted: { ...one.accepted, ...accepted } }),
          terms,
          NOW_MS,
        ),
        null,
        JSON.stringify(accepted),
      )
    }
    for (const authorization of [{ to: other }, { value: '1' }]) {
      const changed = {
        ...one,
        payload: {
          ...one.payload,
          authorization: { ...one.payload.authorization, ...authorization },
        },
      }
      assert.equal(
        await x402.read(paid(changed), terms, NOW_MS),
        null,
        JSON.stringify(authorization),
      )
    }
  })

  it('is requested in both versions, with a reason and the fields for catalogs', async () => {
    const { headers, body } = await x402.request({ ...terms, error: 'insufficient_funds' })
    const required = JSON.parse(
      Buffer.from(headers['payment-required'] ?? '', 'base64').toString('utf8'),
    ) as {
      error: string
      resource: object
      accepts: object[]
      extensions: { bazaar: { info: { input: object }; schema: object } }
    }
    assert.deepEqual(
      [required.error, required.resource],
      [
        'insufficient_funds',
        { url: terms.url, description: 'Sells a thing.', mimeType: 'application/json' },
      ],
    )
    assert.deepEqual(required.extensions.bazaar.info.input, {
      type: 'http',
      method: 'POST',
      bodyType: 'json',
      body: { query: 'x' },
    })
    assert.deepEqual(Object.keys(body ?? {}), ['x402Version', 'accepts'])
    const [requirement] = (body?.['accepts'] ?? []) as Record<string, unknown>[]
    assert.deepEqual(
      [
        body?.['x402Version'],
        requirement?.['network'],
        requirement?.['maxAmountRequired'],
        requirement?.['resource'],
        requirement?.['description'],
      ],
      [1, 'base', '20000', terms.url, 'Sells a thing.'],
    )
  })

  it('is requested within the header limit of clients, for any length of schema', async () => {
    const schema = {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 3_000 }, (_, index) => [`field_${index}`, { type: 'string' }]),
      ),
    }
    const { headers } = await x402.request({
      ...terms,
      discovery: { example: { text: 'x'.repeat(9_000) }, schema },
    })
    assert.ok((headers['payment-required'] ?? '').length <= 2_100)
  })

  it('has a receipt within the header limit of proxies, for any answer of the facilitator', async () => {
    const receipt = {
      success: true,
      transaction: '0xdone',
      network: 'eip155:8453',
      payer: '0xc',
      extensions: { note: 'x'.repeat(9_000) },
    }
    const lavish = acceptX402({
      asset: USDC_ON_BASE,
      recipient: '0x2222222222222222222222222222222222222222',
      token: { name: 'USD Coin', version: '2' },
      take: async () => ({ reference: '0xdone', receipt }),
    })
    const presented = await lavish.read(paid(await signed()), terms, NOW_MS)
    const settled = (await presented?.settle()) ?? assert.fail('it is a payment')
    const header = 'headers' in settled ? (settled.headers['payment-response'] ?? '') : ''
    const { extensions: _, ...facts } = receipt
    assert.deepEqual(JSON.parse(Buffer.from(header, 'base64').toString('utf8')), facts)
  })

  it('by version 1 is the same payment, for the same chain and recipient only', async () => {
    const two = await signed()
    const { payload } = two
    const one = { x402Version: 1, scheme: 'exact', network: 'base', payload }
    const brought = (change: object): Headers => ({
      'x-payment': Buffer.from(JSON.stringify({ ...one, ...change })).toString('base64'),
    })
    const presented = await x402.read(brought({}), terms, NOW_MS)
    assert.equal(presented?.paysFullAmount, true)
    // One transfer buys once, with either version.
    assert.equal(presented?.key, (await x402.read(paid(two), terms, NOW_MS))?.key)
    const other = '0x3333333333333333333333333333333333333333'
    for (const change of [
      { network: 'base-sepolia' },
      { network: 'eip155:8453' },
      { scheme: 'upto' },
      { payload: { ...payload, authorization: { ...payload.authorization, to: other } } },
      { payload: {} },
      { payload: null },
    ]) {
      assert.equal(await x402.read(brought(change), terms, NOW_MS), null, JSON.stringify(change))
    }
    assert.equal(
      (await x402.read(brought({}), { ...terms, amount: 20_001n }, NOW_MS))?.paysFullAmount,
      false,
    )
  })
})
