import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { it } from 'node:test'
import { createIntents } from '../../src/calls/payments/intents.ts'
import { sweepPayments } from '../../src/calls/payments/queue.ts'
import { runCall, type CallAnswer } from '../../src/calls/run.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { cents, dollars } from '../../src/lib/money.ts'
import { challengeHeader, devledger, paidChallenge, receiptHeader } from '../../src/upstream/pay/testing/devledger.ts'
import { openCallBed } from '../harness/calls.ts'
import { startVendor } from '../harness/vendor.ts'
import type { Errand } from './buyer.ts'
import { shopAt } from './shop.ts'

const BUYER = join(import.meta.dirname, 'buyer.ts')
const merchant = await startVendor()
const method = devledger()
const bed = await openCallBed({
  services: [shopAt(merchant.url)],
  configured: false,
  wallet: (database, now) => ({ methods: [method], intents: createIntents({ database, now, dailyCeiling: dollars('100'), openCeiling: cents('5') }), now }),
})
const { host } = new URL(merchant.url)
const buyers = new Map<string, ChildProcess>()

/** Each buyer sends a key of its own. */
const idempotencyOf = (query: string) => ({ key: query, fingerprint: '00' })
const again = (query: string): Promise<CallAnswer> => runCall(bed.calls, { ...bed.request('shop', 'buy', { query }), idempotency: idempotencyOf(query) })

/** Each buyer is killed at the moment that its query names; the merchant that took its money says nothing any more. */
merchant.answerWith(({ headers, body }) => {
  const { query } = body as { query: string }
  const kill = (): 'hang' => {
    buyers.get(query)?.kill('SIGKILL')
    return 'hang'
  }
  const challenge = paidChallenge(headers.authorization)
  if (challenge === null) return query === 'quoted' ? kill() : { status: 402, headers: { 'www-authenticate': challengeHeader({ amount: '12345', realm: host }) } }
  return query === 'paid' ? kill() : { headers: { 'payment-receipt': receiptHeader('r') }, body: { results: ['bought'] } }
})

async function send(query: string): Promise<void> {
  const errand: Errand = { target: bed.target, merchantUrl: merchant.url, caller: bed.caller, nowMs: bed.clock(), query, idempotency: idempotencyOf(query) }
  const child = spawn(process.execPath, [BUYER, JSON.stringify(errand)], { stdio: ['ignore', 'pipe', 'inherit'] })
  buyers.set(query, child)
  if (query === 'finished') {
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
  }
  if (child.signalCode === null) await once(child, 'exit')
}

it('a process killed while it buys leaves its payment in the queue, its hold released and its caller uncharged', async () => {
  const before = await bed.balance()
  await Promise.all(['quoted', 'paid', 'finished'].map(send))
  assert.ok((await bed.balance()).held > 0n)
  bed.clock.advance(600_000)
  assert.equal(await sweepPayments(bed.database, bed.clock()), 1)
  assert.equal(await bed.calls.ledger.sweep(), 2)
  const { rows } = await bed.database.query<{ status: string; signed: boolean; charged: bigint }>('select payments.status, credential_hash is not null as signed, -transactions.amount_micros as charged from payments join transactions on transactions.id = call_id order by payments.status')
  assert.deepEqual(rows, [{ status: 'paid', signed: true, charged: 12_345n }, { status: 'unknown', signed: true, charged: 0n }])
  assert.deepEqual(await bed.balance(), { balance: before.balance - 12_345n, held: 0n })
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})

it('the same request again is answered as before, or pays where nothing was paid, and is told so where nobody knows', async () => {
  merchant.answerWith(({ headers }) =>
    paidChallenge(headers.authorization) === null
      ? { status: 402, headers: { 'www-authenticate': challengeHeader({ amount: '12345', realm: host }) } }
      : { headers: { 'payment-receipt': receiptHeader('r2') }, body: { results: ['bought'] } },
  )
  assert.equal((await again('finished')).replayed, true)
  await assert.rejects(again('paid'), { code: 'payment_unknown', message: /stopped after it had sent a payment/ })
  assert.equal(method.signatures.length, 0)
  assert.equal((await again('quoted')).charged, 12_345n)
  assert.equal(method.signatures.length, 1)
})
