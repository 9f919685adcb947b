import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createWorld } from '../../../test/harness/beds/world.ts'
import { takeWelcomeCredit } from '../../accounts/welcome-credit.ts'
import { createCatalog } from '../../catalog/index.ts'
import { connectDatabase, type Database } from '../../db/database.ts'
import { CallTally } from '../../lib/metrics/call-tally.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { createExposition } from '../../surfaces/http/routes/metrics/exposition.ts'
import { createFigures } from './figures.ts'
import { openMetrics } from './metrics.ts'

const world = await createWorld()

function counting(): { readonly database: Database; asked: number } {
  const counted = {
    asked: 0,
    database: {
      ...world.database,
      query: ((...statement) => {
        counted.asked += 1
        return world.database.query(...statement)
      }) as Database['query'],
    },
  }
  return counted
}

/** The metrics text of a gateway with this database. */
async function written(database: Database): Promise<string> {
  const settings = {
    metricsToken: 'a token of this test',
    pay: { dailyCeiling: 0n },
    people: { welcomeCreditsPerDay: 3 },
  }
  const engine = {
    calls: { ledger: world.ledger, tally: new CallTally(), catalog: createCatalog([]) },
    router: { directory: { isConfigured: false } },
    browserUse: () => ({ places: 1, taken: 0, waiting: 0 }),
    openBreakers: () => [],
  }
  const metrics = openMetrics(
    settings,
    database,
    engine as unknown as Parameters<typeof openMetrics>[2],
    world.now,
  )
  assert.ok(metrics)
  return createExposition(metrics.tally, metrics.readings).write()
}

describe('figures from the database', () => {
  it('report open holds, jobs and sessions, with live and test separate', async () => {
    const { caller, testCaller } = await world.account()
    await world.call(caller, { hold: '5', open: true })
    await world.call(caller, { hold: '2', open: true })
    await world.call(testCaller, { hold: '1', open: true })
    await world.call(caller, { hold: '3' })
    const text = await written(world.database)
    for (const line of [
      'tollgate_open_holds{mode="live"} 2',
      'tollgate_held_micros{mode="live"} 70000',
      'tollgate_open_holds{mode="test"} 1',
      'tollgate_held_micros{mode="test"} 10000',
      'tollgate_database_up 1',
    ])
      assert.ok(text.includes(`${line}\n`), line)
  })

  it('report the welcome credits granted today and their daily limit', async () => {
    const given = (count: number) => new RegExp(`^tollgate_welcome_credits_today ${count}$`, 'm')
    assert.match(await written(world.database), given(0))
    for (const isGiven of [true, true])
      assert.equal(
        await takeWelcomeCredit(world.database, { mostPerDay: 3, nowMs: world.now() }),
        isGiven,
      )
    const text = await written(world.database)
    assert.match(text, given(2))
    assert.match(text, /^tollgate_welcome_credits_day_limit 3$/m)
    world.now.advance(DAY_MS)
    assert.match(await written(world.database), given(0))
  })

  it('report by how many seconds the processes are ahead of a database whose clock jumped', async () => {
    await world.database.query(
      'insert into shared_clock (ahead_ms, beat_ms, writer) values (-172800000, 0, gen_random_uuid())',
    )
    assert.match(
      await written(world.database),
      /^tollgate_clock_ahead_of_database_seconds -172800$/m,
    )
  })

  it('are read once for all scrapes within seconds', async () => {
    const counted = counting()
    const figures = createFigures({ database: counted.database, now: world.now })
    await Promise.all([figures(), figures(), figures()])
    const once = counted.asked
    await figures()
    assert.deepEqual([once, counted.asked], [5, 5])
    world.now.advance(5_000)
    await figures()
    assert.equal(counted.asked, 10)
  })

  it('are omitted while the database is away; other metrics remain', async () => {
    const away = connectDatabase({ host: '/nowhere', user: 'nobody', database: 'none' })
    const text = await written(away)
    await away.close()
    for (const line of [
      /^process_resident_memory_bytes \d+$/m,
      /^tollgate_database_up 0$/m,
      /^tollgate_build_info\{/m,
      /^tollgate_ledger_flushes_total \d+$/m,
    ])
      assert.match(text, line)
    assert.doesNotMatch(
      text,
      /^tollgate_(open_holds|held_micros|jobs|payments_waiting|paid_today_micros|welcome_credits_today)[ {]/m,
    )
  })

  it('are queried once and not awaited while the database does not answer', async () => {
    let asked = 0
    const silent = {
      ...world.database,
      query: () => {
        asked += 1
        return new Promise<never>(() => {})
      },
    }
    const figures = createFigures({ database: silent, now: world.now, timeoutMs: 1 })
    assert.deepEqual([await figures(), await figures(), asked], [null, null, 1])
  })
})
