import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createWorld } from '../../test/harness/beds/world.ts'
import { recordPrices } from '../audit/record-prices.ts'
import { createCatalog } from '../catalog/index.ts'
import type { Caller } from '../keys/caller.ts'
import { DAY_MS } from '../lib/clock.ts'
import { describeEvent } from './delivery/message.ts'
import type { EventRecord } from './event-record.ts'
import { listEvents } from './list-events.ts'
import { writeCatalogChanges } from './write-catalog-changes.ts'

const { database, now, account, call } = await createWorld()
const catalog = createCatalog()
await recordPrices(database, catalog)

async function eventsOf(caller: Caller): Promise<readonly EventRecord[]> {
  const page = { after: null, limit: 100, types: ['price.changed', 'action.unavailable'] }
  return (await listEvents(database, { ...caller, scope: 'account' }, page)).events
}

/** Starts with the present catalog after one in which these actions had this price. */
async function startAfter(prices: Readonly<Record<string, string>>): Promise<void> {
  for (const [action, price] of Object.entries(prices))
    await database.query(
      'insert into known_prices values ($1, to_jsonb($2::text)) on conflict (action) do update set price = excluded.price',
      [action, price],
    )
  await recordPrices(database, catalog)
}

const write = (): Promise<number> => writeCatalogChanges(database, now())

describe('changes of the catalog', () => {
  test('are written once to each account that used a live key within 30 days', async () => {
    const [active, idle, fresh] = [await account(), await account(), await account()]
    await call(idle.caller)
    now.advance(31 * DAY_MS)
    await call(active.caller)
    await startAfter({ 'core/consult': '9¢ per call', 'gone/search': '2¢ per call' })
    const written = await Promise.all([write(), write()])
    assert.equal(written[0] + written[1], 2)
    assert.equal(await write(), 0)
    const events = await eventsOf(active.caller)
    assert.deepEqual(
      events.map(({ type, data: { count, actions } }) => [type, { count, actions }]),
      [
        [
          'action.unavailable',
          { count: 1, actions: [{ action: 'gone/search', before: '2¢ per call' }] },
        ],
        [
          'price.changed',
          {
            count: 1,
            actions: [{ action: 'core/consult', before: '9¢ per call', after: '1¢ per call' }],
          },
        ],
      ],
    )
    assert.deepEqual(events.map(describeEvent), [
      '1 action can no longer be called: gone/search.',
      '1 price changed: core/consult from 9¢ per call to 1¢ per call.',
    ])
    for (const { caller } of [idle, fresh]) assert.deepEqual(await eventsOf(caller), [])
    assert.deepEqual(await eventsOf(active.testCaller), [])
  })

  test('of each start have an event of their own, which names at most 50 actions', async () => {
    const { caller } = await account()
    await call(caller)
    await startAfter(
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`old/a${at}`, 'free'])),
    )
    await write()
    await startAfter({ 'old/again': 'free' })
    await write()
    const events = (await eventsOf(caller)).filter(({ data }) =>
      JSON.stringify(data).includes('"old/'),
    )
    assert.deepEqual(
      events.map(({ data }) => [data['count'], (data['actions'] as unknown[]).length]),
      [
        [60, 50],
        [1, 1],
      ],
    )
    assert.match(describeEvent(events[0]!), /^60 actions .* and 55 more\.$/)
    assert.ok(events.every(({ data }) => JSON.stringify(data).length < 20_000))
  })
})
