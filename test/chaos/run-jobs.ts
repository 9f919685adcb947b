// The long form of the test that kills workers. Run: npx node test/chaos/run-jobs.ts --jobs 1000 --kills 200 [--keyed]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connectDatabase } from '../../src/db/database.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts'
import { SCHEMA } from '../../src/app/wiring/schema.ts'
import { migrate } from '../../src/db/migrate.ts'
import { killWorkers, STEPS } from './job-kills.ts'

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '200' },
    keyed: { type: 'boolean', default: false },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'tollgate-chaos-'))
const server = await startEmbeddedPostgres({ folder })
const from = performance.now()
try {
  const database = connectDatabase(server.address, { poolSize: 1 })
  await migrate(database, SCHEMA)
  await database.close()
  const report = await killWorkers(server.address, {
    jobs: Number(values.jobs),
    kills: Number(values.kills),
    isOpen: !values.keyed,
  })
  const asked = report.jobs * STEPS
  process.stdout
    .write(`${report.kills} workers killed and ${report.jobs} jobs done in ${((performance.now() - from) / 1000).toFixed(0)} s, ${report.takenUpAgain} of them taken up again
${asked} steps asked for, ${report.carriedOut} carried out, ${report.boughtTwice} bought twice, ${report.chargedSteps} charged
${report.unfinished} jobs unfinished, ${report.late} late, ${report.heldAfterwards} µ$ held, ${report.findings.length} findings in the books
`)
  const isExact = values.keyed
    ? report.chargedSteps <= report.carriedOut
    : report.chargedSteps === asked && report.carriedOut === asked
  process.exitCode =
    isExact &&
    report.unfinished + report.late + report.boughtTwice + report.findings.length === 0 &&
    report.heldAfterwards === 0n
      ? 0
      : 1
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
