/** Payments to merchants chosen by callers: their credit, races, and dead processes. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { startMerchant } from '../../../test/harness/vendors/merchant.ts'
import { connectDatabase, type Database } from '../../db/database.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { AppError } from '../../errors/app-error.ts'
import { boughtCredit } from '../../ledger/bought-credit.ts'
import { postCredit } from '../../ledger/credit.ts'
import { createLedger } from '../../ledger/ledger.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { leaseOf, newId, type Id } from '../../lib/ids.ts'
import { cents, dollars, type Micros } from '../../lib/money.ts'
import { createGuard } from '../../upstream/guard.ts'
import type { Intents } from '../../upstream/pay/intents.ts'
import { devledger } from '../../upstream/pay/testing/devledger.ts'
import { replayOf } from '../idempotency/answers.ts'
import { paidFetch } from '../fetch/paid-fetch.ts'
import type { CallAnswer, Calls } from '../call.ts'
import { answerInterrupted } from './charge-at-signing.ts'
import { createIntents } from './intents.ts'
import { readOutflow, sweepPayments } from './queue.ts'

const merchant = await startMerchant()
const method = devledger()
const walletOf = (
  database: Database,
  change: Partial<Intents> = {},
  chosenCeiling: Micros = dollars('50'),
) => ({
  methods: [method],
  intents: {
    ...createIntents({
      database,
      now: bed.clock,
      dailyCeiling: dollars('50'),
      chosenCeiling,
      openCeiling: dollars('50'),
    }),
    ...change,
  },
  now: bed.clock,
})
const bed = await openCallBed()
const { clock, caller, database } = bed
const guard = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] })
cleanUp(() => guard.close())

/** Another process, with its own connections and ledger. */
const other = connectDatabase(bed.target)
const otherLedger = createLedger({
  database: other,
  now: clock,
  topupUrl: '',
  pause: () => Promise.resolve(),
})
cleanUp(async () => {
  await otherLedger.close()
  await other.close()
})

const calls = (change: Partial<Calls> = {}): Calls => ({
  ...bed.calls,
  wallet: walletOf(database),
  ...change,
})
const fetchFrom = (from: Calls, key: string | null = null): Promise<CallAnswer> =>
  paidFetch(
    from,
    { guard, userAgent: 'Tollgate-Test/1.0' },
    {
      id: newId(clock()),
      caller,
      idempotency: key === null ? null : { key, fingerprint: '00' },
      input: { url: `${merchant.url}/thing`, method: 'GET', headers: {}, max_cost_cents: 2 },
    },
  )
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'paid',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )
const credit = (kind: 'grant' | 'topup' | 'refund' | 'adjustment', amount: Micros) =>
  postCredit(database, {
    id: newId(clock()),
    walletId: caller.walletId,
    kind,
    amount,
    nowMs: clock(),
  })
async function sound(): Promise<void> {
  assert.deepEqual((await verifyLedger(database)).findings, [])
}

describe('a merchant chosen by the caller', () => {
  it('is not paid from granted credit, and no payment is signed', async () => {
    merchant.asks({})
    const [before, signed] = [await bed.balance(), method.signatures.length]
    const error = await fetchFrom(calls()).catch((refusal: unknown) => refusal as AppError)
    assert.ok(error instanceof AppError && error.code === 'credits_required')
    assert.deepEqual(
      [error.chargedMicros, error.details?.['required_micros'], error.details?.['bought_micros']],
      [0, 20_000, 0],
    )
    assert.deepEqual([await bed.balance(), method.signatures.length], [before, signed])
  })

  it('is paid only from bought credit, and the grant does not change', async () => {
    const granted = (await bed.balance()).balance
    await credit('topup', cents('5'))
    assert.equal(await codeOf(fetchFrom(calls())), 'paid')
    assert.equal(await boughtCredit(database, caller.walletId), cents('3'))
    assert.equal((await bed.balance()).balance, granted + cents('3'))
    await sound()
  })

  it('is paid at most the bought credit by concurrent calls of two processes', async () => {
    const [granted, bought] = [
      (await bed.balance()).balance,
      await boughtCredit(database, caller.walletId),
    ]
    await credit('topup', cents('4'))
    const [taken, signed] = [merchant.taken.length, (await readOutflow(database, clock())).today]
    const second = calls({ database: other, ledger: otherLedger, wallet: walletOf(other) })
    const codes = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        codeOf(fetchFrom(index % 2 === 0 ? calls() : second)),
      ),
    )
    assert.deepEqual(
      [
        codes.filter((code) => code === 'paid').length,
        codes.filter((code) => code === 'credits_required').length,
      ],
      [3, 21],
    )
    assert.equal(merchant.taken.length, taken + 3)
    assert.equal((await readOutflow(database, clock())).today, signed + cents('6'))
    assert.deepEqual(await bed.balance(), { balance: granted + cents('4') - cents('6'), held: 0n })
    assert.equal(await boughtCredit(database, caller.walletId), bought + cents('4') - cents('6'))
    await sound()
  })

  it('is not paid from reversed card credit, which reduces bought credit before grants', async () => {
    await credit('topup', cents('10'))
    const bought = await boughtCredit(database, caller.walletId)
    await credit('adjustment', -bought)
    assert.equal(await boughtCredit(database, caller.walletId), 0n)
    assert.equal(await codeOf(fetchFrom(calls())), 'credits_required')
    await sound()
  })

  it('is not paid if the hold ended before signing', async () => {
    await credit('topup', cents('2'))
    const intents = createIntents({
      database,
      now: clock,
      dailyCeiling: dollars('50'),
      openCeiling: dollars('50'),
    })
    const late = walletOf(database, {
      async signed(id, hash, withSigning) {
        clock.advance(121_000)
        await bed.calls.ledger.sweep()
        await intents.signed(id, hash, withSigning)
      },
    })
    const [before, taken, outflow] = [
      await bed.balance(),
      merchant.taken.length,
      await readOutflow(database, clock()),
    ]
    assert.equal(await codeOf(fetchFrom(calls({ wallet: late }))), 'overloaded')
    assert.deepEqual(
      [await bed.balance(), merchant.taken.length, await readOutflow(database, clock())],
      [before, taken, outflow],
    )
    await sound()
  })

  it('leaves the rest of the daily limit to merchants of the catalog', async () => {
    await credit('topup', cents('20'))
    clock.advance(86_400_000)
    const limited = walletOf(database, {}, cents('3'))
    assert.equal(await codeOf(fetchFrom(calls({ wallet: limited }))), 'paid')
    const error = await fetchFrom(calls({ wallet: limited })).catch(
      (refusal: unknown) => refusal as AppError,
    )
    assert.ok(
      error instanceof AppError &&
        error.code === 'upstream_payment' &&
        /reserved for the catalog/.test(error.message),
    )
    const offer = {
      method: 'devledger.charge',
      challengeId: 'of the catalog',
      realm: 'shop.example',
      amount: cents('5'),
      currency: '0xdev',
      chainId: null,
      recipient: null,
      expiresMs: null,
      sign: () => Promise.resolve({}),
    }
    assert.equal(
      await limited.intents.open({
        id: newId(clock()),
        callId: newId(clock()),
        accountId: caller.accountId,
        service: 'shop',
        action: 'buy',
        offer,
        deadlineMs: clock() + 1,
        chosenByCaller: false,
      }),
      'opened',
    )
    const { today, chosen } = await readOutflow(database, clock())
    assert.deepEqual([today, chosen], [cents('7'), cents('2')])
    await sweepPayments(database, clock() + 10)
  })

  it('gets at most its share of a day from concurrent calls of two processes', async () => {
    clock.advance(86_400_000)
    const limited = (on: Database) => walletOf(on, {}, cents('6'))
    const second = calls({ database: other, ledger: otherLedger, wallet: limited(other) })
    const codes = await Promise.all(
      Array.from({ length: 9 }, (_, index) =>
        codeOf(fetchFrom(index % 2 === 0 ? calls({ wallet: limited(database) }) : second)),
      ),
    )
    assert.equal(codes.filter((code) => code === 'paid').length, 3)
    assert.equal((await readOutflow(database, clock())).chosen, cents('6'))
    await sound()
  })
})

describe('a fetch whose process ends while it pays', () => {
  const gone = () => Promise.reject(new AppError('overloaded'))
  const keyAnswer = (key: string) =>
    codeOf(
      replayOf(database, {
        accountId: caller.accountId,
        route: 'run/web/fetch',
        key,
        fingerprint: '00',
      }),
    )

  it('after the commit of the charge stays charged, and its key returns that', async () => {
    await credit('topup', cents('2'))
    const before = (await bed.balance()).balance
    const inner = createIntents({
      database,
      now: clock,
      dailyCeiling: dollars('50'),
      openCeiling: dollars('50'),
    })
    // The commit succeeded, and the connection broke before its response.
    const broken = walletOf(database, {
      async signed(id, hash, withSigning) {
        await inner.signed(id, hash, withSigning)
        throw new AppError('overloaded')
      },
    })
    const taken = merchant.taken.length
    const error = await fetchFrom(calls({ wallet: broken }), 'cut').catch(
      (refusal: unknown) => refusal as AppError,
    )
    assert.ok(error instanceof AppError && error.code === 'payment_unknown')
    assert.deepEqual(
      [error.chargedMicros, merchant.taken.length, (await bed.balance()).balance],
      [20_000, taken, before - 20_000n],
    )
    assert.equal(await keyAnswer('cut'), 'payment_unknown')
    clock.advance(130_000)
    assert.equal(await sweepPayments(database, clock()), 1)
    await sound()
  })

  it('has an answer as soon as the lease of its process is released', async () => {
    await credit('topup', cents('2'))
    const [reached, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // The process ends after the merchant's receipt and before it stores the response.
    const dying = walletOf(database, {
      async paid() {
        reached.resolve()
        await ended.promise
        throw new AppError('overloaded')
      },
    })
    const fetched = codeOf(fetchFrom(calls({ wallet: dying }), 'dead'))
    await reached.promise
    assert.equal(await keyAnswer('dead'), 'idempotency_in_progress')
    const { rows } = await database.query<{ call_id: Id }>(
      'select call_id from payments where awaits_answer',
    )
    const lease = leaseOf(rows[0]?.call_id ?? assert.fail('its response is awaited'))
    assert.equal(await answerInterrupted(database, lease === 'abcdef' ? 'fedcba' : 'abcdef'), 0)
    assert.equal(await answerInterrupted(database, lease), 1)
    assert.equal(await keyAnswer('dead'), 'payment_unknown')
    ended.resolve()
    await fetched
    await sound()
  })

  it('before the commit of the charge is not charged, and its key is free', async () => {
    await credit('topup', cents('2'))
    const before = await bed.balance()
    assert.equal(
      await codeOf(fetchFrom(calls({ wallet: walletOf(database, { signed: gone }) }), 'early')),
      'overloaded',
    )
    assert.deepEqual(await bed.balance(), before)
    assert.equal(await codeOf(fetchFrom(calls(), 'early')), 'paid')
    await sound()
  })
})
