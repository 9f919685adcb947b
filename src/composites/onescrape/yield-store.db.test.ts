import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Database } from '../../db/database.ts'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { cloneDatabase } from '../../../test/harness/postgres.ts'
import { createDomainMemory } from './domain-memory.ts'
import { createYieldStore, forgetOldYields } from './yield-store.ts'

const RENDERERS = ['render2', 'render'] as const
const clock = manualClock(Date.UTC(2026, 10, 20))
let database: Database

before(async () => {
  database = (await cloneDatabase()).database
})

function node() {
  const store = createYieldStore({ database, now: clock })
  return { store, memory: createDomainMemory({ store, now: clock }) }
}

describe('the host memory', () => {
  it('is shared between processes', async () => {
    const [here, there] = [node(), node()]
    here.memory.record('a.example', 'render2', 0)
    here.memory.record('a.example', 'render', 0.9)
    await here.store.settle()
    assert.deepEqual(there.memory.rank('a.example', RENDERERS), ['render2', 'render'])
    await there.memory.prepare(['a.example', 'b.example'])
    assert.deepEqual(there.memory.rank('a.example', RENDERERS), ['render', 'render2'])
    assert.deepEqual(there.memory.rank('b.example', RENDERERS), ['render2', 'render'])
  })

  it('averages alike in the database and in the process', async () => {
    const { store, memory } = node()
    const yields = [0, 0.3, 1, 1, 0.2]
    for (const pageYield of yields) memory.record('c.example', 'render', pageYield)
    await store.settle()
    const expected = yields.reduce(
      (average, pageYield) => average + 0.4 * (pageYield - average),
      0.5,
    )
    const [row] = await store.load(['c.example'])
    assert.ok(Math.abs((row?.yield ?? 0) - expected) < 1e-6)
  })

  it('reloads after 30 seconds, and never fails without a database', async () => {
    let loads = 0
    const memory = createDomainMemory({
      now: clock,
      store: { load: () => (loads++, Promise.reject(new Error('away'))), record: () => undefined },
    })
    await memory.prepare(['d.example'])
    assert.deepEqual(memory.rank('d.example', RENDERERS), ['render2', 'render'])
    const answered = createDomainMemory({
      now: clock,
      store: { load: () => (loads++, Promise.resolve([])), record: () => undefined },
    })
    await answered.prepare(['d.example'])
    await answered.prepare(['d.example', 'd.example'])
    assert.equal(loads, 2)
    clock.advance(30_000)
    await answered.prepare(['d.example'])
    assert.equal(loads, 3)
  })

  it('deletes hosts not read for 90 days', async () => {
    const { store, memory } = node()
    memory.record('old.example', 'render', 1)
    await store.settle()
    clock.advance(91 * 86_400_000)
    memory.record('new.example', 'render', 1)
    await store.settle()
    await forgetOldYields(database, clock())
    assert.deepEqual(
      (await store.load(['old.example', 'new.example'])).map(({ host }) => host),
      ['new.example'],
    )
  })
})
