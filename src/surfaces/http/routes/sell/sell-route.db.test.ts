import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { describe, it } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { generatePrivateKey } from 'viem/accounts'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { USDC_ON_BASE } from '../../../../catalog/vocabulary/merchant.ts'
import type { Transaction } from '../../../../db/database.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { verifyLedger } from '../../../../ledger/verify.ts'
import { x402Exact } from '../../../../upstream/pay/methods/x402-exact.ts'
import type { Offer } from '../../../../upstream/pay/offer.ts'
import { DEV_ASSET, devledger, takeDevledger } from '../../../../upstream/pay/testing/devledger.ts'
import { acceptMpp } from '../../../../upstream/sell/accept-mpp.ts'
import { acceptX402, type X402Payload } from '../../../../upstream/sell/accept-x402.ts'

const PATH = '/api/run/semantic/search'
const MIB = 1024 * 1024
const STRANGERS_MIB = 64
const MOST_STRANGERS = 100
const FOUND = {
  requestId: 'r',
  results: [{ id: 'https://a.example/', url: 'https://a.example/', title: 'A' }],
}
const PAY_TO = '0x2222222222222222222222222222222222222222'
/** The behavior of the payment network. Every attempt is recorded. */
let network: 'accepts' | 'rejects' = 'accepts'
const attempts: string[] = []
async function settle<T>(method: string, take: () => Promise<T | null>): Promise<T | null> {
  attempts.push(method)
  return network === 'rejects' ? null : take()
}

const mpp = acceptMpp({
  name: 'devledger.charge',
  asset: DEV_ASSET,
  recipient: '0xhouse',
  secretKey: 'a-secret-of-this-gateway-of-32-bytes-or-more',
  take: (credential) => settle('mpp', () => takeDevledger(credential)),
})
const x402 = acceptX402({
  asset: USDC_ON_BASE,
  recipient: PAY_TO,
  token: { name: 'USD Coin', version: '2' },
  take: async ({ payload }) =>
    (await settle('x402', async () => ({
      reference: payload.authorization.nonce,
      receipt: { success: true, transaction: payload.authorization.nonce, network: 'eip155:8453' },
    }))) ?? { refused: 'insufficient_funds: the payer has 1.00' },
})
const reports: object[] = []
const bed = await openAppBed({
  selling: {
    acceptances: [mpp, x402],
    publicUrl: 'https://gate.example',
    report: (refusal) => reports.push(refusal),
  },
})
bed.vendor.answerWith(() => ({ body: FOUND }))

const buyer = {
  mpp: devledger(),
  x402: x402Exact({ key: generatePrivateKey(), assets: [USDC_ON_BASE], now: bed.clock }),
}
const call = (
  body: object,
  headers: Record<string, string> = {},
  path = PATH,
): Promise<LightMyRequestResponse> =>
  bed.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  })

async function offerOf(
  kind: keyof typeof buyer,
  asked: LightMyRequestResponse,
  body: object,
  path = PATH,
): Promise<Offer> {
  const request = {
    origin: 'https://gate.example',
    path,
    method: 'POST',
    headers: {},
    body: JSON.stringify(body),
  } as const
  const offers = await buyer[kind].offersIn(
    {
      status: asked.statusCode,
      headers: asked.headers as Record<string, string>,
      text: asked.body,
    },
    request,
  )
  return offers[0] ?? assert.fail(`no ${kind} offer`)
}
async function paymentFor(
  kind: keyof typeof buyer,
  body: object,
  path = PATH,
): Promise<Record<string, string>> {
  return (await offerOf(kind, await call(body, {}, path), body, path)).sign()
}
async function house(): Promise<{ balance: bigint; held: bigint; topups: bigint; calls: bigint }> {
  const { rows } = await bed.database.query<{
    balance: bigint
    held: bigint
    topups: bigint
    calls: bigint
  }>(
    `select balance_micros as balance, held_micros as held, (select count(*) from transactions where wallet_id = wallets.id and kind = 'topup') as topups,
      (select count(*) from transactions where wallet_id = wallets.id and kind = 'call' and status = 'settled') as calls
    from wallets join accounts on accounts.id = account_id where email = 'anonymous-buyers@house.invalid'`,
  )
  return rows[0] ?? { balance: 0n, held: 0n, topups: 0n, calls: 0n }
}
const errorOf = (response: LightMyRequestResponse): string =>
  response.json<{ error: { code: string } }>().error.code

describe('a call without a key on a selling gateway', () => {
  it('gets 402 with its price in both protocols, without a vendor request', async () => {
    const body = { query: 'one' }
    const asked = bed.vendor.requests.length
    const response = await call(body)
    assert.deepEqual(
      [response.statusCode, errorOf(response), response.headers['cache-control']],
      [402, 'payment_required', 'no-store'],
    )
    const price = BigInt(
      response.json<{ error: { details: { price_micros: number } } }>().error.details.price_micros,
    )
    for (const kind of ['mpp', 'x402'] as const) {
      const { amount, realm, flaw } = await offerOf(kind, response, body)
      assert.deepEqual([amount, realm, flaw], [price, 'gate.example', undefined])
    }
    assert.equal(bed.vendor.requests.length, asked)
  })

  it('is not sold if it needs or creates something that only an account can own', async () => {
    const asked = bed.vendor.requests.length
    for (const [path, body] of [
      ['core/onescrape-deep', { urls: ['https://a.example/'] }],
      ['captcha/solve', { task: { type: 'ImageToTextTask', body: 'aGk=' } }],
      ['inbox/create_inbox', {}],
      ['inbox/send', { inbox_id: 'ana@agentmail.to', to: 'bo@example.com', subject: 'a' }],
      ['sandbox/sandbox-exec', { sandbox_id: 'sb-1', command: 'true' }],
      ['boxa/create_session', {}],
      ['core/onefind-deep', { query: 'ana of a.example' }],
    ] as const) {
      const answer = await call(body, {}, `/api/run/${path}`)
      assert.deepEqual([answer.statusCode, errorOf(answer)], [401, 'invalid_token'], path)
    }
    assert.equal(bed.vendor.requests.length, asked)
  })

  it('is not sold if it stores a file; screenshots are returned as the vendor sent them', async () => {
    const upload = await call({ filename: 'a.txt', size_bytes: 1 }, {}, '/api/run/files/upload')
    assert.deepEqual([upload.statusCode, errorOf(upload)], [401, 'invalid_token'])
    const [body, path, screenshot] = [
      { url: 'https://a.example/', formats: ['screenshot'] },
      '/api/run/render/scrape',
      'data:image/png;base64,AAAA',
    ]
    const payment = await paymentFor('mpp', body, path)
    bed.vendor.answerWith(() => ({
      body: { success: true, data: { screenshot, metadata: { statusCode: 200 } } },
    }))
    const { data } = (await call(body, payment, path)).json<{
      data: { data: { screenshot: string }; kept_files?: unknown }
    }>()
    bed.vendor.answerWith(() => ({ body: FOUND }))
    assert.deepEqual([data.data.screenshot, 'kept_files' in data], [screenshot, false])
    assert.equal((await bed.database.query('select 1 from files')).count, 0)
  })

  it('is delivered and credited once after a lock and a lost commit', async () => {
    const [body, before] = [{ query: 'in the way' }, await house()]
    const payment = await paymentFor('mpp', body)
    const { transaction } = bed.database
    let times = 0
    Object.assign(bed.database, {
      async transaction(work: (tx: Transaction) => Promise<unknown>) {
        times += 1
        if (times === 2) await transaction(work)
        if (times < 3) throw new AppError('overloaded')
        return transaction(work)
      },
    })
    const answer = await call(body, payment).finally(() =>
      Object.assign(bed.database, { transaction }),
    )
    assert.equal(answer.statusCode, 200)
    const after = await house()
    assert.deepEqual(
      [after.topups - before.topups, after.calls - before.calls, after.balance - before.balance],
      [1n, 1n, 0n],
    )
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })

  it('is sold at its full price, even if max_cost_cents is lower', async () => {
    const body = {
      urls: Array.from({ length: 30 }, (_, place) => `https://a.example/${place}`),
      text: true,
    }
    const path = '/api/run/semantic/contents'
    assert.equal(
      (await call(body, {}, path)).json<{ error: { details: { price_cents: number } } }>().error
        .details.price_cents,
      3,
    )
    const cheaper = await call({ ...body, max_cost_cents: 1 }, {}, path)
    assert.deepEqual([cheaper.statusCode, errorOf(cheaper)], [402, 'max_cost_exceeded'])
    assert.equal(errorOf(await call({ ...body, max_cost_cents: 3 }, {}, path)), 'payment_required')
  })

  it('is reduced by max_cost_cents if a count sets its price', async () => {
    const path = '/api/run/companyfind/lookalikes'
    const body = { query: 'bakeries', limit: 50, max_cost_cents: 3 }
    const payment = await paymentFor('mpp', body, path)
    bed.vendor.answerWith(() => ({
      body: { results: [{ name: 'A' }, { name: 'B' }, { name: 'C' }] },
    }))
    const answer = await call(body, payment, path)
    bed.vendor.answerWith(() => ({ body: FOUND }))
    assert.equal(answer.json<{ charged_cents: number }>().charged_cents, 3)
    assert.match(bed.vendor.requests.at(-1)?.path ?? '', /[?&]limit=3(&|$)/)
  })

  it('rejects another spelling of a used payment', async () => {
    const body = { query: 'spelled' }
    const payment = await paymentFor('x402', body)
    assert.equal((await call(body, payment)).statusCode, 200)
    const taken = attempts.length
    for (const respelled of [
      (nonce: string) => `${nonce} `,
      (nonce: string) => `0x00${nonce.slice(2)}`,
      (nonce: string) => nonce.slice(2),
    ]) {
      const { payload, ...rest } = JSON.parse(
        Buffer.from(payment['payment-signature'] ?? '', 'base64').toString('utf8'),
      ) as X402Payload
      const again = {
        ...rest,
        payload: {
          ...payload,
          authorization: {
            ...payload.authorization,
            nonce: respelled(payload.authorization.nonce),
          },
        },
      }
      const answer = await call(body, {
        'payment-signature': Buffer.from(JSON.stringify(again)).toString('base64'),
      })
      assert.deepEqual([answer.statusCode, errorOf(answer)], [402, 'payment_required'])
    }
    assert.equal(attempts.length, taken)
  })

  for (const [kind, receipt] of [
    ['mpp', 'payment-receipt'],
    ['x402', 'payment-response'],
  ] as const) {
    it(`runs once for a payment by ${kind}, and repeats get the same response`, async () => {
      const body = { query: `by ${kind}` }
      const before = await house()
      const payment = await paymentFor(kind, body)
      const [taken, asked] = [attempts.length, bed.vendor.requests.length]
      const answers = [await call(body, payment), await call(body, payment)]
      assert.deepEqual(
        answers.map(({ statusCode }) => statusCode),
        [200, 200],
      )
      assert.equal(answers[0]?.body, answers[1]?.body)
      assert.ok(
        answers.every(
          ({ headers }) =>
            headers[receipt] !== undefined && headers['x-credits-remaining-cents'] === undefined,
        ),
      )
      assert.deepEqual([attempts.length, bed.vendor.requests.length], [taken + 1, asked + 1])
      const after = await house()
      assert.deepEqual(
        [after.topups, after.calls, after.balance, after.held],
        [before.topups + 1n, before.calls + 1n, 0n, 0n],
      )
    })

    it(`does not run for a payment by ${kind} of another request`, async () => {
      const payment = await paymentFor(kind, { query: 'mine' })
      assert.equal((await call({ query: 'mine' }, payment)).statusCode, 200)
      const response = await call({ query: 'yours' }, payment)
      assert.ok(
        ['idempotency_key_reused', 'payment_required'].includes(errorOf(response)),
        response.body,
      )
    })
  }

  it('accepts a payment once, for any number of concurrent requests', async () => {
    const body = { query: 'at once' }
    const before = await house()
    const payment = await paymentFor('mpp', body)
    const taken = attempts.length
    const codes = (await Promise.all(Array.from({ length: 8 }, () => call(body, payment)))).map(
      ({ statusCode }) => statusCode,
    )
    assert.ok(
      codes.includes(200) && codes.every((code) => code === 200 || code === 409),
      codes.join(),
    )
    assert.equal(attempts.length, taken + 1)
    assert.deepEqual(
      [(await house()).topups, (await house()).calls],
      [before.topups + 1n, before.calls + 1n],
    )
  })

  it('keeps a payment valid after a failed call until a call succeeds', async () => {
    const body = { query: 'flaky' }
    const payment = await paymentFor('mpp', body)
    bed.vendor.answerWith(() => ({ status: 500, body: {} }))
    const taken = attempts.length
    assert.equal((await call(body, payment)).statusCode, 502)
    assert.ok((await house()).balance > 0n)
    bed.vendor.answerWith(() => ({ body: FOUND }))
    bed.clock.advance(3_600_000)
    assert.equal((await call(body, payment)).statusCode, 200)
    assert.deepEqual([attempts.length, (await house()).balance], [taken + 1, 0n])
  })

  it('asks for another payment if one fails, is forged or has expired', async () => {
    const body = { query: 'refused' }
    network = 'rejects'
    const payment = await paymentFor('x402', body)
    assert.equal(errorOf(await call(body, payment)), 'payment_required')
    network = 'accepts'
    assert.equal((await call(body, payment)).statusCode, 200)
    const taken = attempts.length
    const late = await paymentFor('mpp', body)
    bed.clock.advance(301_000)
    const { challenge, payload } = JSON.parse(
      Buffer.from((late['authorization'] ?? '').slice('Payment '.length), 'base64').toString(),
    ) as { challenge: object; payload: object }
    const forged = { challenge: { ...challenge, id: 'forged' }, payload }
    for (const authorization of [
      late['authorization'] ?? '',
      `Payment ${Buffer.from(JSON.stringify(forged)).toString('base64url')}`,
    ])
      assert.equal(errorOf(await call(body, { authorization })), 'payment_required')
    assert.equal(attempts.length, taken)
  })

  it('reports the reason of a rejected payment to the buyer and the operator', async () => {
    const body = { query: 'poor' }
    network = 'rejects'
    const refused = await call(body, await paymentFor('x402', body))
    network = 'accepts'
    const required = JSON.parse(
      Buffer.from(String(refused.headers['payment-required']), 'base64').toString('utf8'),
    ) as { error: string }
    const { error } = refused.json<{ error: { message: string; details: { reason: string } } }>()
    assert.deepEqual(
      [refused.statusCode, required.error, error.details.reason],
      [402, 'insufficient_funds: the payer has 1.00', 'insufficient_funds: the payer has 1.00'],
    )
    assert.match(error.message, /could not be taken: insufficient_funds: the payer has 1\.00/)
    assert.deepEqual(reports.at(-1), {
      route: PATH,
      method: 'x402.exact',
      reason: 'insufficient_funds: the payer has 1.00',
    })
  })

  it('accepts payments of x402 version 1 clients, which read the body of the 402', async () => {
    const body = { query: 'version 1' }
    const asked = await call(body)
    const { x402Version, accepts } = asked.json<{
      x402Version: number
      accepts: {
        network: string
        maxAmountRequired: string
        asset: string
        payTo: string
        resource: string
      }[]
    }>()
    assert.deepEqual(
      [x402Version, accepts.map(({ network, resource }) => [network, resource])],
      [1, [['base', `https://gate.example${PATH}`]]],
    )
    // A version 1 client reads no header of version 2.
    const request = {
      origin: 'https://gate.example',
      path: PATH,
      method: 'POST',
      headers: {},
      body: JSON.stringify(body),
    } as const
    const [offer] = await buyer.x402.offersIn(
      { status: 402, headers: {}, text: asked.body },
      request,
    )
    const payment = (await offer?.sign()) ?? assert.fail('version 1 is offered')
    assert.ok(payment['x-payment'] !== undefined)
    const [first, again] = [await call(body, payment), await call(body, payment)]
    assert.deepEqual([first.statusCode, again.body === first.body], [200, true])
    assert.ok(
      first.headers['x-payment-response'] !== undefined &&
        first.headers['payment-response'] === undefined,
    )
  })

  it('describes itself for catalogs', async () => {
    const { headers } = await call({ query: 'listed' })
    const { resource, extensions } = JSON.parse(
      Buffer.from(String(headers['payment-required']), 'base64').toString('utf8'),
    ) as {
      resource: { url: string; description: string; mimeType: string }
      extensions: {
        bazaar: {
          info: { input: { body: object } }
        }
      }
    }
    assert.deepEqual(
      [resource.url, resource.mimeType, resource.description !== ''],
      [`https://gate.example${PATH}`, 'application/json', true],
    )
    assert.ok('query' in extensions.bazaar.info.input.body)
  })

  it('needs a key for free actions, and works with a key as usual', async () => {
    assert.equal(
      errorOf(await call({ query: 'read a page' }, {}, '/api/run/core/discover')),
      'invalid_token',
    )
    assert.equal((await bed.post(PATH, { query: 'with a key' })).statusCode, 200)
    assert.equal(
      errorOf(await call({ query: 'x' }, { authorization: 'Bearer nobody' })),
      'invalid_token',
    )
    assert.equal(errorOf(await call({ invalidSetting: true })), 'invalid_params')
  })

  it('occupies the capacity of keyless calls only while it runs', async () => {
    for (let turn = 0; turn <= MOST_STRANGERS; turn += 1)
      assert.equal(errorOf(await call({ query: 'price?' })), 'payment_required')
  })

  it('leaves capacity for bodies of callers with a key', async () => {
    const url = await bed.app.listen({ port: 0, host: '127.0.0.1' })
    for (const bytes of [MIB, MIB / 4]) {
      const begin = (): ClientRequest => {
        const request = httpRequest(`${url}${PATH}`, {
          method: 'POST',
          agent: false,
          headers: { 'content-type': 'application/json', 'content-length': bytes },
        })
        request.on('error', () => undefined).flushHeaders()
        return request
      }
      const begun = Promise.withResolvers<undefined>()
      const responses: ServerResponse[] = []
      const arrive = (_request: IncomingMessage, response: ServerResponse): void => {
        responses.push(response)
        if (responses.length === STRANGERS_MIB * (MIB / bytes)) begun.resolve(undefined)
      }
      bed.app.server.on('request', arrive)
      const strangers = Array.from({ length: STRANGERS_MIB * (MIB / bytes) }, begin)
      await begun.promise
      bed.app.server.off('request', arrive)
      const next = begin()
      const [refused] = (await once(next, 'response')) as [IncomingMessage]
      assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '1'])
      const keyed = await call(
        { query: 'x'.repeat(MIB - 100) },
        { authorization: `Bearer ${bed.liveKey}` },
      )
      assert.equal(errorOf(keyed), 'invalid_params', 'it was read')
      const closed = responses.map((response) => once(response, 'close'))
      for (const request of [...strangers, next]) request.destroy()
      await Promise.all(closed)
    }
  })

  it('keeps the ledger consistent', async () => {
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })
})
