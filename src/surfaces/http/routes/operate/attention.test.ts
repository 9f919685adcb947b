import assert from 'node:assert/strict'
import { test } from 'node:test'
import { itemsOf, type AttentionView } from './attention.ts'

const QUIET: AttentionView = {
  attention: {
    payments: { count: 0, amount: 0n },
    sales: { count: 0, amount: 0n },
    cardEvents: 0,
    failedJobs: 0,
    disabledWebhooks: 0,
    goneRoutes: [],
    counted: true,
    lastBackupMs: 0,
  },
  ends: [],
  troubles: [],
  tests: [],
  facts: null,
  oldestQueuedS: null,
  nowMs: 0,
}
const FACTS = {
  disk: null,
  dataDir: '/data',
  backups: 'external',
  mistyped: [],
  checks: null,
  version: '0.1.0',
  browserBehind: 0,
  uptimeMs: 0,
  openBreakers: [],
} as const

test('an outdated browser needs the operator, also before the checks have run', () => {
  assert.deepEqual(itemsOf({ ...QUIET, facts: FACTS }), [])
  const [item] = itemsOf({ ...QUIET, facts: { ...FACTS, browserBehind: 5 } })
  assert.equal(item?.title, 'The browser is about 5 major versions old')
  assert.equal(item.level, 'warn')
})
