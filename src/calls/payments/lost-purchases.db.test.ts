/** Idempotency keys of processes that died between a payment and the end of its call. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { senderTo, startMerchant } from '../../../test/harness/vendors/merchant.ts'
import { AppError } from '../../errors/app-error.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { newId } from '../../lib/ids.ts'
import { cents, dollars } from '../../lib/money.ts'
import { purchase } from '../../upstream/pay/purchase.ts'
import { devledger } from '../../upstream/pay/testing/devledger.ts'
import type { Caller } from '../../keys/caller.ts'
import { ANSWER_STORED_MS, replayOf } from '../idempotency/answers.ts'
import { houseCaller } from '../selling/house-account.ts'
import { postCredit } from '../../ledger/credit.ts'
import type { Intents } from '../../upstream/pay/intents.ts'
import { createIntents } from './intents.ts'
import { isPaymentInDoubt } from './lost-purchases.ts'
import { readOutflow } from './queue.ts'

const bed = await openCallBed()
const {
  clock,
  database,
  calls: { ledger },
} = bed
const merchant = await startMerchant()
const wire = senderTo(merchant.url)
const wallet = {
  methods: [devledger()],
  intents: createIntents({
    database,
    now: clock,
    dailyCeiling: dollars('100'),
    openCeiling: cents('5'),
  }),
  now: clock,
}

/** A process makes the payments `buys` and dies. Returns the answer of the key after the sweep. */
async function answerAfterwards(
  caller: Caller,
  buys: string,
  {
    action = 'thing',
    change = {},
  }: { readonly action?: string; readonly change?: Partial<Intents> } = {},
): Promise<string> {
  const id = newId(clock())
  const slot = { accountId: caller.accountId, route: 'run/shop/thing', fingerprint: '00' }
  const hold = await ledger.hold({
    id,
    walletId: caller.walletId,
    budgetId: caller.budgetId,
    amount: cents('3'),
    deadlineMs: clock() + 60_000,
    kind: 'call',
    service: 'shop',
    action: 'thing',
    externalId: null,
    claim: { ...slot, idempotencyKey: id, expiresMs: clock() + ANSWER_STORED_MS },
  })
  assert.ok(hold.opened)
  const bought = await purchase(
    { ...wallet, intents: { ...wallet.intents, ...change } },
    {
      callId: id,
      accountId: caller.accountId,
      service: 'shop',
      action,
      request: wire.request(),
      send: wire.send,
      expected: { cap: cents('3'), realm: merchant.host },
      timeoutMs: 30_000,
    },
  )
  assert.equal(bought.kind, buys)
  clock.advance(120_000)
  await ledger.sweep()
  return replayOf(database, { ...slot, key: id }).then(
    () => 'an answer',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )
}

describe('the Idempotency-Key of a call whose process died', () => {
  it('returns the sent payment, with or without its receipt', async () => {
    merchant.asks({})
    assert.equal(await answerAfterwards(bed.caller, 'paid'), 'payment_unknown')
    merchant.asks({ paid: () => ({ status: 500 }) })
    assert.equal(await answerAfterwards(bed.caller, 'unknown'), 'payment_unknown')
    const neverHeardOf = {
      paid: () => Promise.reject(new AppError('overloaded')),
      unknown: () => Promise.reject(new AppError('overloaded')),
    }
    assert.equal(
      await answerAfterwards(bed.caller, 'unknown', { change: neverHeardOf }),
      'payment_unknown',
    )
  })

  it('is free if nothing was paid, or only a step paid', async () => {
    merchant.asks({ amount: '30001' })
    assert.equal(await answerAfterwards(bed.caller, 'refused'), 'idempotency_in_progress')
    merchant.asks({})
    assert.equal(
      await answerAfterwards(bed.caller, 'paid', { action: 'step' }),
      'idempotency_in_progress',
    )
  })

  it('is free for a buyer without an account, who has paid and may retry', async () => {
    const house = await houseCaller(database, clock())
    await postCredit(database, {
      id: newId(clock()),
      walletId: house.walletId,
      kind: 'topup',
      amount: cents('3'),
      nowMs: clock(),
    })
    merchant.asks({})
    assert.equal(await answerAfterwards(house, 'paid'), 'idempotency_in_progress')
  })

  it('is free only after an unsigned payment can no longer be signed', async () => {
    merchant.asks({})
    const before = (await readOutflow(database, clock())).today
    // The process freezes between the intent and the signature for longer than its lease.
    const released = {
      signed: async (id: string, hash: string) => {
        const { rows } = await database.query<{ call_id: string }>(
          'select call_id from payments where id = $1',
          [id],
        )
        await database.query('update holds set deadline_ms = 0 where id = $1', [
          rows[0]?.call_id ?? '',
        ])
        await ledger.sweep()
        await wallet.intents.signed(id, hash)
      },
    }
    const asked = merchant.requests.length
    await assert.rejects(answerAfterwards(bed.caller, 'paid', { change: released }), {
      code: 'overloaded',
    })
    assert.equal(merchant.requests.length, asked + 1)
    assert.equal((await readOutflow(database, clock())).today, before)
  })

  it('charges no caller', async () => {
    assert.deepEqual(await bed.balance(), { balance: dollars('2'), held: 0n })
    assert.deepEqual((await verifyLedger(database)).findings, [])
  })
})

it('treats a payment of a step as in doubt from its intent until its receipt', async () => {
  const jobId = newId(clock())
  const entry = bed.calls.catalog.findAction('semantic', 'search')
  const buy = (change: Partial<Intents>) =>
    purchase(
      { ...wallet, intents: { ...wallet.intents, ...change } },
      {
        callId: jobId,
        accountId: bed.caller.accountId,
        service: 'semantic',
        action: 'search',
        request: wire.request(),
        send: wire.send,
        expected: { cap: cents('3'), realm: merchant.host },
        timeoutMs: 30_000,
      },
    )
  merchant.asks({})
  assert.equal(await isPaymentInDoubt(database, jobId, entry), false)
  await buy({})
  assert.equal(await isPaymentInDoubt(database, jobId, entry), false)
  await assert.rejects(buy({ signed: () => Promise.reject(new AppError('overloaded')) }))
  assert.equal(await isPaymentInDoubt(database, jobId, entry), true)
  assert.equal(await isPaymentInDoubt(database, newId(clock()), entry), false)
})
