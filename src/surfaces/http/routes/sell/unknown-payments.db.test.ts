/** Payments that the facilitator neither confirms nor refuses. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { generatePrivateKey } from 'viem/accounts'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { startVendor, type VendorReply } from '../../../../../test/harness/vendors/vendor.ts'
import { listUnknownSales, sweepSales } from '../../../../calls/selling/sales.ts'
import { USDC_ON_BASE } from '../../../../catalog/vocabulary/merchant.ts'
import { verifyLedger } from '../../../../ledger/verify.ts'
import { x402Exact } from '../../../../upstream/pay/methods/x402-exact.ts'
import { acceptX402 } from '../../../../upstream/sell/accept-x402.ts'
import { takeByFacilitator } from '../../../../upstream/sell/take-by-facilitator.ts'

const PATH = '/api/run/semantic/search'
const facilitator = await startVendor()
const bed = await openAppBed({
  selling: {
    acceptances: [
      acceptX402({
        asset: USDC_ON_BASE,
        recipient: '0x2222222222222222222222222222222222222222',
        token: { name: 'USD Coin', version: '2' },
        take: takeByFacilitator(
          { url: facilitator.url, key: null, now: () => bed.clock() },
          async () => undefined,
        ),
      }),
    ],
    publicUrl: 'https://gate.example',
  },
})
bed.vendor.answerWith(() => ({
  body: {
    requestId: 'r',
    results: [{ id: 'https://a.example/', url: 'https://a.example/', title: 'A' }],
  },
}))
const buyer = x402Exact({ key: generatePrivateKey(), assets: [USDC_ON_BASE], now: bed.clock })

const VALID: VendorReply = { body: { isValid: true, payer: '0xc' } }
const PAID: VendorReply = {
  body: { success: true, transaction: '0xabab', network: 'eip155:8453', payer: '0xc' },
}
const unpaid = (errorReason: string, transaction: string): VendorReply => ({
  body: { success: false, errorReason, transaction, network: 'eip155:8453' },
})
const PENDING = unpaid('settlement_pending', '0xabab')

/** The answers to settlements; the last one repeats. */
function settles(...replies: readonly VendorReply[]): void {
  let next = 0
  facilitator.answerWith(({ path }) =>
    path.endsWith('/verify') ? VALID : (replies[Math.min(next++, replies.length - 1)] ?? 'reset'),
  )
}
/** The authorizations in settlements, each once. */
const settled = (): Set<string> =>
  new Set(
    facilitator.requests
      .filter(({ path }) => path.endsWith('/settle'))
      .map(({ body }) => JSON.stringify(body)),
  )

const call = (
  query: string,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> =>
  bed.app.inject({
    method: 'POST',
    url: PATH,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ query }),
  })
async function paymentFor(query: string): Promise<Record<string, string>> {
  const asked = await call(query)
  const [offer] = await buyer.offersIn(
    {
      status: asked.statusCode,
      headers: asked.headers as Record<string, string>,
      text: asked.body,
    },
    {
      origin: 'https://gate.example',
      path: PATH,
      method: 'POST',
      headers: {},
      body: JSON.stringify({ query }),
    },
  )
  return (await offer?.sign()) ?? assert.fail('it is offered')
}
const codeOf = (response: LightMyRequestResponse): string =>
  response.json<{ error?: { code: string } }>().error?.code ?? 'delivered'
async function topups(): Promise<number> {
  return (await bed.database.query("select 1 from transactions where kind = 'topup'")).count
}

it('delivers for one authorization when each first settlement is pending', async () => {
  const before = [settled().size, await topups()]
  settles(PENDING, PAID)
  // A client that signs a new payment for each 402.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const asked = await call('pending')
    if (asked.statusCode !== 402) assert.fail('it needs a payment')
    if ((await call('pending', await paymentFor('pending'))).statusCode === 200) break
  }
  assert.deepEqual([settled().size, await topups()], [Number(before[0]) + 1, Number(before[1]) + 1])
})

for (const [state, reply] of Object.entries({
  pending: PENDING,
  'timed out': unpaid('settle_exact_evm_transaction_confirmation_timed_out', '0xabab'),
  reverted: unpaid('invalid_transaction_state', '0xabab'),
  'with a used nonce': unpaid('invalid_exact_evm_nonce_already_used', ''),
  unanswered: 'reset' as const,
})) {
  it(`never demands another payment for one that is ${state}, and takes it when repeated`, async () => {
    const before = await topups()
    const payment = await paymentFor(state)
    const authorizations = settled().size
    settles(reply)
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const response = await call(state, payment)
      assert.deepEqual([response.statusCode, codeOf(response)], [502, 'payment_unknown'])
      assert.equal(response.headers['payment-required'], undefined)
      assert.match(response.body, /same payment again/)
    }
    const [sale] = await listUnknownSales(bed.database, 10)
    assert.equal(sale?.route, PATH)
    if (typeof reply !== 'string') assert.match(sale?.reason ?? '', /0xabab|nonce/)
    // The transfer empties the wallet, so the repeat looks refused.
    settles(unpaid('insufficient_funds', ''))
    assert.equal(codeOf(await call(state, payment)), 'payment_unknown')
    assert.equal((await listUnknownSales(bed.database, 10)).length, 1)

    settles(PAID)
    const replies = await Promise.all(Array.from({ length: 8 }, () => call(state, payment)))
    const codes = replies.map(codeOf)
    assert.ok(
      codes.includes('delivered') &&
        codes.every((code) => ['delivered', 'idempotency_in_progress'].includes(code)),
      codes.join(),
    )
    const again = await call(state, payment)
    assert.deepEqual(
      [codeOf(again), again.headers['payment-response'] !== undefined],
      ['delivered', true],
    )
    assert.deepEqual([await topups(), settled().size], [before + 1, authorizations + 1])
    assert.deepEqual(await listUnknownSales(bed.database, 10), [])
  })
}

it('answers 503 while a payment cannot be checked, and takes it later', async () => {
  const payment = await paymentFor('unchecked')
  facilitator.answerWith(() => ({ status: 502, body: '<html>' }))
  const response = await call('unchecked', payment)
  assert.deepEqual([response.statusCode, codeOf(response)], [503, 'upstream_busy'])
  assert.ok(response.headers['retry-after'] !== undefined)
  assert.deepEqual(await listUnknownSales(bed.database, 10), [])
  settles(PAID)
  assert.equal(codeOf(await call('unchecked', payment)), 'delivered')
})

it('takes a payment again whose process died, and credits it once', async () => {
  const before = await topups()
  const payment = await paymentFor('died')
  settles(PENDING)
  await call('died', payment)
  await bed.database.query("update sales set status = 'settling' where status = 'unknown'")
  bed.clock.advance(121_000)
  assert.equal(await sweepSales(bed.database, bed.clock()), 1)
  settles(PAID)
  assert.equal(codeOf(await call('died', payment)), 'delivered')
  assert.equal(await topups(), before + 1)
})

it('keeps the ledger consistent', async () => {
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})
