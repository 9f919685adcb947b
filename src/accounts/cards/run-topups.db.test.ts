import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { createWorld } from '../../../test/harness/beds/world.ts'
import { startStripe, type StripeStandIn } from '../../../test/harness/vendors/stripe.ts'
import { postCredit } from '../../ledger/credit.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import type { Caller } from '../../keys/caller.ts'
import { DAY_MS, HOUR_MS } from '../../lib/clock.ts'
import { newId, publicId } from '../../lib/ids.ts'
import { dollars } from '../../lib/money.ts'
import { closeAccount } from '../close-account.ts'
import { creditCardPayment } from '../card-desk.ts'
import { forgetAccount } from '../forget-account.ts'
import { pauseAccount } from '../pause-account.ts'
import { reverseCardPayment } from '../card-reversals.ts'
import type { CardReversal } from './card-notices.ts'
import { runTopups, type TopupDeps } from './run-topups.ts'
import { saveCard } from './saved-card.ts'
import { readTopupSettings, removeCard, setTopupSettings } from './topup-settings.ts'

const world = await createWorld()
const { database, now } = world
const CARD = { customer: 'cus_1', method: 'pm_1', brand: 'visa', last4: '4242' }
const RANGE = [500, 50_000] as const
const CHARGED_EVERY_MS = 600_000

let stripe: StripeStandIn
let errors: string[]
let deps: TopupDeps

beforeEach(async () => {
  // Accounts of earlier tests.
  await database.query('update auto_topups set is_on = false')
  await database.query("update topups set status = 'failed' where status = 'open'")
  stripe = await startStripe()
  errors = []
  deps = { database, now, cards: stripe.desk, onError: (_error, what) => void errors.push(what) }
})

/** An account with $2.00 of credit, below its threshold of $5.00. It adds $20.00, at most $50.00 a month. */
async function lowAccount(settings: Partial<Parameters<typeof setTopupSettings>[2]> = {}) {
  const { caller, account } = await world.account()
  await database.transaction((tx) => saveCard(tx, caller.accountId, CARD))
  await setTopupSettings(
    database,
    caller,
    { isOn: true, threshold: 500, amount: 2_000, monthly: 5_000, ...settings },
    RANGE,
  )
  return { caller, account }
}

const balanceOf = async ({ walletId }: Caller): Promise<bigint> =>
  (
    await database.query<{ balance: bigint }>(
      'select balance_micros as balance from wallets where id = $1',
      [walletId],
    )
  ).rows[0]?.balance ?? 0n

async function spendAllBut(caller: Caller, left: bigint): Promise<void> {
  const amount = left - (await balanceOf(caller))
  if (amount === 0n) return
  await postCredit(database, {
    id: newId(now()),
    walletId: caller.walletId,
    kind: 'adjustment',
    amount,
    nowMs: now(),
  })
}

const failuresOf = async ({ accountId }: Caller) =>
  (
    await database.query<{ reason: string; state: string }>(
      "select data->>'reason' as reason, data->>'automatic_topup' as state from events where account_id = $1 and type = 'topup.failed' order by sequence",
      [accountId],
    )
  ).rows.map(({ reason, state }) => `${reason} ${state}`)

const topupsOf = async ({ accountId }: Caller) =>
  (
    await database.query<{ status: string; customer: string | null }>(
      'select status, customer from topups where account_id = $1 order by id',
      [accountId],
    )
  ).rows

const turnOff = (caller: Caller): Promise<void> =>
  setTopupSettings(
    database,
    caller,
    { isOn: false, threshold: 500, amount: 2_000, monthly: 5_000 },
    RANGE,
  )

/** Twenty sweeps of different processes at the same time. */
const sweepTogether = () => Promise.all(Array.from({ length: 20 }, () => runTopups(deps)))

describe('an automatic top-up', () => {
  it('charges the card once when many processes see a low balance', async () => {
    const { caller } = await lowAccount()
    await sweepTogether()
    assert.deepEqual(
      [stripe.intents.map(({ amount }) => amount), await balanceOf(caller)],
      [[2_000], dollars('22')],
    )
    const settings = await readTopupSettings(database, caller.accountId, now())
    assert.deepEqual([settings.usedThisMonth, settings.isPaying], [2_000, false])
    await sweepTogether()
    assert.equal(stripe.intents.length, 1)
    assert.deepEqual((await verifyLedger(database)).findings, [])
  })

  it('charges no account at its threshold, without a card, turned off or closed', async () => {
    const { caller } = await lowAccount({ threshold: 200 })
    const off = await lowAccount({ isOn: false })
    const without = await lowAccount()
    await removeCard(database, without.caller)
    const closed = await lowAccount()
    await closeAccount(database, closed.account.email)
    await sweepTogether()
    assert.equal(stripe.intents.length, 0)
    await spendAllBut(caller, dollars('1.999999'))
    await runTopups(deps)
    assert.equal(stripe.intents.length, 1)
    assert.equal(await balanceOf(off.caller), dollars('2'))
  })

  it('never pays more than the monthly maximum, also when a clock is set back', async () => {
    const { caller } = await lowAccount()
    for (let round = 0; round < 5; round += 1) {
      await sweepTogether()
      await spendAllBut(caller, dollars('1'))
      now.set(now() + CHARGED_EVERY_MS)
    }
    assert.deepEqual([stripe.intents.length, await failuresOf(caller)], [2, ['monthly_maximum on']])
    const start = now()
    now.set(start - 40 * DAY_MS)
    await setTopupSettings(
      database,
      caller,
      { isOn: true, threshold: 500, amount: 2_000, monthly: 5_000 },
      RANGE,
    )
    await sweepTogether()
    assert.equal(stripe.intents.length, 2, 'the month does not go back')
    now.set(start + 40 * DAY_MS)
    await sweepTogether()
    assert.equal(stripe.intents.length, 3)
  })

  it('charges a card once in ten minutes, however fast the credit is spent', async () => {
    const { caller } = await lowAccount({ monthly: 100_000 })
    const start = now()
    for (const [passedMs, charges] of [
      [0, 1],
      [5_000, 1],
      [CHARGED_EVERY_MS - 1, 1],
      [CHARGED_EVERY_MS, 2],
      [CHARGED_EVERY_MS + 5_000, 2],
    ] as const) {
      now.set(start + passedMs)
      await spendAllBut(caller, dollars('1'))
      await setTopupSettings(
        database,
        caller,
        { isOn: true, threshold: 500, amount: 2_000, monthly: 100_000 },
        RANGE,
      )
      await sweepTogether()
      assert.equal(stripe.intents.length, charges, `after ${passedMs} ms`)
    }
  })

  it('charges once in ten minutes after a charge that was left in progress', async () => {
    const { caller } = await lowAccount()
    stripe.charges = 'away'
    await runTopups(deps)
    stripe.charges = 'paid'
    now.set(now() + HOUR_MS)
    await sweepTogether()
    await spendAllBut(caller, dollars('1'))
    await sweepTogether()
    assert.equal(stripe.intents.length, 1)
  })

  it('has an amount that reaches the threshold with one charge', async () => {
    const { caller } = await lowAccount()
    const set = (threshold: number): Promise<void> =>
      setTopupSettings(
        database,
        caller,
        { isOn: true, threshold, amount: 2_000, monthly: 5_000 },
        RANGE,
      )
    await assert.rejects(set(2_001), { code: 'invalid_params', param: 'topup_amount' })
    await set(2_000)
    await spendAllBut(caller, 1n)
    await sweepTogether()
    assert.deepEqual([stripe.intents.length, await balanceOf(caller)], [1, dollars('20') + 1n])
  })

  it('is credited once when the response, the webhook and a sweep report it together', async () => {
    const { caller } = await lowAccount()
    stripe.charges = 'processing'
    await runTopups(deps)
    assert.equal((await readTopupSettings(database, caller.accountId, now())).isPaying, true)
    const [intent] = stripe.intents
    assert.ok(intent !== undefined)
    intent.status = 'succeeded'
    const { payload, headers } = stripe.signed(stripe.chargeEvent(intent), now())
    const event = stripe.desk.read(Buffer.from(payload), headers['stripe-signature'], now())
    assert.ok(event?.kind === 'paid')
    now.set(now() + HOUR_MS)
    await Promise.all([
      ...Array.from({ length: 8 }, () => creditCardPayment(deps, event)),
      sweepTogether(),
    ])
    assert.deepEqual([stripe.intents.length, await balanceOf(caller)], [1, dollars('22')])
    assert.deepEqual((await verifyLedger(database)).findings, [])
  })

  it('finds the charge of a process that died before it recorded the payment', async () => {
    const { caller } = await lowAccount()
    stripe.charges = 'lost'
    await runTopups(deps)
    assert.deepEqual([stripe.intents.length, await balanceOf(caller)], [1, dollars('2')])
    assert.equal(errors.length, 1)
    await sweepTogether()
    assert.equal(stripe.intents.length, 1, 'another process waits for the end of the lease')
    now.set(now() + HOUR_MS)
    stripe.charges = 'paid'
    await sweepTogether()
    assert.deepEqual([stripe.intents.length, await balanceOf(caller)], [1, dollars('22')])
  })

  it('repeats a charge that never reached the processor, under the same key', async () => {
    const { caller } = await lowAccount()
    stripe.charges = 'away'
    await runTopups(deps)
    for (let round = 0; round < 3; round += 1) {
      now.set(now() + HOUR_MS)
      await sweepTogether()
    }
    assert.equal(stripe.intents.length, 0)
    const keys = stripe.vendor.requests.flatMap(({ headers }) => headers['idempotency-key'] ?? [])
    assert.deepEqual([keys.length, new Set(keys).size], [4, 1])
    stripe.charges = 'paid'
    now.set(now() + HOUR_MS)
    await sweepTogether()
    assert.deepEqual([stripe.intents.length, await balanceOf(caller)], [1, dollars('22')])
  })

  it('waits longer after each decline, and is turned off by the third with an event each', async () => {
    const { caller } = await lowAccount()
    stripe.charges = 'declined'
    const charges = (): number =>
      stripe.vendor.requests.filter(({ method }) => method === 'POST').length
    await sweepTogether()
    now.set(now() + HOUR_MS - 1)
    await sweepTogether()
    assert.equal(charges(), 1)
    now.set(now() + 1)
    await sweepTogether()
    now.set(now() + 6 * HOUR_MS)
    await sweepTogether()
    now.set(now() + 30 * DAY_MS)
    await sweepTogether()
    assert.deepEqual(
      [charges(), await failuresOf(caller)],
      [3, ['declined on', 'declined on', 'declined off']],
    )
    const { isOn, offBecause } = await readTopupSettings(database, caller.accountId, now())
    assert.deepEqual([isOn, offBecause], [false, 'declined'])
  })

  it('is turned off immediately when the bank requires the holder', async () => {
    const { caller } = await lowAccount()
    stripe.charges = 'authentication_required'
    await sweepTogether()
    assert.deepEqual(await failuresOf(caller), ['authentication_required off'])
    // A later confirmation of the same payment still adds its credit.
    await database.transaction((tx) => saveCard(tx, caller.accountId, CARD))
    const settings = await readTopupSettings(database, caller.accountId, now())
    assert.deepEqual([settings.isOn, settings.offBecause], [false, null])
  })

  it('is turned off by a refund or a dispute, which never charges the card again', async () => {
    for (const reason of ['refund', 'dispute'] as const) {
      const { caller } = await lowAccount()
      await runTopups(deps)
      const charged = stripe.intents.length
      const reversal: CardReversal = {
        kind: 'reversed',
        reference: newId(now()),
        intent: stripe.intents.at(-1)?.id ?? '',
        cents: 2_000,
        isFinal: false,
        isOurs: true,
        reason,
        atSeconds: 0,
      }
      await reverseCardPayment({ database, now }, reversal)
      await sweepTogether()
      assert.deepEqual([stripe.intents.length, await balanceOf(caller)], [charged, dollars('2')])
      const { isOn, offBecause } = await readTopupSettings(database, caller.accountId, now())
      assert.deepEqual([isOn, offBecause], [false, reason])
      await setTopupSettings(
        database,
        caller,
        { isOn: true, threshold: 100, amount: 2_000, monthly: 5_000 },
        RANGE,
      )
      await reverseCardPayment({ database, now }, reversal)
      assert.equal((await readTopupSettings(database, caller.accountId, now())).isOn, true)
    }
  })

  it('ends without a charge if it never reached the processor and is no longer wanted', async () => {
    const ways: Record<string, (low: Awaited<ReturnType<typeof lowAccount>>) => Promise<unknown>> =
      {
        closed: ({ account }) => closeAccount(database, account.email),
        paused: ({ account }) => pauseAccount({ database, now }, account.email),
        'turned off': ({ caller }) => turnOff(caller),
        'without its card': ({ caller }) => removeCard(database, caller),
      }
    for (const [way, change] of Object.entries(ways)) {
      const low = await lowAccount()
      stripe.charges = 'away'
      await runTopups(deps)
      assert.deepEqual(await topupsOf(low.caller), [{ status: 'open', customer: 'cus_1' }])
      await change(low)
      stripe.charges = 'paid'
      now.set(now() + HOUR_MS)
      await sweepTogether()
      assert.deepEqual(
        [stripe.intents.length, await topupsOf(low.caller), await failuresOf(low.caller)],
        [0, [{ status: 'abandoned', customer: 'cus_1' }], []],
        way,
      )
      assert.equal(
        (await readTopupSettings(database, low.caller.accountId, now())).usedThisMonth,
        0,
      )
    }
  })

  it('is credited after the account turned it off if the card was charged', async () => {
    const { caller } = await lowAccount()
    stripe.charges = 'lost'
    await runTopups(deps)
    await turnOff(caller)
    now.set(now() + HOUR_MS)
    await sweepTogether()
    assert.deepEqual([stripe.intents.length, await balanceOf(caller)], [1, dollars('22')])
  })

  it('prevents erasing the account until its outcome is known, and then loses its card', async () => {
    const { caller, account } = await lowAccount()
    stripe.charges = 'lost'
    await runTopups(deps)
    await closeAccount(database, account.email)
    await assert.rejects(forgetAccount(database, caller.accountId), { code: 'bad_request' })
    now.set(now() + HOUR_MS)
    await sweepTogether()
    await forgetAccount(database, caller.accountId)
    assert.deepEqual(await topupsOf(caller), [{ status: 'paid', customer: null }])
    assert.deepEqual(
      stripe.closed.map((payment) => payment.account),
      [publicId('account', caller.accountId)],
    )
  })

  it('does not wait for accounts that are paused or have no primary key', async () => {
    for (let count = 0; count < 8; count += 1) {
      const paused = await lowAccount()
      await pauseAccount({ database, now }, paused.account.email)
      const { caller } = await lowAccount()
      await database.query("update budgets set state = 'closed' where id = $1", [caller.keyId])
    }
    const { caller } = await lowAccount()
    await database.query('update auto_topups set next_ms = 1 where account_id = $1', [
      caller.accountId,
    ])
    await runTopups(deps)
    await runTopups(deps)
    assert.equal(await balanceOf(caller), dollars('22'))
  })

  it('counts the late failure of a card against this card only', async () => {
    const { caller } = await lowAccount()
    stripe.charges = 'processing'
    await runTopups(deps)
    const [intent] = stripe.intents
    assert.ok(intent !== undefined)
    await database.transaction((tx) =>
      saveCard(tx, caller.accountId, { ...CARD, method: 'pm_2', last4: '4444' }),
    )
    intent.status = 'requires_action'
    now.set(now() + HOUR_MS)
    stripe.charges = 'paid'
    await runTopups(deps)
    const { isOn } = await readTopupSettings(database, caller.accountId, now())
    assert.deepEqual([isOn, await failuresOf(caller)], [true, []])
    await runTopups(deps)
    assert.equal(await balanceOf(caller), dollars('22'))
  })

  it('counts failed payments in no month', async () => {
    const { caller } = await lowAccount({ monthly: 2_000 })
    stripe.charges = 'declined'
    await sweepTogether()
    stripe.charges = 'paid'
    now.set(now() + HOUR_MS)
    await sweepTogether()
    assert.equal(await balanceOf(caller), dollars('22'))
  })
})
