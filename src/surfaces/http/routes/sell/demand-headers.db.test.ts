import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { createCatalog } from '../../../../catalog/index.ts'
import {
  USDC_ON_BASE,
  USDC_ON_TEMPO,
  TEMPO_CHARGE,
} from '../../../../catalog/vocabulary/merchant.ts'
import { acceptMpp } from '../../../../upstream/sell/accept-mpp.ts'
import { acceptX402 } from '../../../../upstream/sell/accept-x402.ts'

/** nginx reads all headers of a response into one memory page of 4 KB by default. */
const MOST_HEADER_BYTES = 3_500
const REASON = 'insufficient_funds: '.padEnd(300, 'x')

const recipient = '0x2222222222222222222222222222222222222222'
const bed = await openAppBed({
  selling: {
    acceptances: [
      acceptMpp({
        name: TEMPO_CHARGE,
        asset: USDC_ON_TEMPO,
        recipient,
        secretKey: 'a-secret-of-this-gateway-of-32-bytes-or-more',
        take: async () => null,
      }),
      acceptX402({
        asset: USDC_ON_BASE,
        recipient,
        token: { name: 'USD Coin', version: '2' },
        take: async () => ({ refused: REASON }),
      }),
    ],
    publicUrl: 'https://gateway-of-a-long-name.department.example.com',
  },
})

const demand = (path: string, payload: unknown, headers: Record<string, string> = {}) =>
  bed.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', origin: 'https://shop.example', ...headers },
    payload: JSON.stringify(payload),
  })
const bytesOf = (headers: object): number =>
  Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + String(value).length + 4,
    'HTTP/1.1 402 Payment Required\r\n\r\n'.length + 'connection: keep-alive\r\n'.length,
  )
type Required = {
  readonly accepts: readonly { readonly amount: string; readonly network: string }[]
  readonly extensions?: { readonly bazaar: { readonly info: { readonly input: object } } }
}
const requiredIn = (header: unknown): Required =>
  JSON.parse(Buffer.from(String(header), 'base64').toString('utf8')) as Required

it('demands a payment for every sold action in headers that any proxy passes', async () => {
  let sold = 0
  for (const { service, name, action } of createCatalog().allActions()) {
    const path = `/api/run/${service.id}/${name}`
    const response = await demand(path, action.example)
    if (response.statusCode !== 402) continue
    sold += 1
    const { accepts, extensions } = requiredIn(response.headers['payment-required'])
    assert.equal(accepts.length, 1, path)
    assert.ok(extensions?.bazaar.info.input !== undefined, `${path} is listed in catalogs`)
    assert.ok(
      bytesOf(response.headers) <= MOST_HEADER_BYTES,
      `${path}: ${bytesOf(response.headers)}`,
    )
  }
  assert.ok(sold > 50, String(sold))
})

it('repeats the demand with the reason of a refusal in headers that any proxy passes', async () => {
  const path = '/api/run/semantic/contents'
  const body = { urls: ['https://a.example/'] }
  const [accepted] = requiredIn((await demand(path, body)).headers['payment-required']).accepts
  const payload = {
    signature: `0x${'1'.repeat(130)}`,
    authorization: {
      from: recipient,
      to: recipient,
      value: accepted?.amount,
      nonce: `0x${'2'.repeat(64)}`,
    },
  }
  const signed = Buffer.from(JSON.stringify({ x402Version: 2, accepted, payload }))
  const response = await demand(path, body, { 'payment-signature': signed.toString('base64') })
  assert.match(response.body, /insufficient_funds/)
  assert.equal(response.statusCode, 402)
  assert.ok(bytesOf(response.headers) <= MOST_HEADER_BYTES, String(bytesOf(response.headers)))
})
