/** `npm test`: one throw-away PostgreSQL for all test files, then node's own runner. Arguments are test files; all when there are none. */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { startTestServer } from '../test/harness/postgres.ts'

const root = join(import.meta.dirname, '..')
const FILES = ['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts']
const CONCURRENCY = 4

const files = process.argv.length > 2 ? process.argv.slice(2) : globSync(FILES, { cwd: root }).sort()
const server = await startTestServer()
const runner = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--test', `--test-concurrency=${CONCURRENCY}`, ...files], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TOLLGATE_TEST_SOCKET: server.host },
})
const code = await new Promise<number>((done) => runner.on('exit', (exitCode) => done(exitCode ?? 1)))
await server.stop()
process.exit(code)
