import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { USDC_ON_BASE } from '../../../../catalog/vocabulary/merchant.ts'
import { DEV_ASSET } from '../../../../upstream/pay/testing/devledger.ts'
import { acceptMpp } from '../../../../upstream/sell/accept-mpp.ts'
import { acceptX402 } from '../../../../upstream/sell/accept-x402.ts'

const PATH = '/api/run/semantic/search'
const recipient = '0x2222222222222222222222222222222222222222'
let taken = 0
const x402 = acceptX402({
  asset: USDC_ON_BASE,
  recipient,
  token: { name: 'USD Coin', version: '2' },
  take: async ({ payload }) => {
    taken += 1
    return { reference: payload.authorization.nonce, receipt: { success: true } }
  },
})
const mpp = acceptMpp({
  name: 'devledger.charge',
  asset: DEV_ASSET,
  recipient: '0xhouse',
  secretKey: 'a-secret-of-this-gateway-of-32-bytes-or-more',
  take: async () => {
    taken += 1
    return { reference: 'r' }
  },
})
const publicUrl = 'https://gate.example'
const both = await openAppBed({ selling: { acceptances: [mpp, x402], publicUrl } })
const x402Only = await openAppBed({ selling: { acceptances: [x402], publicUrl } })
both.vendor.answerWith(() => ({
  body: { requestId: 'r', results: [{ id: 'a', url: 'https://a.example/' }] },
}))

const encoded = (text: string): string => Buffer.from(text).toString('base64')
const send = (headers: Record<string, string>, bed = both, method: 'POST' | 'OPTIONS' = 'POST') =>
  bed.app.inject({
    method,
    url: PATH,
    headers: { ...(method === 'POST' ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(method === 'POST' ? { payload: '{"query":"x"}' } : {}),
  })
type Failure = {
  readonly error: { readonly code: string; readonly message: string; readonly param: string | null }
}

const UNREADABLE: readonly (readonly [name: string, value: string, fault: RegExp])[] = [
  ['nothing', '', /is empty/],
  ['no base64', '%%%', /not base64/],
  ['two headers in one', `${encoded('{}')}, ${encoded('{}')}`, /not base64/],
  ['base64 of text', encoded('a payment'), /not JSON/],
  ['base64 of half a payment', encoded('{"x402Version":2,"payl'), /not JSON/],
  ['bytes', Buffer.from([0xff, 0, 0xfe]).toString('base64'), /not JSON/],
  ['JSON without a payload', encoded('{"x402Version":2}'), /no object "payload"/],
  ['an empty object', encoded('{}'), /no object "payload"/],
  ['a payload of null', encoded('{"accepted":{},"payload":null}'), /no object "payload"/],
  ['a payload of text', encoded('{"accepted":{},"payload":"0x1"}'), /no object "payload"/],
  ['a payload that is a list', encoded('{"accepted":{},"payload":[1]}'), /no object "payload"/],
  ['a list', encoded('[{"payload":{"signature":"0x1"}}]'), /not a JSON object/],
  ['a number', encoded('7'), /not a JSON object/],
  ['null', encoded('null'), /not a JSON object/],
  ['deep JSON', encoded('['.repeat(10_000)), /not JSON/],
  ['1 MB', encoded('x'.repeat(1_000_000)), /longer than 16384 characters/],
]

describe('a payment header that no client should send', () => {
  for (const [header, prefix] of [
    ['PAYMENT-SIGNATURE', ''],
    ['X-PAYMENT', ''],
    ['Authorization', 'Payment '],
  ] as const)
    for (const [what, value, fault] of UNREADABLE)
      it(`answers 400 that names ${header} and the fault for ${what}`, async () => {
        for (const bed of [both, x402Only]) {
          const answer = await send({ [header.toLowerCase()]: `${prefix}${value}`.trim() }, bed)
          const { error } = answer.json<Failure>()
          assert.deepEqual(
            [answer.statusCode, error.code, error.param],
            [400, 'bad_request', header],
          )
          assert.match(error.message, new RegExp(header))
          assert.match(error.message, fault)
        }
      })

  for (const [what, header, value, fault] of [
    [
      'no terms',
      'payment-signature',
      { x402Version: 2, payload: { signature: '0x1' } },
      /accepted/,
    ],
    [
      'version 1 in the header of version 2',
      'payment-signature',
      { x402Version: 1, payload: { signature: '0x1', authorization: {} } },
      /accepted/,
    ],
    ['no challenge', 'authorization', { payload: {} }, /challenge/],
    [
      'half a challenge',
      'authorization',
      { challenge: { id: 'a' }, payload: {} },
      /challenge\.realm/,
    ],
  ] as const)
    it(`answers 400 for a payment with ${what}`, async () => {
      const prefix = header === 'authorization' ? 'Payment ' : ''
      const answer = await send({ [header]: prefix + encoded(JSON.stringify(value)) })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json<Failure>().error.message, fault)
    })

  it('reports a readable payment for other terms, and demands the right one', async () => {
    const accepted = { scheme: 'exact', network: 'solana:1', asset: 'a', payTo: 'b', amount: '1' }
    for (const payload of [{ transaction: 'AQ==' }, { signature: '0x1', authorization: {} }]) {
      const answer = await send({
        'payment-signature': encoded(JSON.stringify({ x402Version: 2, accepted, payload })),
      })
      assert.deepEqual([answer.statusCode, taken], [402, 0], answer.body)
      assert.match(answer.json<Failure>().error.message, /other terms/)
      const demand = Buffer.from(String(answer.headers['payment-required']), 'base64').toString()
      assert.match((JSON.parse(demand) as { error: string }).error, /other terms/)
    }
  })
})

describe('a buyer in a web page of another site', () => {
  const origin = 'https://shop.example'
  const preflight = { origin, 'access-control-request-method': 'POST' }
  const corsIn = (headers: object): string[] =>
    Object.keys(headers).filter((name) => name.startsWith('access-control-'))
  const namesIn = (header: unknown): string[] => String(header).toLowerCase().split(/, */)

  it('may send every payment header', async () => {
    const answer = await send(
      { ...preflight, 'access-control-request-headers': 'content-type,payment-signature' },
      both,
      'OPTIONS',
    )
    assert.deepEqual(
      [
        answer.statusCode,
        answer.headers['access-control-allow-origin'],
        answer.headers['access-control-allow-methods'],
        answer.headers['access-control-allow-credentials'],
      ],
      [204, '*', 'POST', undefined],
    )
    const allowed = namesIn(answer.headers['access-control-allow-headers'])
    for (const name of ['content-type', 'payment-signature', 'x-payment', 'authorization'])
      assert.ok(allowed.includes(name), name)
  })

  it('reads the demand, the receipt and every error', async () => {
    const demand = await send({ origin })
    const { accepts } = JSON.parse(
      Buffer.from(String(demand.headers['payment-required']), 'base64').toString(),
    ) as { accepts: { amount: string }[] }
    const authorization = {
      from: recipient,
      to: recipient,
      value: accepts[0]?.amount,
      nonce: `0x${'2'.repeat(64)}`,
    }
    const paid = await send({
      origin,
      'payment-signature': encoded(
        JSON.stringify({
          x402Version: 2,
          accepted: accepts[0],
          payload: { signature: '0x1', authorization },
        }),
      ),
    })
    const refused = await send({ origin, 'x-payment': '%%%' })
    const unknown = await both.app.inject({
      method: 'POST',
      url: '/api/run/nothing/here',
      headers: { origin, 'content-type': 'application/json' },
      payload: '{}',
    })
    const broken = await both.app.inject({
      method: 'POST',
      url: PATH,
      headers: { origin, 'content-type': 'application/json' },
      payload: '{"query":',
    })
    for (const [answer, status, name] of [
      [demand, 402, 'payment-required'],
      [demand, 402, 'www-authenticate'],
      [paid, 200, 'payment-response'],
      [refused, 400, 'x-request-id'],
      [unknown, 404, 'x-request-id'],
      [broken, 400, 'x-request-id'],
    ] as const) {
      assert.equal(answer.statusCode, status, answer.body)
      assert.equal(answer.headers['access-control-allow-origin'], '*')
      assert.ok(name in answer.headers, name)
      assert.ok(namesIn(answer.headers['access-control-expose-headers']).includes(name), name)
      assert.equal(answer.headers['access-control-allow-credentials'], undefined)
    }
  })

  it('reads nothing with a key or a cookie, and of no other address', async () => {
    for (const secret of [
      { authorization: `Bearer ${both.liveKey}` },
      { authorization: 'Basic YTpi' },
      { cookie: 'a=b' },
      { 'x-api-key': both.liveKey },
    ])
      for (const method of ['POST', 'OPTIONS'] as const) {
        const answer = await send({ ...preflight, ...secret }, both, method)
        assert.deepEqual(corsIn(answer.headers), [], JSON.stringify(secret))
      }
    for (const url of ['/api/fetch', '/api/llm/v1/chat/completions', '/api/v1/balance', '/mcp'])
      assert.deepEqual(
        corsIn((await both.app.inject({ method: 'OPTIONS', url, headers: preflight })).headers),
        [],
        url,
      )
  })
})
