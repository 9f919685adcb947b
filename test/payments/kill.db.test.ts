import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { it } from 'node:test'
import { createIntents } from '../../src/calls/payments/intents.ts'
import { listPayments, resolvePayment, sweepPayments } from '../../src/calls/payments/queue.ts'
import { paidFetch } from '../../src/calls/fetch/paid-fetch.ts'
import type { CallAnswer } from '../../src/calls/call.ts'
import { runCall } from '../../src/calls/run.ts'
import { postCredit } from '../../src/ledger/credit.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { newId } from '../../src/lib/ids.ts'
import { cents, dollars } from '../../src/lib/money.ts'
import { createGuard } from '../../src/upstream/guard.ts'
import {
  challengeHeader,
  devledger,
  paidChallenge,
  receiptHeader,
} from '../../src/upstream/pay/testing/devledger.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { openCallBed } from '../harness/beds/calls.ts'
import { startVendor } from '../harness/vendors/vendor.ts'
import type { Errand } from './buyer.ts'
import { fetchInputOf, shopAt } from './shop.ts'

const BUYER = join(import.meta.dirname, 'buyer.ts')
const merchant = await startVendor()
const method = devledger()
const bed = await openCallBed({
  services: [shopAt(merchant.url)],
  configured: false,
  wallet: (database, now) => ({
    methods: [method],
    intents: createIntents({
      database,
      now,
      dailyCeiling: dollars('100'),
      openCeiling: cents('5'),
    }),
    now,
  }),
})
const { host } = new URL(merchant.url)
const guard = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] })
cleanUp(() => guard.close())
const buyers = new Map<string, ChildProcess>()

/** Each buyer sends its own key. */
const idempotencyOf = (query: string) => ({ key: query, fingerprint: '00' })
const again = (query: string): Promise<CallAnswer> =>
  runCall(bed.calls, {
    ...bed.request('shop', 'buy', { query }),
    idempotency: idempotencyOf(query),
  })

/** Kills each buyer at the step that its query names. The paid merchant stops responding. */
const killing: Parameters<typeof merchant.answerWith>[0] = ({ headers, body }) => {
  const { query } = body as { query: string }
  const kill = (): 'hang' => {
    buyers.get(query)?.kill('SIGKILL')
    return 'hang'
  }
  const challenge = paidChallenge(headers.authorization)
  if (challenge === null)
    return query === 'quoted'
      ? kill()
      : {
          status: 402,
          headers: { 'www-authenticate': challengeHeader({ amount: '12345', realm: host }) },
        }
  return query === 'paid' || query === 'fetched'
    ? kill()
    : { headers: { 'payment-receipt': receiptHeader('r') }, body: { results: ['bought'] } }
}
merchant.answerWith(killing)

async function send(query: string, fetches = false): Promise<void> {
  const errand: Errand = {
    fetches,
    target: bed.target,
    merchantUrl: merchant.url,
    caller: bed.caller,
    nowMs: bed.clock(),
    query,
    idempotency: idempotencyOf(query),
  }
  const child = spawn(process.execPath, [BUYER, JSON.stringify(errand)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  buyers.set(query, child)
  if (query === 'finished') {
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
  }
  if (child.signalCode === null) await once(child, 'exit')
}

it('a process killed during a purchase leaves a queued payment and an uncharged caller', async () => {
  const before = await bed.balance()
  await Promise.all(['quoted', 'paid', 'finished'].map((query) => send(query)))
  assert.ok((await bed.balance()).held > 0n)
  bed.clock.advance(600_000)
  assert.equal(await sweepPayments(bed.database, bed.clock()), 1)
  assert.equal(await bed.calls.ledger.sweep(), 2)
  const { rows } = await bed.database.query<{ status: string; signed: boolean; charged: bigint }>(
    'select payments.status, credential_hash is not null as signed, -transactions.amount_micros as charged from payments join transactions on transactions.id = call_id order by payments.status',
  )
  assert.deepEqual(rows, [
    { status: 'paid', signed: true, charged: 12_345n },
    { status: 'unknown', signed: true, charged: 0n },
  ])
  assert.deepEqual(await bed.balance(), { balance: before.balance - 12_345n, held: 0n })
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})

it('a repeat is replayed, pays if nothing was paid, or reports an unknown outcome', async () => {
  merchant.answerWith(({ headers }) =>
    paidChallenge(headers.authorization) === null
      ? {
          status: 402,
          headers: { 'www-authenticate': challengeHeader({ amount: '12345', realm: host }) },
        }
      : { headers: { 'payment-receipt': receiptHeader('r2') }, body: { results: ['bought'] } },
  )
  assert.equal((await again('finished')).replayed, true)
  await assert.rejects(again('paid'), {
    code: 'payment_unknown',
    message: /stopped after it had sent a payment/,
  })
  assert.equal(method.signatures.length, 0)
  assert.equal((await again('quoted')).charged, 12_345n)
  assert.equal(method.signatures.length, 1)
})

it('a process killed during a fetch leaves a charged, queued payment with one refund', async () => {
  await postCredit(bed.database, {
    id: newId(bed.clock()),
    walletId: bed.caller.walletId,
    kind: 'topup',
    amount: cents('5'),
    nowMs: bed.clock(),
  })
  const before = await bed.balance()
  merchant.answerWith(killing)
  await send('fetched', true)
  // The call was charged before the payment was sent, so the sweep has no hold to release.
  assert.deepEqual(await bed.balance(), { balance: before.balance - 12_345n, held: 0n })
  const fetchAgain = (): Promise<CallAnswer> =>
    paidFetch(
      bed.calls,
      { guard, userAgent: 'Tollgate-Test/1.0' },
      {
        id: newId(bed.clock()),
        caller: bed.caller,
        idempotency: idempotencyOf('fetched'),
        input: fetchInputOf(merchant.url, 'fetched'),
      },
    )
  await assert.rejects(fetchAgain(), { code: 'idempotency_in_progress' })
  bed.clock.advance(600_000)
  assert.equal(await sweepPayments(bed.database, bed.clock()), 1)
  await bed.calls.ledger.sweep()
  await assert.rejects(fetchAgain(), { code: 'payment_unknown', chargedMicros: 12_345 })
  const [payment] = await listPayments(bed.database, 'unknown', 1)
  await resolvePayment(bed.database, payment?.id ?? '', 'unpaid', 'not on the chain', bed.clock())
  await assert.rejects(
    resolvePayment(bed.database, payment?.id ?? '', 'unpaid', 'again', bed.clock()),
    { code: 'not_found' },
  )
  assert.deepEqual(await bed.balance(), { ...before, held: 0n })
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})
