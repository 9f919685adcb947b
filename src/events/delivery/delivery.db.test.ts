import assert from 'node:assert/strict'
import { verify as verifySignature } from 'node:crypto'
import { beforeEach, describe, mock, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { START_MS } from '../../../test/harness/beds/accounts.ts'
import { openEventBed } from '../../../test/harness/beds/events.ts'
import { refusedWith } from '../../../test/harness/refusal.ts'
import type { VendorRequest } from '../../../test/harness/vendors/vendor.ts'
import { addMember, findOrCreatePerson } from '../../auth/records/add-member.ts'
import { closeAccount } from '../../accounts/close-account.ts'
import { forgetAccount } from '../../accounts/forget-account.ts'
import { createKey } from '../../keys/create-key.ts'
import type { Caller } from '../../keys/caller.ts'
import { revokeKey } from '../../keys/revoke-key.ts'
import { DAY_MS, HOUR_MS, toRfc3339 } from '../../lib/clock.ts'
import { firstIdAt } from '../../lib/ids.ts'
import {
  deleteWebhook,
  readWebhook,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from '../webhooks/change-webhook.ts'
import { receiversPart } from '../webhooks/secrets.ts'
import { claimDeliveries, LEASE_MS } from './claim-deliveries.ts'
import { listDeliveries } from './list-deliveries.ts'
import { redeliver, redeliverEvents } from './redeliver.ts'
import { MOST_TRIES, waitAfter } from './retry-schedule.ts'

const bed = await openEventBed()
const { database, now, webhooks, receiver } = bed
const worker = bed.hire()
const shares = { account: 10, receiver: 10, slow: 10 }

beforeEach(async () => {
  await database.query("update deliveries set status = 'failed'")
  receiver.requests.length = 0
  receiver.answerWith(() => ({ status: 204 }))
  bed.mails.length = 0
})

const deliveriesOf = async (caller: Caller, webhookId?: string) =>
  (await listDeliveries(database, caller, { webhookId, cursor: null, limit: 100 })).deliveries

const idsOf = (requests: readonly VendorRequest[]) =>
  requests.map(({ headers }) => headers['webhook-id'])

function verify(secret: string, request: VendorRequest | undefined): unknown {
  assert.ok(request !== undefined, 'a request arrived')
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  } = request.headers
  // The package compares the timestamp with the system's time.
  const clock = mock.method(Date, 'now', () => now())
  try {
    return new Webhook(secret).verify(JSON.stringify(request.body), {
      'webhook-id': String(id),
      'webhook-timestamp': String(timestamp),
      'webhook-signature': String(signature),
    })
  } finally {
    clock.mock.restore()
  }
}

/** Moves the clock to the next try and makes it. */
async function nextTry(waitMs: number): Promise<void> {
  now.advance(waitMs)
  await worker.drain()
}

describe('a delivery', () => {
  test('posts a thin signed body that the standardwebhooks package verifies', async () => {
    const { caller } = await bed.account()
    const { secret } = await bed.subscribe(caller)
    await bed.cause(caller)
    await worker.drain()
    const [request] = receiver.requests
    const body = verify(secret, request) as { type: string; timestamp: string; data: object }
    assert.deepEqual(
      [request?.method, request?.path, request?.headers['content-type']],
      ['POST', '/hook', 'application/json'],
    )
    assert.deepEqual(
      [body.type, Object.keys(body)],
      ['topup.succeeded', ['type', 'timestamp', 'data']],
    )
    assert.match(String(request?.headers['webhook-id']), /^evt_[0-9a-f]{32}$/)
    assert.throws(() => verify(`whsec_${Buffer.alloc(32, 1).toString('base64')}`, request))
    const [delivery] = await deliveriesOf(caller)
    assert.deepEqual(
      [delivery?.status, delivery?.tries.map(({ status }) => status)],
      ['delivered', [204]],
    )
  })

  test('is repeated on the schedule with the same id and body, then given up', async () => {
    const { caller } = await bed.account()
    const { secret } = await bed.subscribe(caller)
    receiver.answerWith(() => ({ status: 503, body: 'down for repairs' }))
    await bed.cause(caller)
    await worker.drain()
    const waits = [
      5_000,
      300_000,
      1_800_000,
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
    ]
    for (const wait of waits) {
      await nextTry(wait - 1)
      const before = receiver.requests.length
      await nextTry(1)
      assert.equal(receiver.requests.length, before + 1, `after ${wait} ms`)
      verify(secret, receiver.requests.at(-1))
    }
    await nextTry(30 * DAY_MS)
    assert.deepEqual([receiver.requests.length, new Set(idsOf(receiver.requests)).size], [10, 1])
    assert.equal(new Set(receiver.requests.map(({ body }) => JSON.stringify(body))).size, 1)
    const [delivery] = await deliveriesOf(caller)
    assert.equal(delivery?.status, 'failed')
    assert.deepEqual(delivery?.tries[0], {
      at: delivery?.tries[0]?.at,
      took_ms: delivery?.tries[0]?.took_ms,
      status: 503,
      note: 'down for repairs',
    })
  })

  test('obeys Retry-After, and counts a redirect and a lost connection as failures', async () => {
    const { caller } = await bed.account()
    await bed.subscribe(caller)
    await bed.cause(caller)
    receiver.answerWith(() => ({ status: 429, headers: { 'retry-after': '1800' } }))
    await worker.drain()
    await nextTry(1_799_000)
    assert.equal(receiver.requests.length, 1)
    receiver.answerWith(() => ({ status: 302, headers: { location: `${receiver.url}/elsewhere` } }))
    await nextTry(1_000)
    receiver.answerWith(() => 'reset')
    await nextTry(300_000)
    const [delivery] = await deliveriesOf(caller)
    assert.deepEqual(
      delivery?.tries.map(({ status, note }) => [status, note]),
      [
        [429, '{}'],
        [302, 'Redirects are not followed'],
        [null, 'The connection was lost'],
      ],
    )
    assert.ok(receiver.requests.every(({ path }) => path === '/hook'))
  })

  test('is signed by both secrets during a rotation, and by the new one afterwards', async () => {
    const { caller } = await bed.account()
    const made = await bed.subscribe(caller)
    const rotated = await rotateSecret(webhooks, caller, made.id, { graceSeconds: 3_600 })
    await bed.cause(caller)
    await worker.drain()
    verify(made.secret, receiver.requests[0])
    verify(rotated.secret, receiver.requests[0])
    now.advance(3_600_000)
    await bed.cause(caller)
    await worker.drain()
    verify(rotated.secret, receiver.requests[1])
    assert.throws(() => verify(made.secret, receiver.requests[1]))
  })

  test('is signed with Ed25519 for v1a', async () => {
    const { caller } = await bed.account()
    const { secret } = await bed.subscribe(caller, { signature: 'v1a' })
    assert.match(secret, /^whpk_/)
    await bed.cause(caller)
    await worker.drain()
    const { headers, body } = receiver.requests[0]!
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${JSON.stringify(body)}`
    const [version, signature = ''] = String(headers['webhook-signature']).split(',')
    const key = {
      key: Buffer.concat([
        Buffer.from('302a300506032b6570032100', 'hex'),
        Buffer.from(secret.slice('whpk_'.length), 'base64'),
      ]),
      format: 'der',
      type: 'spki',
    } as const
    assert.equal(version, 'v1a')
    assert.ok(verifySignature(null, Buffer.from(content), key, Buffer.from(signature, 'base64')))
  })

  test('is not sent to a private network, also when the address changes after registration', async () => {
    const { caller } = await bed.account()
    await assert.rejects(
      bed.subscribe(caller, { url: 'http://10.0.0.1/hook' }),
      refusedWith('bad_url', 'url'),
    )
    const { id } = await bed.subscribe(caller)
    await database.query(
      "update webhooks set url = 'http://169.254.169.254/latest' where account_id = $1",
      [caller.accountId],
    )
    await bed.cause(caller)
    await worker.drain()
    const [delivery] = await deliveriesOf(caller, id)
    assert.equal(delivery?.tries[0]?.note, '"169.254.169.254" is not a host on the public internet')
  })

  test('is not registered for a port of another protocol, also of a public host', async () => {
    const { caller } = await bed.account()
    for (const port of [22, 25, 587, 6667])
      await assert.rejects(
        bed.subscribe(caller, { url: `https://example.com:${port}` }),
        refusedWith('bad_url', 'url'),
        String(port),
      )
  })

  test('of a worker that died is repeated by another after its lease', async () => {
    const { caller } = await bed.account()
    await bed.subscribe(caller)
    await bed.cause(caller)
    await claimDeliveries(database, firstIdAt(1), 10, { used: {}, slow: [], shares }, now())
    await worker.drain()
    assert.equal(receiver.requests.length, 0)
    await nextTry(LEASE_MS)
    assert.equal(receiver.requests.length, 1)
  })

  test('is made once when several workers are woken', async () => {
    const { caller } = await bed.account()
    await bed.subscribe(caller)
    for (let sent = 0; sent < 20; sent += 1) await bed.cause(caller)
    await Promise.all([worker, bed.hire(), bed.hire()].map((one) => one.drain()))
    assert.deepEqual([receiver.requests.length, new Set(idsOf(receiver.requests)).size], [20, 20])
  })

  test('of one account leaves places for other accounts', async () => {
    const slow = (await bed.account()).caller
    const other = (await bed.account()).caller
    const arrived = {
      '/hook': Promise.withResolvers<void>(),
      '/other': Promise.withResolvers<void>(),
    }
    receiver.answerWith(({ path }) => {
      arrived[path === '/hook' ? path : '/other'].resolve()
      return path === '/hook' ? 'hang' : { status: 204 }
    })
    await bed.subscribe(slow)
    await bed.subscribe(other, { url: `${receiver.url}/other` })
    for (let sent = 0; sent < 10; sent += 1) await bed.cause(slow)
    await bed.cause(other)
    const small = bed.hire(4)
    void small.wake()
    await Promise.all([arrived['/hook'].promise, arrived['/other'].promise])
    assert.equal(receiver.requests.filter(({ path }) => path === '/hook').length, 1)
    receiver.server.closeAllConnections()
    await small.stop()
  })
})

describe('a failing webhook', () => {
  test('is disabled by 410, with an email, and its waiting deliveries end', async () => {
    const { caller } = await bed.account()
    const { id } = await bed.subscribe(caller)
    receiver.answerWith(() => ({ status: 410 }))
    await bed.cause(caller)
    await worker.drain()
    const webhook = await readWebhook(webhooks, caller, id)
    assert.deepEqual([webhook.status, webhook.disabled_because], ['disabled', 'gone'])
    assert.match(bed.mails[0]?.text ?? '', /answered 410 Gone/)
    await bed.cause(caller)
    await nextTry(DAY_MS)
    assert.equal(receiver.requests.length, 1)
  })

  test('is disabled after five days without a success; a success resets the time', async () => {
    const { caller } = await bed.account()
    const { id } = await bed.subscribe(caller)
    const fail = async (): Promise<void> => {
      receiver.answerWith(() => ({ status: 500 }))
      await bed.cause(caller)
      await worker.drain()
    }
    const statusOf = async () => (await readWebhook(webhooks, caller, id)).disabled_because
    await fail()
    now.advance(4 * DAY_MS)
    receiver.answerWith(() => ({ status: 200 }))
    await worker.drain()
    await fail()
    now.advance(5 * DAY_MS - 1)
    await database.query("update deliveries set status = 'failed'")
    await fail()
    assert.equal(await statusOf(), null)
    now.advance(1)
    await fail()
    assert.equal(await statusOf(), 'failing')
    assert.match(bed.mails[0]?.text ?? '', /no event for five days/)
  })

  test('receives what it missed after it was enabled: by range, and once per id', async () => {
    const { caller } = await bed.account()
    const { id } = await bed.subscribe(caller)
    const since = toRfc3339(now())
    await bed.cause(caller)
    await worker.drain()
    await updateWebhook(webhooks, caller, id, { status: 'disabled' })
    await bed.cause(caller)
    await assert.rejects(
      redeliverEvents(webhooks, caller, id, { since }),
      refusedWith('bad_request'),
    )
    await updateWebhook(webhooks, caller, id, { status: 'active' })
    now.advance(1_000)
    assert.deepEqual(await redeliverEvents(webhooks, caller, id, { since }), { deliveries: 2 })
    await worker.drain()
    assert.deepEqual([receiver.requests.length, new Set(idsOf(receiver.requests)).size], [3, 2])
    const [delivery] = await deliveriesOf(caller, id)
    const one = await redeliverEvents(webhooks, caller, id, { event_id: delivery?.event_id ?? '' })
    assert.deepEqual(one, { deliveries: 1 })
    await redeliver(webhooks, caller, delivery?.id ?? '')
    await worker.drain()
    assert.equal(receiver.requests.length, 4)
  })
})

describe('receivers', () => {
  const email = { format: 'email' as const, events: ['topup.succeeded'] }

  test('get the types that they subscribe to', async () => {
    const { caller } = await bed.account()
    await bed.subscribe(caller, { events: ['job.*', 'key.paused'] })
    await bed.subscribe(caller, { events: ['topup.*'], url: `${receiver.url}/topups` })
    await bed.cause(caller)
    await worker.drain()
    assert.deepEqual(
      receiver.requests.map(({ path }) => path),
      ['/topups'],
    )
  })

  test('of a key with scope "own" get the events of this key only', async () => {
    const { caller } = await bed.account()
    const { key, id } = await createKey(bed.keys, caller, { ceiling_cents: 10 })
    const own = await bed.callerOf(key)
    await bed.subscribe(own)
    await bed.cause(caller)
    await bed.call(own, { hold: '5' })
    await worker.drain()
    assert.deepEqual(
      receiver.requests.map(({ body }) => (body as { type: string }).type),
      ['key.threshold'],
    )
    receiver.answerWith(() => ({ status: 503 }))
    await bed.call(own, { hold: '4' })
    await worker.drain()
    await revokeKey(bed.keys, caller, id)
    const before = receiver.requests.length
    await nextTry(DAY_MS)
    assert.equal(receiver.requests.length, before)
    const { rows } = await database.query(
      'select disabled_because from webhooks where key_id = $1',
      [own.keyId],
    )
    assert.deepEqual(rows, [{ disabled_because: 'closed' }])
  })

  test('in the format "slack" get a text, in the format "email" an email to the account', async () => {
    const { caller } = await bed.account()
    await bed.subscribe(caller, { format: 'slack' })
    await bed.subscribe(caller, email)
    await bed.cause(caller)
    await worker.drain()
    assert.deepEqual(receiver.requests[0]?.body, { text: '$1.00 was added. The balance is $3.00.' })
    assert.deepEqual(
      bed.mails.map(({ to, subject }) => [to.includes('@example.com'), subject]),
      [[true, 'Tollgate: Credit was bought']],
    )
  })

  test('of email go to another owner after the person with the address has left', async () => {
    const { caller } = await bed.account()
    await bed.subscribe(caller, email)
    const accountId = caller.accountId
    await database.transaction(async (tx) => {
      const personId = await findOrCreatePerson(tx, 'next-owner@example.com', START_MS)
      await tx.query('delete from members where account_id = $1', [accountId])
      await addMember(tx, { accountId, personId, role: 'owner', nowMs: START_MS })
    })
    await bed.cause(caller)
    await worker.drain()
    assert.deepEqual(
      bed.mails.map(({ to }) => to),
      ['next-owner@example.com'],
    )
  })

  test('of email wait above 20 emails per hour', async () => {
    const { caller } = await bed.account()
    await bed.subscribe(caller, email)
    for (let sent = 0; sent < 22; sent += 1) await bed.cause(caller)
    for (let round = 0; round < 3; round += 1) await worker.drain()
    assert.ok(bed.mails.length >= 20 && bed.mails.length <= 22, `${bed.mails.length} emails`)
    await nextTry(HOUR_MS + 600_000)
    assert.equal(bed.mails.length, 22)
  })

  test('get a test event that no other webhook receives', async () => {
    const { caller } = await bed.account()
    await bed.subscribe(caller, { url: `${receiver.url}/other` })
    const { id } = await bed.subscribe(caller, { events: ['job.failed'] })
    const { event_id: eventId } = await testWebhook(webhooks, caller, id)
    await worker.drain()
    assert.deepEqual(
      receiver.requests.map(({ path, headers }) => [path, headers['webhook-id']]),
      [['/hook', eventId]],
    )
  })

  test('do not deadlock with events that are written while they change', async () => {
    const { caller } = await bed.account()
    const { id } = await bed.subscribe(caller)
    const label = (at: number) => updateWebhook(webhooks, caller, id, { label: `label ${at}` })
    const all = Array.from({ length: 60 }, (_, at) =>
      at % 3 === 0
        ? bed.cause(caller)
        : at % 3 === 1
          ? testWebhook(webhooks, caller, id)
          : label(at),
    )
    const results = await Promise.allSettled(all)
    assert.deepEqual(
      results.filter(({ status }) => status === 'rejected'),
      [],
    )
    await worker.drain()
    assert.equal(new Set(idsOf(receiver.requests)).size, 40)
  })

  test('of other accounts and keys are unknown', async () => {
    const { caller } = await bed.account()
    const stranger = (await bed.account()).caller
    const { id } = await bed.subscribe(caller)
    const own = await bed.callerOf((await createKey(bed.keys, caller, {})).key)
    await bed.cause(caller)
    for (const who of [stranger, own]) {
      const unknown = refusedWith('unknown_webhook')
      await assert.rejects(readWebhook(webhooks, who, id), unknown)
      await assert.rejects(updateWebhook(webhooks, who, id, { label: 'mine' }), unknown)
      await assert.rejects(deleteWebhook(webhooks, who, id), unknown)
      await assert.rejects(testWebhook(webhooks, who, id), unknown)
      await assert.rejects(redeliverEvents(webhooks, who, id, { since: '2027-01-01' }), unknown)
      assert.deepEqual(await deliveriesOf(who, id), [])
      const [delivery] = await deliveriesOf(caller, id)
      await assert.rejects(
        redeliver(webhooks, who, delivery?.id ?? ''),
        refusedWith('unknown_delivery'),
      )
    }
  })
})

test('closing an account ends its deliveries; erasing it deletes its events', async () => {
  const { caller } = await bed.account()
  await bed.subscribe(caller)
  receiver.answerWith(() => ({ status: 500 }))
  await bed.cause(caller)
  await worker.drain()
  const { rows } = await database.query<{ email: string }>(
    'select email from accounts where id = $1',
    [caller.accountId],
  )
  await closeAccount(database, rows[0]?.email ?? '')
  await nextTry(DAY_MS)
  assert.equal(receiver.requests.length, 1)
  await forgetAccount(database, caller.accountId)
  for (const table of ['events', 'webhooks', 'deliveries', 'event_streams']) {
    const { count } = await database.query(`select from ${table} where account_id = $1`, [
      caller.accountId,
    ])
    assert.equal(count, 0, table)
  }
})

test('stores no readable secret', async () => {
  const { caller } = await bed.account()
  const { secret } = await bed.subscribe(caller)
  const { rows } = await database.query<{ line: string }>(
    'select webhooks::text as line from webhooks where account_id = $1',
    [caller.accountId],
  )
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
  for (const text of [
    secret,
    secret.slice(6),
    bytes.toString('hex'),
    Buffer.from(secret).toString('hex'),
  ])
    assert.equal(rows[0]?.line.includes(text), false)
  assert.equal(receiversPart(secret), secret)
})

test('waits 75 h 35 min in all, with a tenth of jitter', () => {
  const waits = Array.from({ length: MOST_TRIES }, (_, tries) => waitAfter(tries, 0, 0.5) ?? 0)
  const total = waits.reduce((sum, wait) => sum + wait, 0)
  assert.equal(Math.floor(total / 60_000), 75 * 60 + 35)
  assert.deepEqual(
    [waitAfter(1, 0, 0), waitAfter(1, 0, 1), waitAfter(1, 60_000, 0.5)],
    [4_500, 5_500, 60_000],
  )
  assert.equal(waitAfter(MOST_TRIES, 0, 0.5), null)
})

test('workers report no trouble', () => assert.deepEqual(bed.troubles, []))
