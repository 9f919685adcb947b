import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { openEventBed } from '../../../test/harness/beds/events.ts'
import { refusedWith } from '../../../test/harness/refusal.ts'
import type { Caller } from '../../keys/caller.ts'
import { HOUR_MS, toRfc3339 } from '../../lib/clock.ts'
import { updateWebhook } from '../webhooks/change-webhook.ts'
import { MOST_AT_HOST } from '../webhooks/create-webhook.ts'
import { redeliverEvents } from './redeliver.ts'

const bed = await openEventBed()
const { database, now, webhooks, receiver } = bed

beforeEach(async () => {
  await database.query("update deliveries set status = 'failed'")
  await database.query('delete from delivery_paces')
  receiver.requests.length = 0
  receiver.answerWith(() => ({ status: 204 }))
  bed.mails.length = 0
})

const countAt = (path: string) =>
  receiver.requests.filter((request) => request.path === path).length

/** Writes the events of one statement each, which is faster than their causes. */
async function write(caller: Caller, count: number, type = 'topup.succeeded'): Promise<void> {
  await database.query(
    `select write_event($1, $2, $3, null, $4, '{}') from generate_series(1, $5)`,
    [now(), caller.accountId, caller.mode, type, count],
  )
}

async function proved(path: string): Promise<Caller> {
  const { caller } = await bed.account()
  await bed.subscribe(caller, { url: `${receiver.url}${path}` })
  await write(caller, 1)
  await bed.hire().drain()
  now.advance(HOUR_MS)
  return caller
}

describe('a destination', () => {
  test('gets 50 deliveries of an account and 5 more each second, over all processes', async () => {
    const caller = await proved('/own')
    receiver.requests.length = 0
    await write(caller, 200)
    const workers = [bed.hire(), bed.hire(), bed.hire()]
    const drain = () => Promise.all(workers.map((worker) => worker.drain()))
    await drain()
    assert.equal(receiver.requests.length, 50)
    now.advance(10_000)
    await drain()
    assert.ok(receiver.requests.length <= 100, `${receiver.requests.length} requests`)
    for (let second = 10; second < 50; second += 10) {
      now.advance(10_000)
      await drain()
    }
    assert.equal(receiver.requests.length, 200)
  })

  test('serves an account while another one exceeds its rate there', async () => {
    const flood = await proved('/flood')
    const caller = await proved('/quiet')
    await write(flood, 600)
    await bed.hire().drain()
    const before = countAt('/quiet')
    await write(caller, 20)
    await bed.hire().drain()
    assert.equal(countAt('/quiet') - before, 20)
  })

  test('gets 100 deliveries of all accounts and 50 more each second', async () => {
    const callers = [await proved('/a'), await proved('/b'), await proved('/c')]
    receiver.requests.length = 0
    for (const caller of callers) await write(caller, 60)
    await bed.hire().drain()
    assert.equal(receiver.requests.length, 100)
    for (let second = 0; second < 8; second += 1) {
      now.advance(2_000)
      await bed.hire().drain()
    }
    assert.equal(receiver.requests.length, 180)
  })

  test('that never answered 2xx gets five deliveries and one more each minute', async () => {
    const { caller } = await bed.account()
    await bed.subscribe(caller)
    receiver.answerWith(() => ({ status: 404 }))
    await write(caller, 100)
    await bed.hire().drain()
    assert.equal(receiver.requests.length, 5)
    now.advance(HOUR_MS)
    for (let round = 0; round < 3; round += 1) await bed.hire().drain()
    assert.ok(receiver.requests.length <= 10, `${receiver.requests.length} requests`)
  })

  test('gets what waited once it answers 2xx', async () => {
    const { caller } = await bed.account()
    await bed.subscribe(caller)
    await write(caller, 40)
    await bed.hire().drain()
    assert.equal(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size, 40)
  })

  test('is one of many new ones that share the rate of the account', async () => {
    const { caller } = await bed.account()
    receiver.answerWith(() => ({ status: 404 }))
    // Every address of 127.0.0.0/8 is this machine.
    const { port } = new URL(receiver.url)
    for (let host = 1; host <= 20; host += 1)
      await bed.subscribe(caller, { url: `http://127.0.1.${host}:${port}/hook` })
    await write(caller, 5)
    await bed.hire().drain()
    assert.equal((await triesOf(caller)).length, 30)
  })
})

async function triesOf(caller: Caller): Promise<readonly unknown[]> {
  const { rows } = await database.query(
    'select from deliveries, jsonb_array_elements(attempts) where account_id = $1',
    [caller.accountId],
  )
  return rows
}

test('events that cost nothing are sent in a burst of 200, then one every two seconds', async () => {
  const { caller } = await bed.account()
  for (const path of ['/1', '/2', '/3', '/4', '/5'])
    await bed.subscribe(caller, { url: `${receiver.url}${path}` })
  await write(caller, 1)
  await bed.hire().drain()
  await write(caller, 200, 'key.paused')
  receiver.requests.length = 0
  for (let second = 0; second < 100; second += 1) {
    now.advance(1_000)
    await bed.hire().drain()
  }
  assert.ok(receiver.requests.length <= 250, `${receiver.requests.length} requests`)
})

describe('an account', () => {
  test('has at most five webhooks at one host, also by a changed url', async () => {
    const { caller } = await bed.account()
    for (let made = 0; made < MOST_AT_HOST; made += 1)
      await bed.subscribe(caller, { url: `${receiver.url}/${made}` })
    const { port } = new URL(receiver.url)
    await assert.rejects(
      bed.subscribe(caller, { url: `http://127.0.0.1:${Number(port) + 1}/6` }),
      refusedWith('webhook_quota_exceeded', 'url'),
    )
    const { id } = await bed.subscribe(caller, { url: `http://127.0.0.2:${port}/` })
    await assert.rejects(
      updateWebhook(webhooks, caller, id, { url: `${receiver.url}/7` }),
      refusedWith('webhook_quota_exceeded', 'url'),
    )
    const other = (await bed.account()).caller
    await bed.subscribe(other)
  })

  test('sends at most 1,000 events again, and 1,000 more each hour', async () => {
    const { caller } = await bed.account()
    const { id } = await bed.subscribe(caller)
    const since = toRfc3339(now())
    await write(caller, 600)
    now.advance(1_000)
    assert.deepEqual(await redeliverEvents(webhooks, caller, id, { since }), { deliveries: 600 })
    await assert.rejects(
      redeliverEvents(webhooks, caller, id, { since }),
      refusedWith('rate_limited'),
    )
    now.advance(HOUR_MS)
    assert.deepEqual(await redeliverEvents(webhooks, caller, id, { since }), { deliveries: 600 })
  })

  test('gets a burst of 20 emails from all of its webhooks together', async () => {
    const { caller } = await bed.account()
    const email = { format: 'email' as const, events: ['topup.succeeded'] }
    for (let made = 0; made < 3; made += 1) await bed.subscribe(caller, email)
    await write(caller, 20)
    await bed.hire().drain()
    assert.equal(bed.mails.length, 20)
  })
})

describe('receivers that do not answer', () => {
  /** The tries that they have in progress when another receiver of the account gets its event. */
  async function triesBeside(slowTryMs?: number): Promise<number> {
    const { caller } = await bed.account()
    await bed.subscribe(caller, { url: `${receiver.url}/slow` })
    await bed.subscribe(caller, { url: `${receiver.url}/quick`, events: ['topup.failed'] })
    const worker = bed.hire(32, slowTryMs)
    await write(caller, 1)
    await worker.drain()
    receiver.requests.length = 0
    const arrived = Promise.withResolvers<void>()
    receiver.answerWith(({ path }) => {
      if (path === '/slow') return 'hang'
      arrived.resolve()
      return { status: 204 }
    })
    await write(caller, 20)
    await write(caller, 1, 'topup.failed')
    void worker.wake()
    await arrived.promise
    const tries = countAt('/slow')
    receiver.server.closeAllConnections()
    await worker.stop()
    return tries
  }

  test('leave half of the places of their account to others', async () => {
    assert.equal(await triesBeside(), 4)
  })

  test('get one place after a slow try', async () => {
    assert.equal(await triesBeside(0), 1)
  })
})

test('workers report no trouble', () => assert.deepEqual(bed.troubles, []))
