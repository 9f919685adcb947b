import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRoutesApp } from '../../../../../test/harness/beds/routes-app.ts'
import { createWorld } from '../../../../../test/harness/beds/world.ts'
import type { Balance } from '../../../../accounts/balance.ts'
import type { SpendingOfDays } from '../../../../history/read-spending.ts'
import type { TransactionRecord } from '../../../../history/transaction-record.ts'

const world = await createWorld()
const { ask } = await createRoutesApp(world)

type List = readonly TransactionRecord[]

async function list(key: string, query = ''): Promise<List> {
  const { status, body } = await ask('GET', `/api/v1/transactions${query}`, key)
  assert.equal(status, 200, query)
  return body.data as List
}

test('every route rejects requests without a key', async () => {
  for (const url of [
    '/api/v1/balance',
    '/api/v1/spending',
    '/api/v1/transactions',
    '/api/v1/transactions?format=csv',
  ]) {
    const { status, body } = await ask('GET', url, null)
    assert.deepEqual([status, body.error?.code], [401, 'invalid_token'], url)
  }
})

test('returns the balance in the mode of the key for every key of the account', async () => {
  const { live, test: testKey, caller } = await world.account()
  await world.call(caller, { hold: '2' })
  const { body } = await ask('POST', '/api/v1/agents', live.key)
  const ordinary = (body.data as { key: string }).key
  for (const [key, mode, cents] of [
    [live.key, 'live', 198],
    [ordinary, 'live', 198],
    [testKey.key, 'test', 10_000],
  ] as const) {
    const answer = await ask('GET', '/api/v1/balance', key)
    const balance = answer.body.data as Balance
    assert.deepEqual(
      [answer.status, answer.body.ok, balance.mode, balance.balance_cents],
      [200, true, mode, cents],
    )
    assert.equal(answer.headers['cache-control'], 'no-store')
  }
})

test('pages the history by limit and cursor, newest first', async () => {
  const { live, caller } = await world.account()
  const ids: string[] = []
  for (let count = 0; count < 4; count += 1)
    ids.unshift(`tx_${await world.call(caller, { hold: '0.1' })}`)
  const first = await ask('GET', '/api/v1/transactions?limit=3', live.key)
  assert.deepEqual(
    (first.body.data as List).map(({ id }) => id),
    ids.slice(0, 3),
  )
  const second = await ask(
    'GET',
    `/api/v1/transactions?limit=3&cursor=${first.body.next_cursor}`,
    live.key,
  )
  assert.deepEqual((second.body.data as List).map(({ id, kind }) => [id, kind])[0], [
    ids[3],
    'call',
  ])
  assert.equal(second.body.next_cursor, null)
})

test('applies every filter to the history, with both names of the key filter', async () => {
  const { live, caller } = await world.account()
  const { body } = await ask('POST', '/api/v1/agents', live.key, {
    body: { external_id: 'tenant' },
  })
  const agent = body.data as { id: string; key: string }
  await world.call(caller, { service: 'render', action: 'map', errorCode: 'upstream_error' })
  const wanted = `tx_${await world.call(await world.callerOf(agent.key), { open: true })}`
  for (const query of [
    `key=${agent.id}`,
    `agent_id=${agent.id}`,
    'external_id=tenant',
    'service=semantic',
    'action=search',
    'status=held',
    'service=semantic&kind=call&status=held',
  ]) {
    assert.deepEqual(
      (await list(live.key, `?${query}`)).map(({ id }) => id),
      [wanted],
      query,
    )
  }
  assert.equal((await list(live.key, '?kind=grant')).length, 1)
  assert.equal((await list(live.key, '?from=2027-03-17T13:00:00%2B01:00&to=2027-03-18')).length, 3)
  assert.equal((await list(live.key, '?to=2027-03-17T12:00:00Z')).length, 0)
})

test('sums the spending of the key’s mode for 30 or the given days, with every filter', async () => {
  const { live, test: testKey, caller } = await world.account()
  const { body } = await ask('POST', '/api/v1/agents', live.key, {
    body: { external_id: 'tenant' },
  })
  const agent = body.data as { id: string; key: string }
  await world.call(caller, { service: 'render', action: 'map' })
  await world.call(await world.callerOf(agent.key), { hold: '3' })
  const spent = async (query = '', key = live.key): Promise<unknown> => {
    const { status, body: answer, headers } = await ask('GET', `/api/v1/spending${query}`, key)
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store'], query)
    return (answer.data as SpendingOfDays).total.charged_micros
  }
  for (const query of ['', '?days=1', '?days=366']) assert.equal(await spent(query), 40_000, query)
  for (const query of [
    `key=${agent.id}`,
    `agent_id=${agent.id}`,
    'external_id=tenant',
    'service=semantic',
    'action=search&days=7',
  ])
    assert.equal(await spent(`?${query}`), 30_000, query)
  assert.equal(await spent('', testKey.key), 0)
  for (const days of ['0', '367', 'week']) {
    const { status, body: refused } = await ask('GET', `/api/v1/spending?days=${days}`, live.key)
    assert.deepEqual(
      [status, refused.error?.code, refused.error?.param],
      [400, 'invalid_params', 'days'],
    )
  }
})

test('finds a call of the account by its request or transaction id, pending or completed', async () => {
  const { live, caller } = await world.account()
  const settled = await world.call(caller, {})
  const open = await world.call(caller, { open: true })
  for (const id of [settled, open]) {
    for (const query of [
      `request_id=req_${id}`,
      `request_id=tx_${id}`,
      `request_id=req_${id}&service=semantic`,
    ]) {
      assert.deepEqual(
        (await list(live.key, `?${query}`)).map((row) => row.id),
        [`tx_${id}`],
        query,
      )
    }
    assert.deepEqual(await list(live.key, `?request_id=req_${id}&service=render`), [])
    assert.deepEqual(await list((await world.account()).live.key, `?request_id=req_${id}`), [])
  }
  const { body } = await ask(
    'GET',
    `/api/v1/transactions?request_id=req_${settled}&limit=1`,
    live.key,
  )
  assert.equal(body.next_cursor, null)
})

test("treats another account's key as an unknown filter value", async () => {
  const { live } = await world.account()
  const other = await world.account()
  await world.call(other.caller, {})
  assert.deepEqual(await list(live.key, `?key=${other.live.id}`), [])
  assert.deepEqual(await list(live.key, `?key=agk_${'0'.repeat(32)}`), [])
})

describe('400', () => {
  const wrong: readonly (readonly [string, string])[] = [
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['cursor=invalidSetting', 'cursor'],
    ['from=yesterday', 'from'],
    ['from=2027-13-01', 'from'],
    ['from=2027-02-29', 'from'],
    ['from=2027-03-02&to=2027-03-01', 'to'],
    ['to=2027-04-31T00:00:00Z', 'to'],
    ['to=2027-03-17T12:00:00+01:00', 'to'],
    ['request_id=invalidSetting', 'request_id'],
    [`request_id=agk_${'0'.repeat(32)}`, 'request_id'],
    ['key=invalidSetting', 'key'],
    ['agent_id=tx_1', 'agent_id'],
    [`key=agk_${'0'.repeat(32)}&agent_id=tx_1`, 'agent_id'],
    [`key=agk_${'0'.repeat(32)}&agent_id=agk_${'1'.repeat(32)}`, 'agent_id'],
    ['status=open', 'status'],
    ['kind=sale', 'kind'],
    ['service=', 'service'],
    ['service=a&service=b', 'service'],
    ['external_id=a%00b', 'external_id'],
    ['format=xml', 'format'],
    ['serv=x', 'serv'],
    ['format=csv&limit=5', 'limit'],
    ['format=ndjson&cursor=x', 'cursor'],
  ]

  test('rejects an invalid query with the name of the field', async () => {
    const { live } = await world.account()
    for (const [query, param] of wrong) {
      const { status, body } = await ask('GET', `/api/v1/transactions?${query}`, live.key)
      assert.deepEqual(
        [status, body.error?.code, body.error?.param],
        [400, 'invalid_params', param],
        query,
      )
    }
  })
})

describe('exports', () => {
  test('exports matching rows as CSV or NDJSON, by the query or the Accept header', async () => {
    const { live, caller } = await world.account()
    await world.call(caller, { service: 'render', externalId: '=cmd()' })
    await world.call(caller, {})
    for (const [query, headers] of [
      ['?format=csv&service=render', {}],
      ['?service=render', { accept: 'text/csv' }],
    ] as const) {
      const {
        status,
        headers: got,
        text,
      } = await ask('GET', `/api/v1/transactions${query}`, live.key, { headers })
      const lines = text.split('\r\n')
      assert.deepEqual(
        [status, got['content-type'], got['content-disposition']],
        [
          200,
          'text/csv; charset=utf-8; header=present',
          'attachment; filename="tollgate-transactions.csv"',
        ],
      )
      assert.equal(lines.length, 3)
      assert.match(lines[0] ?? '', /^id,created_at,kind,status,service,/)
      assert.match(lines[1] ?? '', /,'=cmd\(\),/)
    }
    for (const [query, headers] of [
      ['?format=ndjson', {}],
      ['', { accept: 'application/x-ndjson' }],
    ] as const) {
      const { headers: got, text } = await ask('GET', `/api/v1/transactions${query}`, live.key, {
        headers,
      })
      assert.equal(got['content-type'], 'application/x-ndjson; charset=utf-8')
      assert.deepEqual(
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
        await list(live.key),
      )
    }
  })

  test('exports only the CSV header, or nothing, without matching rows', async () => {
    const { live } = await world.account()
    assert.equal(
      (await ask('GET', '/api/v1/transactions?format=csv&kind=refund', live.key)).text.split('\r\n')
        .length,
      2,
    )
    assert.equal(
      (await ask('GET', '/api/v1/transactions?format=ndjson&kind=refund', live.key)).text,
      '',
    )
  })
})
