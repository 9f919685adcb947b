/**
 * The figures of docs/high-availability.md: kills the primary of a database cluster under load.
 *
 * `npx node test/fire/failover/run.ts` starts a primary with a synchronous standby from the packaged PostgreSQL.
 * `--asynchronous --behind 500`: the standby has not seen the last 500 calls when the primary dies.
 * `--manager patroni`: the worked example, with Debian's patroni, etcd-server and postgresql, as root.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { cleanUp } from '../../harness/clean-up.ts'
import { killPrimaryUnderLoad } from './kill-primary.ts'
import { startPair } from './pair.ts'
import { startPatroni } from './patroni.ts'

const { values } = parseArgs({
  options: {
    manager: { type: 'string', default: 'none' },
    asynchronous: { type: 'boolean', default: false },
    behind: { type: 'string', default: '0' },
    callers: { type: 'string', default: '32' },
    calls: { type: 'string', default: '2000' },
  },
})

void test('the primary dies under load', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-failover-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  const cluster =
    values.manager === 'patroni'
      ? await startPatroni(folder)
      : await startPair({ folder, isSynchronous: !values.asynchronous })
  cleanUp(() => cluster.stop())
  const figures = await killPrimaryUnderLoad(cluster, {
    gateways: 2,
    callers: Number(values.callers),
    calls: Number(values.calls),
    behindCalls: Number(values.behind),
  })
  context.diagnostic(
    `promoted ${(figures.promotedMs / 1000).toFixed(1)} s after the kill; first success ${(figures.firstSuccessMs / 1000).toFixed(2)} s after that`,
  )
  context.diagnostic(`answers: ${JSON.stringify(figures.outcomes)}`)
  context.diagnostic(
    `acknowledged charges: ${figures.acknowledged}, lost: ${figures.lost}; other broken promises: ${figures.broken.length}; findings of verify-ledger: ${figures.findings.length}`,
  )
  for (const words of figures.broken.slice(0, 10)) context.diagnostic(words)
})
