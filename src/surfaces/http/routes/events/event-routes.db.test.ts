import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { EVENTS_CHANNEL } from '../../../../events/event-waiters.ts'
import { listenTo } from '../../../../db/listen.ts'
import { postCredit } from '../../../../ledger/credit.ts'
import { newId } from '../../../../lib/ids.ts'
import { wholeCents } from '../../../../lib/money.ts'
import { cleanUp } from '../../../../../test/harness/clean-up.ts'

const bed = await openAppBed()
const listener = listenTo({
  database: bed.database,
  purpose: 'events',
  channel: EVENTS_CHANNEL,
  onMessage: (payload) => bed.waiters.announce(payload),
  onGap: () => bed.waiters.announceAll(),
})
cleanUp(() => listener.close())
await listener.ready

type Answer = {
  readonly ok: boolean
  readonly data: readonly { readonly id: string; readonly type: string }[]
  readonly next_after: string | null
}

const read = async (query: string, key = bed.liveKey): Promise<Answer> =>
  (await bed.get(`/api/v1/events?${query}`, { authorization: `Bearer ${key}` })).json<Answer>()

const { rows } = await bed.database.query<{ id: bigint }>(
  "select wallets.id from wallets join accounts on accounts.id = account_id where email = 'mine@gate.example.com' and mode = 'live'",
)
const topUp = (amountCents = 100) =>
  postCredit(bed.database, {
    id: newId(bed.clock()),
    walletId: Number(rows[0]?.id),
    kind: 'topup',
    amount: wholeCents(amountCents),
    nowMs: bed.clock(),
  })

describe('GET /api/v1/events', () => {
  test('pages with the cursor, oldest first, and filters by type', async () => {
    for (const amount of [1, 2, 3]) await topUp(amount)
    const first = await read('limit=2')
    assert.equal(first.data.length, 2)
    assert.equal(first.next_after, first.data[1]?.id)
    const second = await read(`after=${first.next_after}`)
    assert.equal(second.data.length, 1)
    const empty = await read(`after=${second.next_after}`)
    assert.deepEqual([empty.data, empty.next_after], [[], second.next_after])
    assert.equal((await read('after=latest')).next_after, second.next_after)
    assert.deepEqual((await read('types=job.*,key.threshold')).data, [])
  })

  test('waits for the next event of its account, not for those of others', async () => {
    const { next_after: after } = await read('after=latest')
    const waiting = read(`after=${after}&wait_s=60`)
    const stranger = read('wait_s=60', bed.strangerKey)
    await topUp()
    assert.deepEqual(
      (await waiting).data.map(({ type }) => type),
      ['topup.succeeded'],
    )
    bed.waiters.announceAll()
    assert.equal(await Promise.race([stranger, Promise.resolve('waits')]), 'waits')
    assert.deepEqual((await read('types=job.*')).data, [])
    const foreign = await bed.get(`/api/v1/events/${after}`, {
      authorization: `Bearer ${bed.strangerKey}`,
    })
    assert.equal(foreign.statusCode, 404)
    bed.waiters.close()
    assert.deepEqual((await stranger).data, [])
  })

  test('rejects unknown cursors, types and parameters', async () => {
    for (const [query, status, param] of [
      ['after=evt_0', 404, 'after'],
      ['types=jobs', 400, 'types'],
      ['wait_s=61', 400, 'wait_s'],
      ['since=1', 400, 'since'],
    ] as const) {
      const response = await bed.get(`/api/v1/events?${query}`)
      const { error } = response.json<{ error: { param: string } }>()
      assert.deepEqual([response.statusCode, error.param], [status, param], query)
    }
  })
})

describe('POST /api/v1/webhooks', () => {
  test('names an invalid field', async () => {
    const url = 'https://ops.example.com/hook'
    for (const [body, param] of [
      [{ events: ['*'] }, 'url'],
      [{ url, events: [] }, 'events'],
      [{ url, events: ['job'] }, 'events[0]'],
      [{ url, events: ['*'], secret: 'whsec_short' }, 'secret'],
      [{ url, events: ['*'], signature: 'v1a', secret: `whsec_${'A'.repeat(32)}` }, 'secret'],
      [{ url: 'ftp://ops.example.com', events: ['*'] }, 'url'],
      [{ url: 'http://10.0.0.1/hook', events: ['*'] }, 'url'],
      [{ format: 'email', events: ['key.*'] }, 'format'],
      [{ url, events: ['*'], colour: 'red' }, 'colour'],
    ] as const) {
      const response = await bed.post('/api/v1/webhooks', body)
      const { error } = response.json<{ error: { param: string } }>()
      assert.deepEqual([response.statusCode, error.param], [400, param], JSON.stringify(body))
    }
  })

  test('a repeated request with an Idempotency-Key creates one webhook and returns its secret', async () => {
    const create = () =>
      bed.post(
        '/api/v1/webhooks',
        { url: 'https://ops.example.com/once', events: ['*'] },
        { 'idempotency-key': 'webhook-1' },
      )
    const first = await create()
    const second = await create()
    assert.equal(second.body, first.body)
    assert.match(first.json<{ data: { secret: string } }>().data.secret, /^whsec_/)
    const list = await bed.get('/api/v1/webhooks')
    assert.equal(list.json<{ data: unknown[] }>().data.length, 1)
    assert.equal(list.body.includes('whsec_'), false)
  })

  test('limits the webhooks of a key and of an account', async () => {
    const { key } = (await bed.post('/api/v1/agents', {})).json<{ data: { key: string } }>().data
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) {
      const body = { url: `https://ops${count}.example.com/own`, events: ['*'] }
      const response = await bed.post('/api/v1/webhooks', body, { authorization: `Bearer ${key}` })
      statuses.push(response.statusCode)
    }
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 403])
  })
})
