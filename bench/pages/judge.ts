/**
 * Measures the page judge on walls and shells with labels, refusal messages, written pages and the gold sets.
 *   npx node bench/pages/judge.ts [--walls <folder>] [--gold <folder>] [--step 1] [--list]
 * `--walls` has labels.jsonl. `--list` names every miss and every false alarm. The README explains the rows.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { extractContent } from '../../src/reader/extract/extract.ts'
import { judgePage, type QualityFlag } from '../../src/reader/judge/judge.ts'
import { COMPLETE_PAGES, HARD_SHELLS, type WrittenPage } from './hard-shells.ts'
import { goldPages, quantile, wordsOf, type GoldPage } from './gold.ts'

const REFUSALS = join(import.meta.dirname, '../../src/reader/judge/refusals')
const SHELL_SHARE = 0.2
const HARD_WORDS = 8
/** Pages with content whose gold text is empty or of another page. */
const WITHOUT_GOLD =
  /notion\.so\/product|thomann\.de\/gb\/microphones|espn\.com\/nfl\/schedule|he\.xinhuanet\.com/

const { values } = parseArgs({
  options: {
    walls: { type: 'string' },
    gold: { type: 'string' },
    step: { type: 'string', default: '1' },
    list: { type: 'boolean' },
  },
})

type Row = { readonly name: string; readonly must: string; readonly misses: string[]; all: number }
const rows: Row[] = []
const ms: number[] = []

const walls = rowOf('walls, labelled', '>= 96 %')
const shells = rowOf('shells, labelled', '')
const refusals = rowOf('refusal messages', '>= 85 %')
const ordinarySentences = rowOf('short ordinary pages passed', '')
const plainShells = rowOf('shells of the gold sets without text', '')
const hardShells = rowOf('hard shells of the gold sets', '>= 10 of 15')
const writtenShells = rowOf('hard shells, written', '>= 10 of 15')
const complete = rowOf('pages that resemble them passed', '')
const ordinary = rowOf('ordinary pages of the gold sets passed', '>= 99.9 %')

judgeRefusals()
judgeWritten(HARD_SHELLS, writtenShells, 'thin_content')
judgeWritten(COMPLETE_PAGES, complete, undefined)
if (values.walls !== undefined) judgeWalls(values.walls)
if (values.gold !== undefined) await judgeGold(values.gold)
for (const { name, must, misses, all } of rows) {
  if (all === 0) continue
  const right = all - misses.length
  print(
    `${name.padEnd(42)}${`${right} of ${all}`.padStart(14)}${`${((100 * right) / all).toFixed(2)} %`.padStart(10)}  ${must}`,
  )
  if (values.list === true) for (const miss of misses) print(`    ${miss}`)
}
print(`judging: p50 ${quantile(ms, 0.5).toFixed(2)} ms, p95 ${quantile(ms, 0.95).toFixed(1)} ms`)

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function rowOf(name: string, must: string): Row {
  const row: Row = { name, must, misses: [], all: 0 }
  rows.push(row)
  return row
}

function count(row: Row, isRight: boolean, description: string): void {
  row.all += 1
  if (!isRight) row.misses.push(description)
}

/** The first flag of a page, and the reason. */
function judge(html: string, url: string): { flag: QualityFlag | undefined; reason: string } {
  const read = extractContent({ html, url, format: 'markdown', mainContent: true })
  const started = performance.now()
  const verdict = judgePage({
    html,
    content: read.content,
    title: read.title,
    status: 200,
    finalUrl: url,
    contentYield: read.yield,
  })
  ms.push(performance.now() - started)
  return { flag: verdict.flags[0], reason: verdict.reason ?? 'no flag' }
}

function readLines<Line>(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

function judgeWalls(folder: string): void {
  const labels = readLines<{ id: string; label: string }>(join(folder, 'labels.jsonl'))
  for (const { id, label } of labels) {
    const html = readFileSync(join(folder, `${id}.html`), 'utf8')
    const { flag, reason } = judge(html, 'https://site.example/')
    if (label === 'thin') count(shells, flag === 'thin_content', `${reason} ${id}`)
    else count(walls, flag === 'blocked', `${reason} ${id}`)
  }
}

function judgeRefusals(): void {
  for (const [name, row] of [
    ['dev', refusals],
    ['test', refusals],
    ['ordinary', ordinarySentences],
  ] as const)
    for (const notice of readLines<{ title: string; text: string }>(
      join(REFUSALS, `${name}.jsonl`),
    )) {
      const html = `<!doctype html><html><head><title>${notice.title}</title></head><body><h1>${notice.title}</h1><p>${notice.text}</p></body></html>`
      const { flag } = judge(html, 'https://site.example/')
      count(row, (flag === 'blocked') === (row === refusals), notice.text)
    }
}

function judgeWritten(
  pages: readonly WrittenPage[],
  row: Row,
  expected: QualityFlag | undefined,
): void {
  for (const { name, html } of pages) {
    const { flag, reason } = judge(html, 'https://site.example/')
    count(row, flag === expected, `${reason} ${name}`)
  }
}

async function judgeGold(folder: string): Promise<void> {
  for (const set of ['wcxb-dev', 'trafilatura'] as const)
    for await (const page of goldPages(folder, set, Number(values.step))) judgeGoldPage(page)
}

function judgeGoldPage(page: GoldPage): void {
  const { html, url } = page
  if (WITHOUT_GOLD.test(url)) return
  const shown = wordsOf(extractContent({ html, url, format: 'text', mainContent: false }).content)
  const { flag, reason } = judge(html, url)
  const description = `${reason} ${shown.length} words shown ${url}`
  if (!isShell(page, shown)) count(ordinary, flag === undefined, description)
  else count(shown.length < HARD_WORDS ? plainShells : hardShells, flag !== undefined, description)
}

/** Reports whether the source lacks the content that the page has in a browser. */
function isShell(page: GoldPage, shown: readonly string[]): boolean {
  const present = new Set(shown)
  const expected = wordsOf(page.gold ?? page.with.join(' '))
  const found = expected.filter((word) => present.has(word)).length
  return found < expected.length * SHELL_SHARE || expected.length === 0
}
