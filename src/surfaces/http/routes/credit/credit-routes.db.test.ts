import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { openAppBed, type AppBed } from '../../../../../test/harness/beds/app.ts'
import { cookieOf, sendForm } from '../../../../../test/harness/clients/forms.ts'
import { startStripe, type StripeStandIn } from '../../../../../test/harness/vendors/stripe.ts'
import { sweepCheckouts } from '../../../../accounts/cards/checkouts.ts'
import { verifyLedger } from '../../../../ledger/verify.ts'
import { DAY_MS } from '../../../../lib/clock.ts'

let bed: AppBed
let stripe: StripeStandIn
let cookie: string
let strangers: string
const mails: unknown[] = []

before(async () => {
  stripe = await startStripe()
  bed = await openAppBed({
    cards: stripe.desk,
    people: {
      mailer: { send: async (mail: unknown) => void mails.push(mail), close: () => {} },
    },
  })
  cookie = await signIn(bed.liveKey)
  strangers = await signIn(bed.strangerKey)
})

async function signIn(key: string): Promise<string> {
  return cookieOf(await sendForm(bed.app, { url: '/balance/sign-in', fields: { key } }))
}

const open = (url: string, as = cookie): Promise<LightMyRequestResponse> =>
  bed.app.inject({ url, headers: { cookie: as } })

const send = (
  url: string,
  fields: Record<string, string>,
  as = cookie,
): Promise<LightMyRequestResponse> => sendForm(bed.app, { url, fields, headers: { cookie: as } })

/** Opens a checkout and returns its id. */
async function buy(fields: Record<string, string> = { pack: '500' }): Promise<string> {
  const answer = await send('/credit/buy', fields)
  assert.equal(answer.statusCode, 200, answer.body)
  const session = stripe.sessions.at(-1)
  assert.ok(session !== undefined)
  return session.id
}

const notify = (event: object): Promise<LightMyRequestResponse> => {
  const { payload, headers } = stripe.signed(event, bed.clock())
  return bed.app.inject({ method: 'POST', url: '/balance/card-events', headers, payload })
}

const returnTo = (session: string, as = cookie): Promise<LightMyRequestResponse> =>
  open(`/credit/return?session_id=${session}`, as)

const balance = async (): Promise<number> =>
  (await bed.get('/api/v1/balance')).json<{ data: { balance_cents: number } }>().data.balance_cents

const sweep = (): Promise<number> =>
  sweepCheckouts({ database: bed.database, now: bed.clock, cards: stripe.desk }, (error) => {
    throw error
  })

async function sweepDaily(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    bed.clock.set(bed.clock() + DAY_MS)
    await sweep()
  }
  // Sessions end meanwhile.
  cookie = await signIn(bed.liveKey)
  strangers = await signIn(bed.strangerKey)
}

/** The error below a field, and whether the field is marked. */
function errorAt({ body }: LightMyRequestResponse, field: string): string | null {
  if (!new RegExp(`<input id="${field}"[^>]*aria-invalid="true"`).test(body)) return null
  return new RegExp(`id="${field}-error">.*?role="alert">([^<]*)<`, 's').exec(body)?.[1] ?? null
}

describe('buying credit', () => {
  it('offers packs and another amount, and opens a checkout of that sum', async () => {
    const { body } = await open('/credit')
    for (const text of [
      '>$5</span>',
      '>$20</span>',
      '<span class="sum">$20.00</span>',
      'From $5.00 to $500.00.',
    ])
      assert.ok(body.includes(text), text)
    const session = await buy({ pack: 'other', amount: '37.50' })
    const opened = stripe.sessions.at(-1)
    assert.deepEqual(
      [opened?.id, opened?.cents, opened?.successUrl, opened?.cancelUrl],
      [
        session,
        3_750,
        'https://gate.example/credit/return?session_id={CHECKOUT_SESSION_ID}',
        'https://gate.example/credit/cancelled',
      ],
    )
  })

  it('marks the field of an amount outside the range and repeats the input', async () => {
    const count = stripe.sessions.length
    for (const amount of ['4.99', '500.01', '0', '-5', 'x', '', '5.001']) {
      const answer = await send('/credit/buy', { pack: 'other', amount })
      assert.deepEqual([answer.statusCode, errorAt(answer, 'amount') !== null], [400, true], amount)
      assert.ok(answer.body.includes(`value="${amount}"`), amount)
    }
    assert.equal(stripe.sessions.length, count)
  })
})

describe('a gateway without cards', () => {
  it('shows who can add credit, and has no page for payments', async () => {
    const other = await openAppBed()
    const { headers } = await sendForm(other.app, {
      url: '/balance/sign-in',
      fields: { key: other.liveKey },
    })
    const as = { cookie: String(headers['set-cookie']).split(';', 1)[0] ?? '' }
    const page = await other.app.inject({ url: '/credit', headers: as })
    assert.match(page.body, /operator of this gateway can add credit/)
    assert.ok(!page.body.includes('Automatic top-up') && page.body.includes('Low balance'))
    const answer = await other.app.inject({ url: '/credit/return', headers: as })
    assert.equal(answer.statusCode, 404)
  })
})

describe('the page after a payment', () => {
  it('waits for the webhook and then shows the sum that was added', async () => {
    const session = await buy()
    const before = await balance()
    const waiting = await returnTo(session)
    assert.ok(waiting.body.includes('Confirming your payment of $5.00…'))
    assert.ok(waiting.body.includes('<noscript><meta http-equiv="refresh" content="3"></noscript>'))
    const asked = stripe.vendor.requests.length
    await notify(stripe.pay(session))
    const { body } = await returnTo(session)
    assert.ok(body.includes('Payment received, $5.00 added'), body)
    assert.ok(!body.includes('http-equiv="refresh"') && !body.includes('data-refresh'))
    assert.deepEqual([stripe.vendor.requests.length, await balance()], [asked, before + 500])
  })

  it('reads a payment from the processor when the webhook is late, and adds it once', async () => {
    const session = await buy()
    const before = await balance()
    const event = stripe.pay(session)
    bed.clock.set(bed.clock() + 6_000)
    const pages = await Promise.all(
      Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? returnTo(session) : notify(event))),
    )
    assert.ok(pages.every(({ statusCode }) => statusCode === 200))
    assert.ok((await returnTo(session)).body.includes('Payment received, $5.00 added'))
    await Promise.all([sweep(), sweep(), notify(event)])
    assert.equal(await balance(), before + 500)
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })

  it('reads an unpaid checkout at most once in four seconds', async () => {
    const session = await buy()
    bed.clock.set(bed.clock() + 6_000)
    const before = stripe.vendor.requests.length
    await Promise.all(Array.from({ length: 10 }, () => returnTo(session)))
    assert.equal(stripe.vendor.requests.length, before + 1)
    bed.clock.set(bed.clock() + 4_000)
    await returnTo(session)
    assert.equal(stripe.vendor.requests.length, before + 2)
  })

  it('shows an expired checkout, and keeps waiting while the processor is away', async () => {
    const session = await buy()
    bed.clock.set(bed.clock() + 6_000)
    stripe.vendor.answerWith(() => 'reset')
    assert.ok((await returnTo(session)).body.includes('Confirming your payment'))
    stripe.restart()
    stripe.expire(session)
    bed.clock.set(bed.clock() + 6_000)
    assert.ok((await returnTo(session)).body.includes('This checkout has expired.'))
  })

  it('exists only for the account that opened the checkout', async () => {
    const session = await buy()
    for (const [id, as] of [
      [session, strangers],
      ['cs_unknown', cookie],
      ['', cookie],
    ] as const)
      assert.equal((await returnTo(id, as)).statusCode, 404, id)
    assert.ok((await returnTo(session, '')).body.includes('action="/balance/sign-in"'))
  })

  it('differs from the page of a cancelled payment', async () => {
    const { body } = await open('/credit/cancelled')
    assert.ok(body.includes('nothing was paid') && !body.includes('Payment received'))
  })
})

describe('the sweep of checkouts', () => {
  it('adds a payment whose webhook never arrives, and stores its card', async () => {
    const session = await buy()
    const before = await balance()
    stripe.pay(session)
    bed.clock.set(bed.clock() + 61_000)
    await sweep()
    assert.equal(await balance(), before + 500)
    const { body } = await open('/credit')
    assert.ok(body.includes('Card payment, Visa 4242'), body)
  })

  it('waits for a bank transfer until it arrives', async () => {
    const session = await buy()
    const before = await balance()
    stripe.awaitTransfer(session)
    await sweepDaily(8)
    assert.ok((await returnTo(session)).body.includes('Confirming your payment of $5.00'))
    stripe.pay(session)
    await sweepDaily(1)
    assert.equal(await balance(), before + 500)
  })

  it('stops reading a checkout that has expired, and deletes each after a month', async () => {
    const [expired, unpaid] = [await buy(), await buy()]
    stripe.expire(expired)
    const asked = (session: string): number =>
      stripe.vendor.requests.filter(({ path }) =>
        path.startsWith(`/v1/checkout/sessions/${session}`),
      ).length
    await sweepDaily(10)
    assert.deepEqual([asked(expired), asked(unpaid)], [1, 10])
    await sweepDaily(21)
    assert.equal((await returnTo(unpaid)).statusCode, 404)
    const last = asked(unpaid)
    await sweepDaily(2)
    assert.equal(asked(unpaid), last)
  })

  it('finds old checkouts by an index', async () => {
    const plan = await bed.database.transaction(async (tx) => {
      await tx.query('set local enable_seqscan = off')
      return tx.query('explain delete from checkouts where created_ms < 1')
    })
    assert.match(JSON.stringify(plan.rows), /checkouts_by_time/)
  })
})

describe('receipts', () => {
  it('show number, date, sum, operator, account and card, and refunds with their reason', async () => {
    const session = await buy()
    await notify(stripe.pay(session))
    await sweep()
    const id = /href="\/credit\/receipts\/(tx_\w+)"/.exec((await returnTo(session)).body)?.[1] ?? ''
    const receipt = (): Promise<LightMyRequestResponse> => open(`/credit/receipts/${id}`)
    const { body } = await receipt()
    for (const text of [
      'Northwind Labs',
      'R-',
      '$5.00',
      'acc_',
      'Visa ending 4242',
      'Paid in full',
    ])
      assert.ok(body.includes(text), text)
    await notify({
      type: 'charge.refunded',
      data: {
        object: {
          id: `ch_${session}`,
          currency: 'usd',
          amount_refunded: 200,
          payment_intent: `pi_of_${session}`,
        },
      },
    })
    const refunded = (await receipt()).body
    for (const text of ['Refund to the card', '-$2.00', '<strong>$3.00</strong>'])
      assert.ok(refunded.includes(text), text)
    const page = await open('/credit')
    assert.ok(page.body.includes('Refunded'))
    for (const [path, as] of [
      [id, strangers],
      [`tx_${'0'.repeat(32)}`, cookie],
      ['nonsense', cookie],
    ] as const)
      assert.equal((await open(`/credit/receipts/${path}`, as)).statusCode, 404, path)
  })
})

describe('the settings of credit', () => {
  it('save the low-balance amount, and turn its emails on and off', async () => {
    const saved = await send('/credit/alerts', { low: '7.50', email: 'on' })
    assert.deepEqual([saved.statusCode, saved.headers.location], [303, '/credit?done=alerts'])
    const { body } = await open('/credit?done=alerts')
    assert.ok(body.includes('Low-balance notification saved.') && body.includes('value="7.50"'))
    const webhooks = async () =>
      (await bed.get('/api/v1/webhooks')).json<{ data: { format: string; events: string[] }[] }>()
        .data
    assert.deepEqual(
      (await webhooks()).map(({ format, events }) => [format, events]),
      [['email', ['balance.low', 'balance.exhausted', 'topup.failed']]],
    )
    await send('/credit/alerts', { low: '7.50', email: 'on' })
    assert.equal((await webhooks()).length, 1)
    await send('/credit/alerts', { low: '7.50' })
    assert.equal((await webhooks()).length, 0)
    assert.notEqual(errorAt(await send('/credit/alerts', { low: 'x' }), 'low'), null)
  })

  it('save automatic top-up, mark wrong amounts, and start with a saved card', async () => {
    const amounts = { threshold: '5', topup_amount: '20', monthly: '50' }
    for (const [field, text] of [
      ['threshold', '0'],
      ['topup_amount', '4'],
      ['monthly', '19.99'],
    ] as const) {
      const answer = await send('/credit/top-up', { ...amounts, on: 'on', [field]: text })
      assert.deepEqual([answer.statusCode, errorAt(answer, field) !== null], [400, true], field)
    }
    const saved = await send('/credit/top-up', { ...amounts, on: 'on' })
    assert.equal(saved.headers.location, '/credit?done=top-up-on')
    assert.ok((await open('/credit')).body.includes('Waiting for a card'))
    const session = await buy({ pack: '500', save: 'on' })
    assert.equal(stripe.sessions.at(-1)?.savesCard, true)
    await notify(stripe.pay(session))
    await sweep()
    assert.ok((await open('/credit')).body.includes('Visa ending 4242'))
    await send('/credit/card', {})
    assert.ok((await open('/credit')).body.includes('No saved card.'))
  })

  it('leave changes of automatic top-up and of the card in the audit log, with their author', async () => {
    type Change = { author: string; subject: string; what: string; fields: Record<string, unknown> }
    const { data } = (await bed.get('/api/v1/changes?limit=100')).json<{ data: Change[] }>()
    const found = data.filter(({ subject }) => subject === 'automatic_topup')
    const [removed, saved, created] = found
    assert.deepEqual(
      found.map(({ author, what }) => [author.replace(/_.*/, ''), what]),
      [
        ['browser with key agk', 'changed'],
        ['gateway', 'changed'],
        ['browser with key agk', 'created'],
      ],
    )
    assert.deepEqual(removed?.fields, {
      is_on: [true, false],
      customer: 'hidden',
      method: 'hidden',
      brand: ['visa', null],
      last4: ['4242', null],
    })
    assert.deepEqual(saved?.fields['last4'], [null, '4242'])
    assert.deepEqual(created?.fields, {
      is_on: [null, true],
      threshold_micros: [null, 5_000_000],
      amount_micros: [null, 20_000_000],
      monthly_micros: [null, 50_000_000],
    })
  })

  it('email failed top-ups once they are turned on, and leave a later choice as it is', async () => {
    const amounts = { threshold: '5', topup_amount: '20', monthly: '50' }
    const ids = async (): Promise<string[]> =>
      (await bed.get('/api/v1/webhooks?limit=100'))
        .json<{ data: { id: string }[] }>()
        .data.map(({ id }) => id)
    const remove = (): Promise<unknown> =>
      bed.database.query("delete from webhooks where format = 'email'")
    await remove()
    await send('/credit/top-up', amounts)
    const low = { format: 'email', events: ['balance.low'] }
    await bed.post('/api/v1/webhooks', low)
    await send('/credit/top-up', { ...amounts, on: 'on', monthly: '1' })
    assert.equal((await ids()).length, 1, 'a rejected form changes nothing')
    await send('/credit/top-up', { ...amounts, on: 'on' })
    assert.equal((await ids()).length, 2, 'balance.low does not include failed top-ups')
    const { rows } = await bed.database.query<{ events: string[] }>(
      "select events from webhooks where format = 'email' and label = 'Credit'",
    )
    assert.deepEqual(rows, [{ events: ['topup.failed'] }], 'low balances are emailed once')
    await remove()
    await send('/credit/top-up', { ...amounts, on: 'on' })
    assert.deepEqual(await ids(), [])
    await send('/credit/top-up', amounts)
    for (let count = 0; count < 50; count += 1) await bed.post('/api/v1/webhooks', low)
    const full = await send('/credit/top-up', { ...amounts, on: 'on' })
    assert.notEqual(full.statusCode, 303)
    assert.doesNotMatch((await open('/credit')).body, /name="on"[^>]* checked/)
    await remove()
  })

  it('are closed to keys that do not manage the account', async () => {
    const made = await bed.post('/api/v1/agents', { scope: 'account' })
    const wide = await signIn(made.json<{ data: { key: string } }>().data.key)
    const page = await open('/credit', wide)
    assert.ok(page.body.includes('Add credit') && !page.body.includes('Automatic top-up'))
    for (const [url, fields] of [
      ['/credit/alerts', { low: '1' }],
      ['/credit/top-up', { on: 'on', threshold: '5', topup_amount: '20', monthly: '50' }],
      ['/credit/card', {}],
    ] as const)
      assert.equal((await send(url, fields, wide)).statusCode, 403, url)
    const own = await bed.post('/api/v1/agents', {})
    const small = await signIn(own.json<{ data: { key: string } }>().data.key)
    assert.ok((await open('/credit', small)).body.includes('sees only its own calls'))
  })
})
