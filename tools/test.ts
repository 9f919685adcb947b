/**
 * `npm test`: runs all test files except the long ones, on one throw-away PostgreSQL. `npm run fire` runs the long ones,
 * `npm run fire -- tree` those with "tree" in their path.
 * Arguments are test files or folders. With flags such as `--test-name-pattern`, Node's own runner runs the files.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { startTestServer } from '../test/harness/postgres.ts'
import { filesNamed, filesOfFire, filesOfTier } from './tests/files.ts'
import { Results } from './tests/results.ts'
import { runFiles } from './tests/run-files.ts'

const root = join(import.meta.dirname, '..')
/** The limit of a test. Longer runs set `TEST_MINUTES`. */
const testMs = Number(process.env['TEST_MINUTES'] ?? 10) * 60_000
const limits = { testMs, fileMs: 2 * testMs, exitMs: 30_000 }
const runMs = 6 * testMs

const words = process.argv.slice(2)
const flags = words.filter((word) => word.startsWith('-'))
const named = words.filter((word) => !word.startsWith('-'))
const isFire = named[0] === 'fire'
const isTier = named.length === 0 || (isFire && named.length === 1)
const files = isFire
  ? filesOfFire(root, named.slice(1))
  : isTier
    ? filesOfTier(root, 'test')
    : filesNamed(root, named)

const server = await startTestServer()
// `npm test` alone runs samples of the sweeps (test/harness/sample.ts).
const sample =
  isTier && named.length === 0 ? (process.env['TEST_SAMPLE'] ?? randomInt(1_000)) : null
const env = {
  TOLLGATE_TEST_SOCKET: server.host,
  ...(sample === null ? {} : { TEST_SAMPLE: String(sample) }),
}
const stopping = new AbortController()
// An interrupted run still ends its databases, which would stay in memory.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
setTimeout(() => {
  process.stderr.write(`The test run did not end within ${runMs / 60_000} minutes.\n`)
  stopping.abort()
}, runMs).unref()

const isGood = flags.length > 0 ? await runInNode() : await runInWorkers()
await server.stop()
process.exit(isGood && !stopping.signal.aborted ? 0 : 1)

async function runInWorkers(): Promise<boolean> {
  const results = new Results({
    write: (text) => process.stdout.write(text),
    isDetailed: !isTier,
  })
  await runFiles({
    files,
    // Many tests wait for processes and servers.
    workers: availableParallelism() + 1,
    limits,
    env,
    signal: stopping.signal,
    onMessage: (message) => results.add(message),
  })
  results.printSummary()
  if (sample !== null)
    process.stdout.write(`ℹ sample ${sample} (TEST_SAMPLE=${sample} repeats it)\n`)
  return results.failed.length === 0
}

function runInNode(): Promise<boolean> {
  const runner = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--test',
      `--test-timeout=${testMs}`,
      ...flags,
      ...files.names,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } },
  )
  stopping.signal.addEventListener('abort', () => runner.kill())
  return new Promise((resolve) => runner.on('exit', (code) => resolve(code === 0)))
}
