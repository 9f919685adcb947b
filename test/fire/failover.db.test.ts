import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../harness/clean-up.ts'
import { killPrimaryUnderLoad } from './failover/kill-primary.ts'
import { startPair } from './failover/pair.ts'

test('a synchronous failover under load loses no acknowledged charge and charges nothing twice', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-failover-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  const cluster = await startPair({ folder, isSynchronous: true })
  cleanUp(() => cluster.stop())
  const { lost, broken, findings, acknowledged, outcomes } = await killPrimaryUnderLoad(cluster, {
    gateways: 2,
    callers: 32,
    calls: 300,
    behindCalls: 0,
  })
  assert.deepEqual({ lost, broken, findings }, { lost: 0, broken: [], findings: [] })
  assert.ok(acknowledged >= 600)
  assert.deepEqual(
    Object.keys(outcomes).filter(
      (outcome) => !['200', 'overloaded 503', 'idempotency_in_progress 409'].includes(outcome),
    ),
    [],
  )
})
