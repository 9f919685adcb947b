/** Real x402 signatures, verified as a merchant would, without a chain. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { verifyTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { senderTo } from '../../../../test/harness/vendors/merchant.ts'
import {
  startVendor,
  type VendorReply,
  type VendorRequest,
} from '../../../../test/harness/vendors/vendor.ts'
import { USDC_ON_BASE, X402_EXACT } from '../../../catalog/vocabulary/merchant.ts'
import { newId } from '../../../lib/ids.ts'
import { cents, type Micros } from '../../../lib/money.ts'
import { purchase, type Purchase } from '../purchase.ts'
import { memoryIntents } from '../testing/memory-intents.ts'
import { x402Exact } from './x402-exact.ts'

const vendor = await startVendor()
const { host } = new URL(vendor.url)
const key = generatePrivateKey()
const payer = privateKeyToAccount(key).address
const PAY_TO = '0x2222222222222222222222222222222222222222'
const TYPES = {
  TransferWithAuthorization: [
    ['from', 'address'],
    ['to', 'address'],
    ['value', 'uint256'],
    ['validAfter', 'uint256'],
    ['validBefore', 'uint256'],
    ['nonce', 'bytes32'],
  ].map(([name = '', type = '']) => ({ name, type })),
}
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
const decoded = (text: unknown): unknown =>
  JSON.parse(Buffer.from(String(text), 'base64').toString())

const accepts = (change: object = {}) => ({
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '25000',
  asset: USDC_ON_BASE.currency,
  payTo: PAY_TO,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
  ...change,
})
const required = (change: object = {}, url = `${vendor.url}/v1/thing`) => ({
  x402Version: 2,
  resource: { url, description: 'A thing', mimeType: 'application/json' },
  accepts: [accepts(change)],
})
const requiredInVersion1 = {
  x402Version: 1,
  error: 'X-PAYMENT header is required',
  accepts: [
    {
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '25000',
      asset: USDC_ON_BASE.currency,
      payTo: PAY_TO,
      resource: `${vendor.url}/v1/thing`,
      description: '',
      mimeType: 'application/json',
      maxTimeoutSeconds: 60,
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
}

type Authorization = Record<'from' | 'to' | 'nonce', `0x${string}`> &
  Record<'value' | 'validAfter' | 'validBefore', string>
type Payload = { payload: { signature: `0x${string}`; authorization: Authorization } }

async function isSigned({ payload: { signature, authorization } }: Payload): Promise<boolean> {
  const message = {
    ...authorization,
    value: BigInt(authorization.value),
    validAfter: BigInt(authorization.validAfter),
    validBefore: BigInt(authorization.validBefore),
  }
  const domain = {
    name: 'USD Coin',
    version: '2',
    chainId: 8453,
    verifyingContract: USDC_ON_BASE.currency,
  } as const
  return verifyTypedData({
    address: payer,
    domain,
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
    signature,
  })
}

/** Delivers for a valid signature in the header of the version. */
function sells(asked: VendorReply, header: string, receipt: string) {
  return async ({ headers }: VendorRequest): Promise<VendorReply> => {
    const paid = headers[header]
    if (paid === undefined) return asked
    const payload = decoded(paid) as Payload
    assert.deepEqual(
      [payload.payload.authorization.value, payload.payload.authorization.to],
      ['25000', PAY_TO],
    )
    return (await isSigned(payload))
      ? {
          headers: {
            [receipt]: encoded({ success: true, transaction: '0xabc', network: 'base', payer }),
          },
          body: { bought: true },
        }
      : asked
  }
}

async function buy(cap: Micros = cents('3')): Promise<{ bought: Purchase; steps: string[] }> {
  const wire = senderTo(vendor.url)
  const intents = memoryIntents()
  const wallet = {
    methods: [x402Exact({ key, assets: [USDC_ON_BASE], now: Date.now })],
    intents,
    now: Date.now,
  }
  const bought = await purchase(wallet, {
    callId: newId(1),
    accountId: newId(1),
    service: 's',
    action: 'a',
    request: wire.request(),
    send: wire.send,
    expected: { cap, realm: host, methods: [X402_EXACT] },
    timeoutMs: 60_000,
  })
  return { bought, steps: intents.steps }
}

describe('x402 exact', () => {
  for (const [version, asked, header, receipt] of [
    [1, { status: 402, body: requiredInVersion1 }, 'x-payment', 'x-payment-response'],
    [
      2,
      { status: 402, headers: { 'payment-required': encoded(required()) } },
      'payment-signature',
      'payment-response',
    ],
  ] as const) {
    it(`pays version ${version} with a transfer authorization that the merchant can verify`, async () => {
      vendor.answerWith(sells(asked, header, receipt))
      const { bought, steps } = await buy()
      assert.ok(bought.kind === 'paid')
      assert.deepEqual(
        [bought.payment.amount, bought.payment.reference, bought.payment.method],
        [25_000n, '0xabc', X402_EXACT],
      )
      assert.deepEqual(steps, ['opened', 'signed', 'paid'])
    })
  }

  for (const [what, asked] of [
    ['above the cap', required({ amount: '30001' })],
    ['on another chain', required({ network: 'eip155:1' })],
    ['in another currency', required({ asset: PAY_TO })],
    ['for an address of another host', required({}, 'https://elsewhere.example/v1/thing')],
    [
      'by an allowance',
      required({ extra: { name: 'USD Coin', version: '2', assetTransferMethod: 'permit2' } }),
    ],
    ['usable for days', required({ maxTimeoutSeconds: 86_400 })],
    ['by another scheme', required({ scheme: 'upto' })],
  ] as const) {
    it(`signs nothing for a payment ${what}`, async () => {
      vendor.answerWith(() => ({ status: 402, headers: { 'payment-required': encoded(asked) } }))
      const { bought, steps } = await buy()
      assert.equal(bought.kind, 'refused')
      assert.deepEqual(steps, [])
    })
  }

  it('reads at most a hundred offers, and no challenge of a megabyte', async () => {
    const ways = (count: number) => ({
      ...required(),
      accepts: [
        ...Array.from({ length: count }, () => accepts({ network: 'eip155:1' })),
        accepts(),
      ],
    })
    const offered = (asked: object) =>
      x402Exact({ key, assets: [USDC_ON_BASE], now: Date.now }).offersIn(
        { status: 402, headers: {}, text: JSON.stringify(asked) },
        senderTo(vendor.url).request(),
      )
    assert.equal((await offered(ways(99))).length, 100)
    assert.equal((await offered(ways(1_000))).length, 100)
    assert.deepEqual(await offered({ ...required(), description: 'x'.repeat(1_000_000) }), [])
  })

  it('reports the payment as unknown without a successful receipt', async () => {
    vendor.answerWith(({ headers }) =>
      headers['payment-signature'] === undefined
        ? { status: 402, headers: { 'payment-required': encoded(required()) } }
        : {
            headers: { 'payment-response': encoded({ success: false, transaction: '' }) },
            body: {},
          },
    )
    const { bought, steps } = await buy()
    assert.equal(bought.kind, 'unknown')
    assert.deepEqual(steps, ['opened', 'signed', 'unknown'])
  })
})
