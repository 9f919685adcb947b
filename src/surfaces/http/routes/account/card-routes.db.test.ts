import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { before, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { openAppBed, type AppBed } from '../../../../../test/harness/app.ts'
import { startVendor, type TestVendor } from '../../../../../test/harness/vendor.ts'
import { verifyLedger } from '../../../../ledger/verify.ts'
import { openCheckout, readStripeEvent } from '../../../../upstream/cards/stripe.ts'

const CHECKOUT = 'https://checkout.stripe.com/c/pay/cs_1'

let bed: AppBed
let stripe: TestVendor
let account: string

before(async () => {
  stripe = await startVendor()
  stripe.answerWith(() => ({ body: { id: 'cs_1', url: CHECKOUT } }))
  const settings = { key: 'sk_1', webhookSecret: 'whsec_1', url: stripe.url }
  bed = await openAppBed({
    cards: { packs: [500, 2_000], checkoutOrigin: 'https://checkout.stripe.com', open: (wish) => openCheckout(settings, wish), read: (payload, signature, nowMs) => readStripeEvent(settings, payload, signature, nowMs) },
  })
  await buy(await signIn(bed.liveKey), '500')
  account = new URLSearchParams(stripe.requests.at(-1)?.body as string).get('client_reference_id') ?? ''
})

const form = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
  bed.app.inject({ method: 'POST', url, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }, payload: new URLSearchParams(fields).toString() })

async function signIn(key: string): Promise<string> {
  return String((await form('/balance/sign-in', { key })).headers['set-cookie']).split(';', 1)[0] ?? ''
}

const buy = (cookie: string, cents: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> => form('/balance/buy', { cents }, { cookie, ...headers })
const page = async (cookie: string): Promise<LightMyRequestResponse> => bed.app.inject({ url: '/balance', headers: { cookie } })
const balance = async (key = bed.liveKey): Promise<number> => (await bed.get('/api/v1/balance', { authorization: `Bearer ${key}` })).json<{ data: { balance_cents: number } }>().data.balance_cents

function tell(object: object, secret = 'whsec_1'): Promise<LightMyRequestResponse> {
  const payload = JSON.stringify({ type: 'checkout.session.completed', data: { object: { payment_status: 'paid', currency: 'usd', ...object } } }, null, 2)
  const time = Math.trunc(bed.clock() / 1000)
  const signature = `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')}`
  return bed.app.inject({ method: 'POST', url: '/balance/card-events', headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }, payload })
}

test('a signed-in visitor chooses a pack and is sent to the card company, which the policy of the page allows', async () => {
  const cookie = await signIn(bed.liveKey)
  const { body, headers } = await page(cookie)
  assert.ok(body.includes('value="500">Add $5.00<') && body.includes('value="2000">Add $20.00<'))
  assert.match(String(headers['content-security-policy']), /form-action 'self' https:\/\/checkout\.stripe\.com;/)
  const bought = await buy(cookie, '2000')
  assert.deepEqual([bought.statusCode, bought.headers.location], [303, CHECKOUT])
  const asked = new URLSearchParams(stripe.requests.at(-1)?.body as string)
  assert.deepEqual([asked.get('line_items[0][price_data][unit_amount]'), asked.get('success_url')], ['2000', 'https://gate.example/balance'])
})

test('nobody buys what is no pack, for test credit, from another site or without being signed in', async () => {
  const cookie = await signIn(bed.liveKey)
  const before = stripe.requests.length
  for (const cents of ['', '1', '501', 'NaN', '-500', '500.5']) assert.equal((await buy(cookie, cents)).statusCode, 400, cents)
  assert.equal((await buy(cookie, '500', { 'sec-fetch-site': 'cross-site' })).statusCode, 400)
  const testCookie = await signIn(bed.testKey)
  assert.equal((await buy(testCookie, '500')).statusCode, 400)
  assert.ok(!(await page(testCookie)).body.includes('/balance/buy'))
  assert.equal((await buy('', '500')).headers.location, '/balance')
  assert.equal(stripe.requests.length, before)
})

test('a payment becomes credit that does not expire, once however often and however concurrently it is told', async () => {
  const before = await balance()
  const strangers = await balance(bed.strangerKey)
  const told = await Promise.all(Array.from({ length: 8 }, () => tell({ id: 'cs_once', amount_total: 500, metadata: { tollgate_account: account } })))
  assert.ok(told.every(({ statusCode }) => statusCode === 200))
  assert.equal(told.filter((response) => response.json<{ credited: boolean }>().credited).length, 1)
  assert.deepEqual([await balance(), await balance(bed.strangerKey)], [before + 500, strangers])
  const { data } = (await bed.get('/api/v1/transactions?kind=topup')).json<{ data: { amount_micros: number; external_id: string }[] }>()
  assert.deepEqual(data.map(({ amount_micros: amount, external_id: reference }) => [amount, reference]), [[5_000_000, 'cs_once']])
  const { lots } = (await bed.get('/api/v1/balance')).json<{ data: { lots: { source: string; expires_at: string | null }[] } }>().data
  assert.deepEqual(lots.at(-1)?.source, 'topup')
  assert.equal(lots.at(-1)?.expires_at, null)
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})

test('a message that nobody signed, of somebody unknown or of something else credits nothing', async () => {
  const before = await balance()
  assert.equal((await tell({ id: 'cs_forged', amount_total: 500, metadata: { tollgate_account: account } }, 'guessed')).statusCode, 400)
  assert.equal((await bed.app.inject({ method: 'POST', url: '/balance/card-events', headers: { 'content-type': 'application/json' }, payload: '{}' })).statusCode, 400)
  assert.equal((await bed.app.inject({ method: 'POST', url: '/balance/card-events', headers: { 'content-type': 'text/plain' }, payload: 'x' })).statusCode, 415)
  for (const name of ['acc_1', `acc_${'0'.repeat(32)}`, '']) assert.equal((await tell({ id: 'cs_lost', amount_total: 500, metadata: { tollgate_account: name } })).statusCode, 404, name)
  const other = await tell({ id: 'cs_unpaid', payment_status: 'unpaid', amount_total: 500, metadata: { tollgate_account: account } })
  assert.deepEqual([other.statusCode, other.json<{ credited: boolean }>().credited], [200, false])
  assert.equal(await balance(), before)
})

test('a card company that does not answer is told on the page, and nothing is credited', async () => {
  const cookie = await signIn(bed.liveKey)
  stripe.answerWith(() => 'reset')
  const { statusCode, body } = await buy(cookie, '500')
  assert.deepEqual([statusCode, /role="alert">The card company did not answer/.test(body)], [502, true])
  assert.ok(!body.includes('sk_1'))
})
