import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../../../../test/harness/manual-clock.ts'
import { senderTo, startMerchant } from '../../../../test/harness/vendors/merchant.ts'
import { cloneDatabase } from '../../../../test/harness/postgres.ts'
import { startVendor } from '../../../../test/harness/vendors/vendor.ts'
import { createIntents } from '../../../calls/payments/intents.ts'
import { claimSale, markSaleUnknown } from '../../../calls/selling/sales.ts'
import { newId } from '../../../lib/ids.ts'
import { cents, dollars } from '../../../lib/money.ts'
import { loadConfig } from '../../../app/settings/config.ts'
import { purchase } from '../../../upstream/pay/purchase.ts'
import { devledger } from '../../../upstream/pay/testing/devledger.ts'
import { UsageError, type Input, type Tools } from '../command.ts'
import { checkWallets } from '../doctor/wallets.ts'
import { paymentsList, paymentsResolve, paymentsSales, paymentsWallets } from './payments.ts'

const { database } = await cloneDatabase()
const now = manualClock(Date.UTC(2026, 9, 14, 12))
const config = loadConfig({ PAY_TEMPO_KEY: '1'.repeat(64), PAY_DAILY_CENTS: '500' })
const tools: Tools = { now, config: () => config, database: async () => database }
const merchant = await startMerchant()
const wire = senderTo(merchant.url)
merchant.asks({ paid: () => 'reset' })
const bought = await purchase(
  {
    methods: [devledger()],
    intents: createIntents({ database, now, dailyCeiling: dollars('5'), openCeiling: cents('5') }),
    now,
  },
  {
    callId: newId(now()),
    accountId: newId(now()),
    service: 'shop',
    action: 'thing',
    request: wire.request(),
    send: wire.send,
    expected: { cap: cents('3'), realm: merchant.host },
    timeoutMs: 60_000,
  },
)
const id = bought.kind === 'unknown' ? bought.paymentId : ''

const input = (flags: Input['flags'], operand = ''): Input => ({ flags, operand })

describe('./tollgate payments', () => {
  it('lists unresolved payments with the daily outflow, and never a key', async () => {
    const { data, text } = await paymentsList.run(input({}), tools)
    const {
      waiting,
      outflow_today_micros: outflow,
      daily_ceiling_micros: ceiling,
    } = data as Record<string, number>
    assert.deepEqual([waiting, outflow, ceiling], [1, 20_000, 5_000_000])
    assert.ok(
      text.includes(id) &&
        text.includes('shop/thing') &&
        text.includes('1 to resolve. Paid or reserved today: $0.02 of $5.00.'),
    )
    assert.ok(!JSON.stringify(data).includes('1'.repeat(64)))
  })

  it('is recommended by the doctor', async () => {
    const { state, found } = await checkWallets(tools)
    assert.deepEqual(
      [state, found],
      [
        'broken',
        'tempo; $0.02 of $5.00 paid or reserved today; 1 payments with an unknown outcome',
      ],
    )
    assert.equal((await checkWallets({ ...tools, config: () => loadConfig({}) })).state, 'missing')
  })

  it('resolves a payment, which then leaves the queue', async () => {
    const { text } = await paymentsResolve.run(
      input({ as: 'unpaid', note: 'not on the chain' }, id),
      tools,
    )
    assert.match(text, /resolved as unpaid/)
    const { data } = await paymentsList.run(input({ status: 'resolved' }), tools)
    const { payments, outflow_today_micros: outflow } = data as {
      payments: { resolution: string; note: string }[]
      outflow_today_micros: number
    }
    assert.deepEqual(
      [payments[0]?.resolution, payments[0]?.note, outflow],
      ['unpaid', 'not on the chain', 0],
    )
    await assert.rejects(
      paymentsResolve.run(input({ as: 'paid' }, id), tools),
      /waits for a decision/,
    )
  })

  it('lists addresses and balances of the wallets, and unreachable chains', async () => {
    const chain = await startVendor()
    chain.answerWith(() => ({
      body: { jsonrpc: '2.0', id: 1, result: `0x${(12_345_678).toString(16).padStart(64, '0')}` },
    }))
    const both = loadConfig({
      PAY_TEMPO_KEY: '1'.repeat(64),
      PAY_TEMPO_RPC_URL: chain.url,
      PAY_EVM_KEY: '2'.repeat(64),
      PAY_EVM_RPC_URL: 'http://127.0.0.1:1',
    })
    const { data, text } = await paymentsWallets.run(input({}), { ...tools, config: () => both })
    assert.deepEqual(
      (data as { balance_micros: number | null }[]).map(({ balance_micros: held }) => held),
      [12_345_678, null],
    )
    assert.ok(
      text.includes('$12.345678') &&
        text.includes('chain unreachable') &&
        !text.includes('1'.repeat(64)),
    )
    assert.match(
      (await paymentsWallets.run(input({}), { ...tools, config: () => loadConfig({}) })).text,
      /^No wallets\./,
    )
  })

  it('lists sales with an unknown outcome', async () => {
    assert.match((await paymentsSales.run(input({}), tools)).text, /^No sales/)
    await claimSale(
      database,
      {
        paymentKey: 'k',
        id: newId(now()),
        route: '/api/run/a/b',
        fingerprint: '',
        method: 'tempo.charge',
        amount: 20_000n,
      },
      now(),
    )
    await markSaleUnknown(database, 'k', 'No answer came while the payment was taken.')
    assert.match(
      (await paymentsSales.run(input({}), tools)).text,
      /\/api\/run\/a\/b +tempo\.charge +\$0\.02 +No answer/,
    )
  })

  it('rejects an invalid command line', async () => {
    for (const line of [input({ as: 'maybe' }, id), input({ as: 'paid' }, 'x')])
      await assert.rejects(paymentsResolve.run(line, tools), UsageError)
    await assert.rejects(paymentsList.run(input({ limit: '0' }), tools), UsageError)
  })

  it('rejects an invalid wallet key without repeating it', () => {
    assert.throws(
      () => loadConfig({ PAY_EVM_KEY: 'sesame-open' }),
      (error: Error) => error.message.includes('PAY_EVM_KEY') && !error.message.includes('sesame'),
    )
  })
})
