import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { before, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { openAppBed, type AppBed } from '../../../../../test/harness/beds/app.ts'
import { cookieOf, sendForm } from '../../../../../test/harness/clients/forms.ts'
import { startStripe, type StripeStandIn } from '../../../../../test/harness/vendors/stripe.ts'
import type { TestVendor } from '../../../../../test/harness/vendors/vendor.ts'
import { collectReversals, owedReversals } from '../../../../accounts/card-reversals.ts'
import { pauseAccount, resumeAccount } from '../../../../accounts/pause-account.ts'
import { closeAccount } from '../../../../accounts/close-account.ts'
import { postCredit } from '../../../../ledger/credit.ts'
import { createLedger } from '../../../../ledger/ledger.ts'
import { verifyLedger } from '../../../../ledger/verify.ts'
import { newId, parsePublicId } from '../../../../lib/ids.ts'
import { wholeCents } from '../../../../lib/money.ts'

const CHECKOUT = 'https://checkout.stripe.com/c/pay/cs_1'

let bed: AppBed
let stripe: TestVendor
let account: string
let closed: StripeStandIn['closed']

before(async () => {
  const standIn = await startStripe()
  stripe = standIn.vendor
  closed = standIn.closed
  stripe.answerWith(() => ({ body: { id: 'cs_1', url: CHECKOUT } }))
  bed = await openAppBed({ cards: standIn.desk })
  await buy(await signIn(bed.liveKey), '500')
  account =
    new URLSearchParams(stripe.requests.at(-1)?.body as string).get('client_reference_id') ?? ''
})

const form = (
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> => sendForm(bed.app, { url, fields, headers })

async function signIn(key: string): Promise<string> {
  return cookieOf(await form('/balance/sign-in', { key }))
}

const buy = (
  cookie: string,
  cents: string,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> => form('/credit/buy', { pack: cents }, { cookie, ...headers })
const page = async (cookie: string): Promise<LightMyRequestResponse> =>
  bed.app.inject({ url: '/credit', headers: { cookie } })
const balance = async (key = bed.liveKey): Promise<number> =>
  (await bed.get('/api/v1/balance', { authorization: `Bearer ${key}` })).json<{
    data: { balance_cents: number }
  }>().data.balance_cents

function notify(
  object: object,
  secret = 'whsec_1',
  type = 'checkout.session.completed',
): Promise<LightMyRequestResponse> {
  const payload = JSON.stringify(
    { type, data: { object: { payment_status: 'paid', currency: 'usd', ...object } } },
    null,
    2,
  )
  const time = Math.trunc(bed.clock() / 1000)
  const signature = `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')}`
  return bed.app.inject({
    method: 'POST',
    url: '/balance/card-events',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    payload,
  })
}

test('redirects a visitor who chooses an amount to the checkout at any address', async () => {
  const cookie = await signIn(bed.liveKey)
  const { body, headers } = await page(cookie)
  for (const text of ['value="500"', '>$20</span>', '<span class="sum">$20.00</span>'])
    assert.ok(body.includes(text), text)
  assert.match(String(headers['content-security-policy']), /form-action 'self';/)
  for (const checkout of [
    'https://pay.shop.example/c/pay/cs_1?a=1&b=2',
    'http://127.0.0.1:9/"><script>',
    CHECKOUT,
  ]) {
    stripe.answerWith(() => ({ body: { id: 'cs_1', url: checkout } }))
    const bought = await buy(cookie, '2000')
    const escaped = checkout
      .replaceAll('&', '&amp;')
      .replaceAll('"', '&quot;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
    assert.deepEqual(
      [
        bought.statusCode,
        bought.body.includes(`<meta http-equiv="refresh" content="0;url=${escaped}">`),
        bought.body.includes(`href="${escaped}"`),
        bought.body.includes('to pay $20.00'),
      ],
      [200, true, true, true],
      bought.body,
    )
    assert.equal(bought.headers['cache-control'], 'no-store')
  }
  const asked = new URLSearchParams(stripe.requests.at(-1)?.body as string)
  assert.deepEqual(
    [asked.get('line_items[0][price_data][unit_amount]'), asked.get('success_url')],
    ['2000', 'https://gate.example/credit/return?session_id={CHECKOUT_SESSION_ID}'],
  )
})

test('rejects other amounts, test credit, other sites and visitors who are not signed in', async () => {
  const cookie = await signIn(bed.liveKey)
  const before = stripe.requests.length
  for (const cents of ['', '1', '499', 'NaN', '-500', '500.5', '50001'])
    assert.equal((await buy(cookie, cents)).statusCode, 400, cents)
  const noText = await bed.app.inject({
    method: 'POST',
    url: '/credit/buy',
    headers: { cookie },
    payload: { pack: { toString: 1, valueOf: 1 } },
  })
  assert.equal(noText.statusCode, 400)
  assert.equal((await buy(cookie, '500', { 'sec-fetch-site': 'cross-site' })).statusCode, 400)
  const testCookie = await signIn(bed.testKey)
  assert.equal((await buy(testCookie, '500')).statusCode, 400)
  assert.ok(!(await page(testCookie)).body.includes('/credit/buy'))
  assert.equal((await buy('', '500')).headers.location, '/credit')
  assert.equal(stripe.requests.length, before)
})

test('adds credit without expiry once, for any number of concurrent notifications', async () => {
  const before = await balance()
  const strangers = await balance(bed.strangerKey)
  const replies = await Promise.all(
    Array.from({ length: 8 }, () =>
      notify({ id: 'cs_once', amount_total: 500, metadata: { tollgate_account: account } }),
    ),
  )
  assert.ok(replies.every(({ statusCode }) => statusCode === 200))
  assert.equal(
    replies.filter((response) => response.json<{ credited: boolean }>().credited).length,
    1,
  )
  assert.deepEqual([await balance(), await balance(bed.strangerKey)], [before + 500, strangers])
  const { data } = (await bed.get('/api/v1/transactions?kind=topup')).json<{
    data: { amount_micros: number; external_id: string }[]
  }>()
  assert.deepEqual(
    data.map(({ amount_micros: amount, external_id: reference }) => [amount, reference]),
    [[5_000_000, 'cs_once']],
  )
  const { lots } = (await bed.get('/api/v1/balance')).json<{
    data: { lots: { source: string; expires_at: string | null }[] }
  }>().data
  assert.deepEqual(lots.at(-1)?.source, 'topup')
  assert.equal(lots.at(-1)?.expires_at, null)
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})

test('adds no credit for unsigned, unknown or unrelated events', async () => {
  const before = await balance()
  assert.equal(
    (
      await notify(
        { id: 'cs_forged', amount_total: 500, metadata: { tollgate_account: account } },
        'guessed',
      )
    ).statusCode,
    400,
  )
  assert.equal(
    (
      await bed.app.inject({
        method: 'POST',
        url: '/balance/card-events',
        headers: { 'content-type': 'application/json' },
        payload: '{}',
      })
    ).statusCode,
    400,
  )
  assert.equal(
    (
      await bed.app.inject({
        method: 'POST',
        url: '/balance/card-events',
        headers: { 'content-type': 'text/plain' },
        payload: 'x',
      })
    ).statusCode,
    415,
  )
  for (const name of ['acc_1', `acc_${'0'.repeat(32)}`, ''])
    assert.equal(
      (await notify({ id: 'cs_lost', amount_total: 500, metadata: { tollgate_account: name } }))
        .statusCode,
      404,
      name,
    )
  const other = await notify({
    id: 'cs_unpaid',
    payment_status: 'unpaid',
    amount_total: 500,
    metadata: { tollgate_account: account },
  })
  assert.deepEqual([other.statusCode, other.json<{ credited: boolean }>().credited], [200, false])
  assert.equal(await balance(), before)
})

test('books a payment for a paused account, which can be resumed, without a report', async () => {
  const { account } = await pauseAccount(
    { database: bed.database, now: bed.clock },
    'stranger@gate.example.com',
  )
  const paid = await notify({
    id: 'cs_paused',
    amount_total: 500,
    metadata: { tollgate_account: account.id },
  })
  await resumeAccount(bed.database, account.id)
  assert.deepEqual([paid.json<{ credited: boolean }>().credited, closed], [true, []])
})

test('books a payment for a closed account and reports it once', async () => {
  const {
    account: { id: strangers },
  } = await closeAccount(bed.database, 'stranger@gate.example.com')
  const replies = [
    await notify({ id: 'cs_late', amount_total: 500, metadata: { tollgate_account: strangers } }),
    await notify({ id: 'cs_late', amount_total: 500, metadata: { tollgate_account: strangers } }),
  ]
  assert.deepEqual(
    replies.map((response) => response.json<{ credited: boolean }>().credited),
    [true, false],
  )
  assert.deepEqual(closed, [{ account: strangers, reference: 'cs_late' }])
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})

/** Buys 500 cents of credit. Refunds and disputes name `pi_${name}`. */
async function bought(name: string): Promise<void> {
  const { statusCode, body } = await notify({
    id: `cs_${name}`,
    amount_total: 500,
    payment_intent: `pi_${name}`,
    metadata: { tollgate_account: account },
  })
  assert.equal(statusCode, 200, body)
}
const refund = (name: string, cents: number): Promise<LightMyRequestResponse> =>
  notify(
    {
      id: `ch_${name}`,
      amount: 500,
      amount_refunded: cents,
      payment_intent: `pi_${name}`,
      metadata: { tollgate_account: account },
    },
    'whsec_1',
    'charge.refunded',
  )
const dispute = (
  name: string,
  happened: 'withdrawn' | 'reinstated',
  cents = 500,
): Promise<LightMyRequestResponse> =>
  notify(
    { id: `dp_${name}`, amount: cents, payment_intent: `pi_${name}` },
    'whsec_1',
    `charge.dispute.funds_${happened}`,
  )
const taken = (response: LightMyRequestResponse): number =>
  response.json<{ taken_back_micros: number }>().taken_back_micros

async function spendAllBut(cents: number): Promise<void> {
  const { rows } = await bed.database.query<{ id: bigint; balance: bigint }>(
    "select wallets.id, balance_micros as balance from wallets where account_id = $1 and mode = 'live'",
    [parsePublicId('account', account)],
  )
  const [wallet] = rows
  assert.ok(wallet !== undefined)
  await postCredit(bed.database, {
    id: newId(bed.clock()),
    walletId: Number(wallet.id),
    kind: 'adjustment',
    amount: wholeCents(cents) - wallet.balance,
    nowMs: bed.clock(),
  })
}

test('a refund removes credit once, for late and concurrent notifications', async () => {
  await bought('refund')
  const before = await balance()
  const replies = await Promise.all(
    [200, 200, 300, 200, 300].map((cents) => refund('refund', cents)),
  )
  assert.equal(
    replies.reduce((sum, response) => sum + taken(response), 0),
    3_000_000,
  )
  assert.equal(await balance(), before - 300)
  assert.equal(taken(await refund('refund', 200)), 0)
  assert.equal(taken(await refund('refund', 500)), 2_000_000)
  assert.equal(await balance(), before - 500)
  const { data } = (await bed.get('/api/v1/transactions?kind=refund&limit=1')).json<{
    data: { amount_micros: number; external_id: string }[]
  }>()
  assert.deepEqual(
    data.map(({ amount_micros: amount, external_id: reference }) => [amount, reference]),
    [[-2_000_000, 'cs_refund']],
  )
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})

test('a dispute removes credit until it is won, never more than the payment', async () => {
  await bought('dispute')
  const before = await balance()
  await refund('dispute', 200)
  assert.equal(taken(await dispute('dispute', 'withdrawn')), 3_000_000)
  assert.equal(await balance(), before - 500)
  assert.equal(taken(await dispute('dispute', 'reinstated')), -3_000_000)
  // An earlier notification arrives again.
  assert.equal(taken(await dispute('dispute', 'withdrawn')), 0)
  assert.equal(await balance(), before - 200)
  // The dispute is won before its first notification.
  await bought('early')
  for (const happened of ['reinstated', 'withdrawn'] as const)
    assert.equal(taken(await dispute('early', happened)), 0)
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})

test('two concurrent disputes of one payment both remove credit', async () => {
  await bought('twice')
  const before = await balance()
  const concurrent = await bed.database.transaction(async (tx) => {
    await tx.query("select from card_payments where intent = 'pi_twice' for update")
    const replies = [
      notify(
        { id: 'dp_one', amount: 200, payment_intent: 'pi_twice' },
        'whsec_1',
        'charge.dispute.funds_withdrawn',
      ),
      notify(
        { id: 'dp_two', amount: 100, payment_intent: 'pi_twice' },
        'whsec_1',
        'charge.dispute.funds_withdrawn',
      ),
    ]
    const waiting = async (): Promise<number> =>
      (
        await bed.database.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).count
    while ((await waiting()) < replies.length) await new Promise((turn) => setImmediate(turn))
    return { replies }
  })
  const responses = await Promise.all(concurrent.replies)
  assert.equal(
    responses.reduce((sum, response) => sum + taken(response), 0),
    3_000_000,
  )
  assert.equal(await balance(), before - 300)
})

test('removes spent or held credit later, as soon as credit becomes available', async () => {
  await bought('spent')
  await spendAllBut(150)
  assert.equal(taken(await refund('spent', 500)), 1_500_000)
  assert.equal(await balance(), 0)
  const collect = () => collectReversals({ database: bed.database, now: bed.clock })
  assert.deepEqual(
    [await collect(), await owedReversals(bed.database)],
    [0, { payments: 1, owed: 3_500_000n }],
  )
  await bought('next')
  await Promise.all([collect(), collect(), collect()])
  assert.deepEqual(
    [await balance(), await owedReversals(bed.database)],
    [150, { payments: 0, owed: 0n }],
  )
  // Held credit stays with its call until the call ends.
  const { rows } = await bed.database.query<{ wallet: bigint }>(
    "select id as wallet from wallets where account_id = $1 and mode = 'live'",
    [parsePublicId('account', account)],
  )
  const ledger = createLedger({
    database: bed.database,
    now: bed.clock,
    topupUrl: '',
    pause: async () => {},
  })
  const hold = await ledger.hold({
    id: newId(bed.clock()),
    walletId: Number(rows[0]?.wallet),
    budgetId: null,
    amount: 1_000_000n,
    deadlineMs: bed.clock() + 60_000,
    kind: 'call',
    service: 'x',
    action: 'x',
    externalId: null,
    claim: null,
  })
  assert.ok(hold.opened)
  assert.equal(taken(await dispute('next', 'withdrawn')), 500_000)
  await ledger.resolve({ hold, charge: 0n, latencyMs: 0, errorCode: 'internal', hops: null })
  await ledger.close()
  assert.deepEqual(
    [await collect(), await balance(), (await owedReversals(bed.database)).owed],
    [1, 0, 3_500_000n],
  )
  // The dispute is won before all credit was removed: only the removed part returns.
  assert.equal(taken(await dispute('next', 'reinstated')), -1_500_000)
  assert.deepEqual([await balance(), (await owedReversals(bed.database)).owed], [150, 0n])
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})

test('applies a refund that precedes its payment and ignores refunds of other shops', async () => {
  const before = await balance()
  assert.equal((await refund('early-refund', 500)).statusCode, 404)
  await bought('early-refund')
  assert.deepEqual([await balance(), taken(await refund('early-refund', 500))], [before, 0])
  const other = await notify(
    { id: 'ch_other', amount: 500, amount_refunded: 500, payment_intent: 'pi_other', metadata: {} },
    'whsec_1',
    'charge.refunded',
  )
  assert.deepEqual(
    [other.statusCode, taken(other), (await dispute('unknown', 'withdrawn')).statusCode],
    [200, 0, 200],
  )
  assert.equal(
    (
      await notify(
        { id: 'ch_x', amount_refunded: 500, payment_intent: 'pi_early-refund' },
        'guessed',
        'charge.refunded',
      )
    ).statusCode,
    400,
  )
  assert.equal(await balance(), before)
})

test('shows on the page that the payment provider is unreachable, and adds no credit', async () => {
  const cookie = await signIn(bed.liveKey)
  stripe.answerWith(() => 'reset')
  const { statusCode, body } = await buy(cookie, '500')
  assert.deepEqual(
    [statusCode, /role="alert">The card processor did not respond/.test(body)],
    [502, true],
  )
  assert.ok(!body.includes('sk_1'))
})
