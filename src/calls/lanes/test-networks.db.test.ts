/** Test keys on test networks: a test wallet pays with play money, and simulations are sold for play money. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Agent } from 'undici'
import { generatePrivateKey } from 'viem/accounts'
import { verifyTypedData } from 'viem'
import { openAppBed } from '../../../test/harness/beds/app.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { startVendor } from '../../../test/harness/vendors/vendor.ts'
import {
  USDC_ON_BASE,
  USDC_ON_BASE_SEPOLIA,
  type Asset,
} from '../../catalog/vocabulary/merchant.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { postCredit } from '../../ledger/credit.ts'
import { newId } from '../../lib/ids.ts'
import { dollars } from '../../lib/money.ts'
import { readPaySettings } from '../../app/settings/pay-settings.ts'
import { settingsReader } from '../../app/settings/settings-reader.ts'
import { openTestWallet, openWallet } from '../../app/wiring/wallet.ts'
import { startSimulators } from '../../simulators/start.ts'
import { x402Exact } from '../../upstream/pay/methods/x402-exact.ts'
import { acceptX402 } from '../../upstream/sell/accept-x402.ts'
import { readOutflow, listPayments } from '../payments/queue.ts'

const PAY_TO = '0x2222222222222222222222222222222222222222'
const dispatcher = new Agent()
const simulators = await startSimulators({ now: Date.now })
cleanUp(async () => {
  await dispatcher.close()
  await simulators.close()
})
const settings = readPaySettings(
  settingsReader({
    PAY_EVM_KEY: generatePrivateKey(),
    PAY_TEST_EVM_KEY: generatePrivateKey(),
    PAY_OPEN_CENTS: '500',
  }),
)
const takenBy: string[] = []
const acceptance = acceptX402({
  asset: USDC_ON_BASE_SEPOLIA,
  recipient: PAY_TO,
  token: { name: 'USDC', version: '2' },
  take: async (payload, requirement) => {
    const {
      authorization: { from, to, value, nonce, ...times },
      signature,
    } = payload.payload as {
      signature: `0x${string}`
      authorization: Record<'from' | 'to' | 'nonce', `0x${string}`> &
        Record<'value' | 'validAfter' | 'validBefore', string>
    }
    const fields = [
      ['from', 'address'],
      ['to', 'address'],
      ['value', 'uint256'],
      ['validAfter', 'uint256'],
      ['validBefore', 'uint256'],
      ['nonce', 'bytes32'],
    ].map(([name = '', type = '']) => ({ name, type }))
    const isSigned = await verifyTypedData({
      address: from,
      signature,
      primaryType: 'TransferWithAuthorization',
      types: { TransferWithAuthorization: fields },
      domain: {
        ...requirement.extra,
        chainId: 84_532,
        verifyingContract: requirement.asset as `0x${string}`,
      },
      message: {
        from,
        to,
        value: BigInt(value),
        validAfter: BigInt(times.validAfter),
        validBefore: BigInt(times.validBefore),
        nonce,
      },
    })
    if (!isSigned) return { refused: 'invalid_exact_evm_payload_signature' }
    takenBy.push(from)
    return {
      reference: nonce,
      receipt: { success: true, transaction: nonce, network: 'eip155:84532' },
    }
  },
})
const covers = (): boolean => true
const bed = await openAppBed({
  simulatorUrl: simulators.url,
  wallet: (database, now) =>
    openWallet({ settings, database, dispatcher, now, covers }) ?? assert.fail('it has a key'),
  testWallet: (database, now) =>
    openTestWallet({ settings, database, dispatcher, now, covers }) ?? assert.fail('it has a key'),
  selling: { acceptances: [acceptance], publicUrl: 'https://gate.example', mode: 'test' },
})
const {
  rows: [wallet],
} = await bed.database.query<{ id: bigint }>(
  "select wallets.id from wallets join accounts on accounts.id = account_id where email = 'mine@gate.example.com' and mode = 'live'",
)
await postCredit(bed.database, {
  id: newId(bed.clock()),
  walletId: Number(wallet?.id),
  kind: 'topup',
  amount: dollars('5'),
  nowMs: bed.clock(),
})

/** A merchant that accepts x402 in one asset, and delivers for any signed payment. */
const merchant = await startVendor()
const { host } = new URL(merchant.url)
const signedFor: { network: string; from: string }[] = []
function sells(...assets: readonly Asset[]): void {
  merchant.answerWith(({ headers }) => {
    const payment = headers['payment-signature']
    if (typeof payment === 'string') {
      const { accepted, payload } = JSON.parse(Buffer.from(payment, 'base64').toString('utf8')) as {
        accepted: { network: string }
        payload: { authorization: { from: string } }
      }
      signedFor.push({ network: accepted.network, from: payload.authorization.from })
      return {
        headers: {
          'payment-response': Buffer.from(
            JSON.stringify({ success: true, transaction: '0xabc' }),
          ).toString('base64'),
        },
        body: { bought: true },
      }
    }
    const accepts = assets.map(({ currency, chainId }) => ({
      scheme: 'exact',
      network: `eip155:${chainId}`,
      amount: '20000',
      asset: currency,
      payTo: PAY_TO,
      maxTimeoutSeconds: 60,
      extra: { name: 'USDC', version: '2' },
    }))
    return {
      status: 402,
      headers: {
        'payment-required': Buffer.from(
          JSON.stringify({ x402Version: 2, resource: { url: `${merchant.url}/x` }, accepts }),
        ).toString('base64'),
      },
      body: {},
    }
  })
}
type Answer = {
  ok: boolean
  test?: boolean
  charged_micros: number
  data: { receipt: { reference: string; merchant: string }; response: { body: string } }
  error: { code: string }
}
async function fetchWith(key: string, max_cost_cents = 5): Promise<Answer> {
  return (
    await bed.post(
      '/api/fetch',
      { url: `${merchant.url}/x`, max_cost_cents },
      { authorization: `Bearer ${key}` },
    )
  ).json()
}
async function balances(): Promise<Record<string, bigint>> {
  const { rows } = await bed.database.query<{ mode: string; balance: bigint }>(
    "select mode, balance_micros as balance from wallets join accounts on accounts.id = account_id where email = 'mine@gate.example.com'",
  )
  return Object.fromEntries(rows.map(({ mode, balance }) => [mode, balance]))
}

describe('a fetch with a test key and test wallets', () => {
  it('pays on the test network from the test wallet and the test balance', async () => {
    sells(USDC_ON_BASE, USDC_ON_BASE_SEPOLIA)
    const before = await balances()
    const answer = await fetchWith(bed.testKey)
    assert.deepEqual(
      [
        answer.ok,
        answer.test,
        answer.charged_micros,
        answer.data.receipt.merchant,
        JSON.parse(answer.data.response.body),
      ],
      [true, true, 20_000, host, { bought: true }],
    )
    assert.equal(signedFor.at(-1)?.network, 'eip155:84532')
    const after = await balances()
    assert.deepEqual(
      [after['test'], after['live']],
      [(before['test'] ?? 0n) - 20_000n, before['live']],
    )
    assert.deepEqual(
      [
        (await readOutflow(bed.database, bed.clock(), 'test')).today,
        (await readOutflow(bed.database, bed.clock())).today,
      ],
      [20_000n, 0n],
    )
  })

  it('pays on no main network', async () => {
    sells(USDC_ON_BASE)
    const signed = signedFor.length
    assert.equal((await fetchWith(bed.testKey)).error.code, 'upstream_payment')
    assert.equal(signedFor.length, signed)
  })

  it('does not change live keys, which pay on main networks with another wallet', async () => {
    sells(USDC_ON_BASE_SEPOLIA)
    const signed = signedFor.length
    assert.equal((await fetchWith(bed.liveKey)).error.code, 'upstream_payment')
    assert.equal(signedFor.length, signed)
    sells(USDC_ON_BASE_SEPOLIA, USDC_ON_BASE)
    assert.equal((await fetchWith(bed.liveKey)).charged_micros, 20_000)
    assert.equal(signedFor.at(-1)?.network, 'eip155:8453')
    assert.notEqual(signedFor.at(-1)?.from, signedFor.at(-2)?.from)
  })

  it('is charged at signing without a receipt, and queued separately from live payments', async () => {
    merchant.answerWith(({ headers }) => {
      if (headers['payment-signature'] !== undefined) return 'reset'
      const accepts = [
        {
          scheme: 'exact',
          network: 'eip155:84532',
          amount: '20000',
          asset: USDC_ON_BASE_SEPOLIA.currency,
          payTo: PAY_TO,
          maxTimeoutSeconds: 60,
          extra: { name: 'USDC', version: '2' },
        },
      ]
      return {
        status: 402,
        headers: {
          'payment-required': Buffer.from(
            JSON.stringify({ x402Version: 2, resource: { url: `${merchant.url}/x` }, accepts }),
          ).toString('base64'),
        },
        body: {},
      }
    })
    const answer = await fetchWith(bed.testKey)
    assert.deepEqual(
      [answer.error.code, answer.charged_micros, answer.test],
      ['payment_unknown', 20_000, true],
    )
    assert.deepEqual(
      [
        (await readOutflow(bed.database, bed.clock(), 'test')).waiting,
        (await readOutflow(bed.database, bed.clock())).waiting,
      ],
      [1, 0],
    )
    assert.equal((await listPayments(bed.database, 'unknown', 9))[0]?.mode, 'test')
  })
})

describe('a call sold on test networks', () => {
  it('has a price in play money, takes it, and returns a simulated test answer', async () => {
    const path = '/api/run/semantic/search'
    const body = JSON.stringify({ query: 'one' })
    const send = (headers: Record<string, string>) =>
      bed.app.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/json', ...headers },
        payload: body,
      })
    const asked = await send({})
    const payer = x402Exact({
      key: generatePrivateKey(),
      assets: [USDC_ON_BASE_SEPOLIA],
      now: bed.clock,
    })
    const [offer] = await payer.offersIn(
      { status: 402, headers: asked.headers as Record<string, string>, text: asked.body },
      { origin: 'https://gate.example', path, method: 'POST', headers: {}, body },
    )
    assert.deepEqual(
      [asked.statusCode, offer?.chainId, offer?.currency],
      [402, 84_532, USDC_ON_BASE_SEPOLIA.currency],
    )
    const requests = bed.vendor.requests.length
    const payment = (await offer?.sign()) ?? assert.fail('there is an offer')
    const [first, again] = [await send(payment), await send(payment)]
    const { ok, test } = first.json<{ ok: boolean; test?: boolean }>()
    assert.deepEqual(
      [first.statusCode, ok, test, again.body === first.body, takenBy.length],
      [200, true, true, true, 1],
    )
    assert.equal(bed.vendor.requests.length, requests, 'no vendor request')
    const { rows } = await bed.database.query<{ mode: string }>(
      'select mode from transactions join wallets on wallets.id = wallet_id join accounts on accounts.id = account_id where is_house',
    )
    assert.deepEqual([...new Set(rows.map(({ mode }) => mode))], ['test'])
  })

  it('balances the ledger', async () => {
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })
})
