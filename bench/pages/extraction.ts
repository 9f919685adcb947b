/**
 * Measures the reading of pages with known content, next to other readers, in one table.
 *   npx node bench/pages/extraction.ts --gold <folder of the gold sets> [--step 4] [--only tollgate] [--models <folder>] [--walls <folder>]
 * The shipped model was trained on these pages. `--models` names the models that tools/reader/train-blocks.ts wrote;
 * each reads pages of unknown sites. Each reader has its own process. A target with * belongs to a set that is not
 * available. `--walls` adds judge.ts.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Figures } from './measure-reader.ts'
import { READER_NAMES } from './readers.ts'

const MOST_OUTPUT = 1 << 20

const { values } = parseArgs({
  options: {
    gold: { type: 'string' },
    step: { type: 'string', default: '4' },
    only: { type: 'string' },
    models: { type: 'string' },
    walls: { type: 'string' },
  },
})
const { gold, step, models, walls } = values
if (gold === undefined) {
  process.stderr.write('Give the folder of the gold sets: --gold <folder>\n')
  process.exit(2)
}
const names = READER_NAMES.filter((name) => values.only?.split(',').includes(name) !== false)
const measured = names.map((name) => {
  process.stderr.write(`reading with ${name}\n`)
  const args = [name, gold, step, ...(models === undefined ? [] : [models])]
  return runChild('measure-reader.ts', args) as Figures
})
printTable(measured)
if (names.includes('tollgate')) {
  const { peakMib, failures } = runChild('pool-memory.ts', [gold, step]) as {
    peakMib: number
    failures: number
  }
  process.stdout.write(
    `\npeak memory of a worker of the product over the same pages: ${peakMib.toFixed(0)} MiB (must: <= 450), failures ${failures}\n`,
  )
}

if (walls !== undefined)
  process.stdout.write(`\n${run('judge.ts', ['--walls', walls, '--gold', gold, '--step', step])}`)

function runChild(file: string, args: readonly string[]): unknown {
  return JSON.parse(run(file, args))
}

function run(file: string, args: readonly string[]): string {
  return execFileSync(process.execPath, [join(import.meta.dirname, file), ...args], {
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

type Row = {
  readonly name: string
  readonly must: string
  readonly read: (figures: Figures) => number | undefined
  readonly digits?: number
}

function rowsOf(types: readonly string[]): Row[] {
  return [
    {
      name: 'mixed pages, word F1 (WCXB, open half)',
      must: '0.916 *',
      read: ({ f1 }) => f1['all'],
    },
    ...types.map((type) => ({
      name: `  ${type}`,
      must: '',
      read: ({ f1 }: Figures) => f1[type],
    })),
    {
      name: 'news, shingle F1 (articles of WCXB)',
      must: '0.960 *',
      read: ({ articleShingles }) => articleShingles,
    },
    { name: "trafilatura's segments, F1", must: '0.943', read: ({ segments }) => segments.f1 },
    { name: '  precision', must: '', read: ({ segments }) => segments.precision },
    { name: '  recall', must: '', read: ({ segments }) => segments.recall },
    {
      name: 'Chinese, Japanese, Korean, word F1 (written pages)',
      must: '0.85 *',
      read: ({ eastAsian }) => eastAsian,
    },
    {
      name: 'markdown structure without code blocks, F1',
      must: '0.775',
      read: ({ structure }) => structure?.all,
    },
    ...['text', 'headings', 'items', 'links', 'rows'].map((part) => ({
      name: `  ${part}`,
      must: '',
      read: ({ structure }: Figures) => structure?.parts.find((one) => one.part === part)?.f1,
    })),
    { name: 'titles equal', must: '0.75', read: ({ titles }) => titles },
    { name: 'yield: AUROC of bad pages', must: '0.88', read: (figures) => figures.yield?.auroc },
    { name: '  rank correlation', must: '0.67', read: (figures) => figures.yield?.rank },
    { name: '  mean error', must: '<= 0.067', read: (figures) => figures.yield?.error },
    {
      name: '  bad pages that a browser reads too',
      must: '0.50',
      read: (figures) => figures.yield?.caught,
    },
    { name: 'CPU ms, median', must: '<= 30', read: ({ cpuMs }) => cpuMs.p50, digits: 1 },
    { name: '  95th percentile', must: '<= 120', read: ({ cpuMs }) => cpuMs.p95, digits: 0 },
    { name: '  most', must: '', read: ({ cpuMs }) => cpuMs.most, digits: 0 },
    {
      name: 'peak memory of the bench process, MiB',
      must: '',
      read: ({ peakMib }) => peakMib,
      digits: 0,
    },
    { name: 'pages', must: '', read: ({ pages }) => pages, digits: 0 },
    { name: 'failures', must: '', read: ({ failures }) => failures, digits: 0 },
  ]
}

function printTable(all: readonly Figures[]): void {
  const types = Object.keys(all[0]?.f1 ?? {}).filter((type) => type !== 'all')
  const lines = rowsOf(types.toSorted()).map(({ name, must, read, digits = 3 }) => [
    name,
    must,
    ...all.map((figures) => read(figures)?.toFixed(digits) ?? '–'),
  ])
  const table = [['', 'must', ...names], ...lines]
  for (const [first = '', ...cells] of table)
    process.stdout.write(`${first.padEnd(52)}${cells.map((cell) => cell.padStart(13)).join('')}\n`)
}
