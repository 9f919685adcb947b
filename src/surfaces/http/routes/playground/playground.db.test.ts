/** Calls of signed-in people on pages: the session, the mode and the charge. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openAppBed, type AppBed } from '../../../../../test/harness/beds/app.ts'
import { openKeySession } from '../../../../auth/records/browser-session.ts'
import { openOwnerSession } from '../../../../../test/harness/owner-session.ts'
import { verifyLedger } from '../../../../ledger/verify.ts'
import { newId, type Id } from '../../../../lib/ids.ts'

const FOUND = {
  requestId: 'r',
  results: [{ id: 'https://a.example/', url: 'https://a.example/', title: 'A' }],
}
const RUN = 'run/semantic/search'
const INPUT = { query: 'lighthouses' }
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }

let bed: AppBed
let accountId: Id
let holder: string

before(async () => {
  bed = await openAppBed()
  bed.vendor.answerWith(() => ({ body: FOUND }))
  const { rows } = await bed.database.query<{ id: Id }>(
    "select id from accounts where email = 'mine@gate.example.com'",
  )
  accountId = rows[0]?.id ?? assert.fail('no account')
  holder = await openOwnerSession({ database: bed.database, now: bed.clock }, accountId)
})

const sessionOf = (key: string) => openKeySession({ database: bed.database, now: bed.clock }, key)

function send(
  path: string,
  body: unknown,
  { session = holder, ...headers }: Readonly<Record<string, string>> = {},
) {
  return bed.app.inject({
    method: 'POST',
    url: `/playground/${path}`,
    headers: {
      'content-type': 'application/json',
      ...OWN_PAGE,
      ...(session === '' ? {} : { cookie: `__Host-tollgate-page=${session}` }),
      ...headers,
    },
    payload: JSON.stringify(body),
  })
}

type Row = { readonly amount: bigint; readonly mode: string; readonly status: string }

/** The transaction of a call. */
async function rowOf(response: { json(): { request_id: string } }): Promise<Row | undefined> {
  const id = response.json().request_id.replace('req_', '')
  const { rows } = await bed.database.query<Row>(
    'select amount_micros as amount, wallets.mode, status from transactions join wallets on wallets.id = wallet_id where transactions.id = $1',
    [id],
  )
  return rows[0]
}

async function countRows(): Promise<number> {
  const { rows } = await bed.database.query<{ count: number }>(
    "select count(*)::int as count from transactions where kind = 'call'",
  )
  return Number(rows[0]?.count)
}

describe('a signed-in holder', () => {
  test('runs a test call, which spends test credit and is marked', async () => {
    const response = await send(`test/${RUN}`, INPUT)
    assert.equal(response.statusCode, 200, response.body)
    const { ok, test: isTest, charged_micros: charged } = response.json()
    assert.deepEqual([ok, isTest, charged > 0], [true, true, true])
    const row = await rowOf(response)
    assert.deepEqual([row?.mode, row?.status], ['test', 'settled'])
  })

  test('runs a live call once for a double click', async () => {
    const before = await countRows()
    const once = { 'idempotency-key': `play-${newId(bed.clock())}` }
    const [first, second] = [
      await send(`live/${RUN}`, INPUT, once),
      await send(`live/${RUN}`, INPUT, once),
    ]
    assert.deepEqual([first.statusCode, second.body], [200, first.body])
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.equal(await countRows(), before + 1)
    assert.equal((await rowOf(first))?.mode, 'live')
  })

  test('reads the price that the call then costs, and the call is rejected at another', async () => {
    const { data } = (await send('live/price/semantic/search', INPUT)).json()
    assert.equal(data.is_exact, true)
    const paid = await send(`live/${RUN}`, { ...INPUT, price_id: data.price_id })
    assert.equal(paid.json().charged_micros, data.price_micros)
    const before = await countRows()
    const other = await send(`live/${RUN}`, { ...INPUT, price_id: 'price_000000000000' })
    assert.deepEqual([other.statusCode, other.json().error.code], [402, 'price_changed'])
    assert.equal(await countRows(), before)
  })

  test('reads the error of an invalid input for its price and for its call', async () => {
    for (const path of ['live/price/semantic/search', `live/${RUN}`, `test/${RUN}`]) {
      const { error } = (await send(path, { query: 5 })).json()
      assert.deepEqual([error.code, error.param], ['invalid_params', 'query'], path)
    }
  })
})

describe('without the right session', () => {
  const REFUSALS = [
    ['no session', { session: '' }, 401, 'invalid_token'],
    ['an unknown session', { session: 'x'.repeat(43) }, 401, 'invalid_token'],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403, 'foreign_host'],
    ['a sibling host', { 'sec-fetch-site': 'same-site' }, 403, 'foreign_host'],
    ['a form', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ] as const
  for (const [name, headers, status, code] of REFUSALS)
    test(`${name} runs nothing`, async () => {
      const before = await countRows()
      for (const path of [`test/${RUN}`, `live/${RUN}`, 'live/price/semantic/search']) {
        const response = await send(path, INPUT, headers)
        assert.deepEqual([response.statusCode, response.json().error.code], [status, code], path)
      }
      assert.equal(await countRows(), before)
    })

  test('an API key is not enough', async () => {
    const response = await send(`test/${RUN}`, INPUT, {
      session: '',
      authorization: `Bearer ${bed.liveKey}`,
    })
    assert.equal(response.statusCode, 401)
  })
})

describe('the session of a key', () => {
  test('of the primary key runs in both modes', async () => {
    const session = await sessionOf(bed.liveKey)
    for (const mode of ['test', 'live']) {
      const response = await send(`${mode}/${RUN}`, INPUT, { session })
      assert.equal(response.statusCode, 200)
      assert.equal((await rowOf(response))?.mode, mode)
    }
  })

  test('of the test primary key never runs a live call', async () => {
    const session = await sessionOf(bed.testKey)
    const before = await countRows()
    const live = await send(`live/${RUN}`, INPUT, { session })
    assert.deepEqual([live.statusCode, live.json().error.code], [403, 'action_not_allowed'])
    assert.equal(await countRows(), before)
    assert.equal((await send(`test/${RUN}`, INPUT, { session })).statusCode, 200)
  })

  test('of any other key runs as that key, in its own mode alone', async () => {
    const made = (await bed.post('/api/v1/agents', { label: 'agent', ceiling_cents: 0 })).json()
    const session = await sessionOf(made.data.key)
    const before = await countRows()
    const test = await send(`test/${RUN}`, INPUT, { session })
    assert.deepEqual([test.statusCode, test.json().error.code], [403, 'action_not_allowed'])
    const live = await send(`live/${RUN}`, INPUT, { session })
    assert.deepEqual([live.statusCode, live.json().error.code], [402, 'api_key_limit_exceeded'])
    assert.equal(await countRows(), before)
  })
})

test('a chat of the holder streams in test mode and is charged test credit', async () => {
  bed.vendor.answerWith(({ path }) =>
    path.endsWith('/models')
      ? {
          body: {
            data: [{ id: 'test/model', pricing: { prompt: '0.000001', completion: '0.000001' } }],
          },
        }
      : {
          headers: { 'content-type': 'text/event-stream' },
          body: [
            `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'test/model', choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: 'stop' }], usage: { prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 } })}`,
            'data: [DONE]',
            '',
          ].join('\n\n'),
        },
  )
  const response = await send('test/chat/completions', {
    model: 'test/model',
    stream: true,
    messages: [{ role: 'user', content: 'hello' }],
  })
  assert.equal(response.statusCode, 200, response.body)
  assert.equal(response.headers['x-test'], 'true')
  assert.match(response.body, /"content":"hi"/)
  assert.match(response.body, /\[DONE\]/)
})

test('the ledger balances', async () => {
  assert.deepEqual((await verifyLedger(bed.database)).findings, [])
})
