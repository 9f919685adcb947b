/**
 * `npx node bench/faults.ts`: runs the tests that measure how the gateway behaves under faults and prints their figures
 * next to the targets. `--write` puts the table into docs/faults.md. Takes several minutes.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { figuresIn, type Figure } from '../test/harness/figure.ts'

/** Every test file that reports a figure. */
const FILES: readonly string[] = [
  'test/fire/clocks.db.test.ts',
  'test/fire/retry-storm.db.test.ts',
  'test/fire/stream-storm.db.test.ts',
  'test/router/hang-ups.db.test.ts',
  'test/chaos/leases.db.test.ts',
  'test/fire/silence.db.test.ts',
  'test/start/waits-for-database.db.test.ts',
  'test/money/interrupted-jobs.db.test.ts',
  'test/fire/egress.db.test.ts',
]
// Three clients use each of them.
const STORM_KEYS = '6667'

const root = join(import.meta.dirname, '..')
const DOCUMENT = join(root, 'docs/faults.md')
const TABLE = /(<!-- figures -->\n)[\s\S]*(<!-- end of figures -->)/

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
// One after another, so that no run slows another.
const runs = FILES.map((file) =>
  spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'tools/test.ts'), file],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, STORM_KEYS },
    },
  ),
)
const failed = FILES.filter((_, place) => runs[place]?.status !== 0)
const figures = runs.flatMap(({ stdout }) => figuresIn(stdout))
const table = tableOf(figures)
process.stdout.write(`${table}\n`)
if (values.write)
  writeFileSync(
    DOCUMENT,
    readFileSync(DOCUMENT, 'utf8').replace(
      TABLE,
      (_, begin: string, end: string) => `${begin}${table}\n${end}`,
    ),
  )
if (failed.length > 0) process.stdout.write(`Failed: npm test -- ${failed.join(' ')}\n`)
process.exitCode = failed.length === 0 && figures.every(({ isMet }) => isMet) ? 0 : 1

function tableOf(rows: readonly Figure[]): string {
  const lines = rows.map(
    ({ what, measured, must, isMet }) =>
      `| ${what} | ${measured} | ${must} | ${isMet ? 'yes' : '**no**'} |`,
  )
  return ['| What | Measured | Target | Met |', '|---|---|---|---|', ...lines].join('\n')
}
