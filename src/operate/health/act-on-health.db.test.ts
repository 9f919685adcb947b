import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../test/harness/beds/world.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { listChanges } from '../../audit/list-changes.ts'
import { resolvePayment } from '../../calls/payments/queue.ts'
import { createSecretBox } from '../../events/webhooks/secrets.ts'
import { newId, publicId, type Id } from '../../lib/ids.ts'
import { createGuard } from '../../upstream/guard.ts'
import { cancelAnyJob, clearGoneRoute, enableAnyWebhook, redeliverAny } from './act-on-health.ts'

const world = await createWorld()
const { database, now } = world
const guard = createGuard({ allowPrivateNetworks: [] })
cleanUp(() => guard.close())
const deps = {
  database,
  now,
  guard,
  secrets: createSecretBox(Buffer.alloc(32, 1)),
  sendsEmail: false,
}
const { caller } = await world.account()
const { accountId } = caller

/** Inserts a row of the account with typical values, which `row` replaces. */
async function insert(table: string, row: Readonly<Record<string, unknown>>): Promise<Id> {
  const id = newId(now())
  const all = { id, account_id: accountId, mode: 'live', ...TYPICAL[table], ...row }
  const columns = Object.keys(all).join(', ')
  await database.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1::jsonb)`,
    [JSON.stringify(all)],
  )
  return id
}

const TYPICAL: Readonly<Record<string, object>> = {
  jobs: {
    service: 'core',
    action: 'crawl',
    input: {},
    budget_micros: 1,
    is_deep: false,
    created_ms: 1,
    deadline_ms: 9e15,
  },
  webhooks: {
    own_only: false,
    url: 'https://hooks.example/',
    format: 'json',
    events: ['*'],
    signature: 'v1',
    secret: '\\x00',
    created_ms: 1,
  },
  events: { sequence: 1_000, type: 'job.failed', data: {}, created_ms: 1 },
  deliveries: { url: 'https://hooks.example/', created_ms: 1 },
  payments: {
    service: 'core',
    action: 'fetch',
    method: 'x402',
    merchant: 'shop.example',
    challenge_id: 'c',
    currency: 'usd',
    amount_micros: 500,
    day: 1,
    created_ms: 1,
    deadline_ms: 1,
  },
}

const jobOf = (row: object) => insert('jobs', { wallet_id: caller.walletId, ...row })
const webhookId = await insert('webhooks', { status: 'disabled', disabled_because: 'failing' })
const eventId = await insert('events', {})
const deliveryId = await insert('deliveries', {
  event_id: eventId,
  status: 'failed',
  ended_ms: 1,
})
const [queued, running] = [await jobOf({ status: 'queued' }), await jobOf({ status: 'running' })]
const ROUTE = 'render/extract  vendor render'
await database.query(
  `insert into gone_routes (service, action, endpoint, lane, vendor, status, message, first_ms, last_ms)
   values ('render', 'extract', '', 'vendor', 'render', 410, 'Gone', 1, 2)`,
)
const paymentId = await insert('payments', { status: 'unknown', call_id: newId(now()) })

const ACTIONS = [
  () => cancelAnyJob(deps, publicId('job', queued)),
  () => cancelAnyJob(deps, publicId('job', running)),
  () => enableAnyWebhook(deps, publicId('webhook', webhookId)),
  () => redeliverAny(deps, publicId('delivery', deliveryId)),
  () => clearGoneRoute(database, ROUTE),
  () => resolvePayment(database, paymentId, 'paid', 'seen', now()),
]

async function states(): Promise<unknown> {
  const { rows } = await database.query(
    `select (select array_agg(status || ' ' || is_cancelled order by id) from jobs) as jobs, (select status from webhooks) as webhook,
       (select status from deliveries) as delivery, (select status from payments) as payment,
       (select count(*)::integer from gone_routes) as gone`,
  )
  return rows[0]
}

async function changes() {
  const page = await listChanges(database, { filter: {}, cursor: null, limit: 100 })
  return page.changes.filter(({ subject }) =>
    ['job', 'webhook', 'delivery', 'payment', 'gone_route'].includes(subject),
  )
}

test('an action that the audit log cannot record does not happen', async () => {
  await database.query(
    `create function fail() returns trigger language plpgsql as $$ begin raise exception 'no audit'; end $$`,
  )
  await database.query(
    'create trigger fail before insert on changes for each row execute function fail()',
  )
  const before = await states()
  for (const act of ACTIONS) await assert.rejects(act(), { message: /no audit/ })
  assert.deepEqual(await states(), before)
  await database.query('drop trigger fail on changes')
})

test('an action writes one entry, with the states before and after', async () => {
  for (const act of ACTIONS) await act()
  assert.deepEqual(await states(), {
    jobs: ['failed false', 'running true'],
    webhook: 'active',
    delivery: 'waiting',
    payment: 'resolved',
    gone: 0,
  })
  assert.deepEqual((await changes()).map(({ subject, fields }) => [subject, fields]).toReversed(), [
    ['job', { cancelled: [false, true] }],
    ['job', { cancelled: [false, true] }],
    ['webhook', { status: ['disabled', 'active'] }],
    ['delivery', { status: ['failed', 'waiting'] }],
    ['gone_route', { status: [410, null] }],
    ['payment', { status: ['unknown', 'paid'], amount_micros: [null, 500] }],
  ])
})

test('an action that changes nothing writes no entry, and reports an ended job', async () => {
  const before = await changes()
  for (const job of [queued, running])
    await assert.rejects(cancelAnyJob(deps, publicId('job', job)), { code: 'bad_request' })
  await assert.rejects(clearGoneRoute(database, ROUTE), { code: 'bad_request' })
  await enableAnyWebhook(deps, publicId('webhook', webhookId))
  assert.deepEqual(await changes(), before)
})
