import assert from 'node:assert/strict'
import { test } from 'node:test'
import { local, localJob, defineService, params } from '../../catalog/vocabulary/define.ts'
import { createCatalog } from '../../catalog/index.ts'
import { budgeted, free } from '../../catalog/vocabulary/tariff.ts'
import { requireHandlers } from './require-handlers.ts'

const shared = { summary: 'Do it here.', input: params({}), example: {}, timeoutMs: 1_000 }
const service = defineService({
  id: 'own',
  title: 'Own',
  category: 'x',
  actions: {
    now: local({ ...shared, price: free, handler: 'own.now' }),
    later: localJob({
      ...shared,
      price: budgeted(() => 0n, 0n, 0n),
      handler: 'own.later',
      running: 'unlimited',
    }),
  },
})

test('a record without its handler stops the start and names both', () => {
  const catalog = createCatalog([service])
  const [none, now, later] = [new Set<string>(), new Set(['own.now']), new Set(['own.later'])]
  requireHandlers(catalog, { inHouse: none, local: now, jobs: later })
  assert.throws(
    () => requireHandlers(catalog, { inHouse: none, local: now, jobs: none }),
    /handlers\.ts.*own\/later names own\.later \(jobs\)$/,
  )
  // A call's handler cannot run a job.
  assert.throws(
    () =>
      requireHandlers(catalog, { inHouse: none, local: new Set([...now, ...later]), jobs: none }),
    /own\/later/,
  )
})
