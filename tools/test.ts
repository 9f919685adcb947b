/**
 * `npm test`: one throw-away PostgreSQL for all test files, then node's own runner. Arguments are test files, or folders
 * of them; without any everything but what takes long by its nature, which is `npm run fire`. What hangs fails by its name (`test-limits.ts`).
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { startTestServer } from '../test/harness/postgres.ts'
import { limitFlags } from './test-limits.ts'
import { testsIn } from './tests-in.ts'

const root = join(import.meta.dirname, '..')
const EVERYTHING = [
  'src/**/*.test.ts',
  'test/**/*.test.ts',
  'tools/**/*.test.ts',
  'bench/**/*.test.ts',
]
/** Kills and floods, gateways and databases started and stopped over and over, films, and a look at every page at every width and in both schemes. */
const LONG = [
  'test/fire/**/*.test.ts',
  'test/chaos/**/*.test.ts',
  'test/start/**/*.test.ts',
  'src/db/embedded-postgres.test.ts',
  'src/reader/video/record-demo.test.ts',
  'test/surface/*-in-browser.test.ts',
]
/** Code without processes or a database of its own: one process for all of it takes a third of what one each does. */
const TOGETHER = [
  'src/{app,catalog,composites,errors,keys,lib,llm,surfaces,vendors}/**/*.test.ts',
  'src/{db/fault,ledger/group-commit,ledger/windows,resources/files/filename,resources/files/link,resources/sessions/simulated-sessions}.test.ts',
  'src/reader/{extract/extract,extract/highlights,markdown/markdown,judge/judge,fetch/map,fetch/sitemap,fetch/robots,fetch/charset}.test.ts',
  'src/upstream/{,http1/,limits/,sell/}*.test.ts',
]
// Most of the others wait for processes and servers.
const CONCURRENCY = 4

const find = (patterns: readonly string[]): string[] => globSync(patterns, { cwd: root }).sort()

function groupsOf(words: readonly string[]): string[][] {
  if (words[0] === 'fire') return [find(LONG)]
  if (words.length > 0) return [words.flatMap((word) => testsIn(root, word))]
  const [long, together] = [
    new Set(find(LONG)),
    new Set(find(TOGETHER).filter((name) => !name.endsWith('.db.test.ts'))),
  ]
  // The longest are in test/, so they begin first and nothing waits for them at the end.
  return [
    find(EVERYTHING)
      .filter((name) => !long.has(name) && !together.has(name))
      .reverse(),
    ['--test-isolation=none', ...together],
  ]
}

const groups = groupsOf(process.argv.slice(2))
const server = await startTestServer()
const runners = new Set<ChildProcess>()
// Ended from outside, the run still ends what it started: the databases would stay in memory.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => runners.forEach((runner) => runner.kill(signal)))

function run(group: readonly string[]): Promise<number> {
  const runner = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--test',
      `--test-concurrency=${CONCURRENCY}`,
      ...limitFlags(),
      ...group,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, TOLLGATE_TEST_SOCKET: server.host },
    },
  )
  runners.add(runner)
  return new Promise((done) => runner.on('exit', (code) => done(code ?? 1)))
}

const codes = await Promise.all(groups.map(run))
await server.stop()
process.exit(Math.max(...codes))
