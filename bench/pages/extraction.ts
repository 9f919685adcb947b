/**
 * Measures the extraction of main content, over pages with known content.
 *   npx node bench/pages/extraction.ts --gold <folder with wcxb-dev.jsonl.br and trafilatura.jsonl.br> [--step 4] [--only tollgate] [--models <folder>]
 * The shipped model was trained on these pages. `--models` names the folder that tools/reader/train-blocks.ts --models
 * wrote: each page is then read with a model that knows no page of its site.
 * Structure: headings, list items, table rows, links and bold runs against the gold markdown, without code blocks.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Readability } from '@mozilla/readability'
import { Defuddle } from 'defuddle/node'
import { parseHTML } from 'linkedom'
import {
  READER_MODEL,
  unpackModel,
  type PackedModel,
  type ReaderModel,
} from '../../src/reader/blocks/main-blocks.ts'
import { bodyOf, parseDocument } from '../../src/reader/extract/dom.ts'
import { extractContent } from '../../src/reader/extract/extract.ts'
import { toText } from '../../src/reader/extract/text.ts'
import { foldOf, goldPages, mean, quantile, wordF1, wordsOf, type GoldPage } from './gold.ts'
import {
  auroc,
  countSegments,
  meanError,
  segmentScores,
  spearman,
  type Segments,
  type YieldPair,
} from './scores.ts'
import { structureOf } from './structure.ts'

type Read = { readonly text: string; readonly title?: string | null; readonly yield?: number }
type Candidate = {
  read: (page: GoldPage) => Promise<Read> | Read
  markdown?: (page: GoldPage) => Promise<string> | string
}
type Score = {
  f1: Map<string, number[]>
  structure: number[]
  segments: Segments[]
  titles: number[]
  yields: YieldPair[]
  cpuMs: number[]
  failures: number
}

// linkedom's own types ask for the browser's type library.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each library asks for a type of its own
const documentOf = <Document>(html: string): Document =>
  (parseHTML(html) as unknown as { document: Document }).document
const textOfHtml = (html: string): string => toText(bodyOf(parseDocument(html)))
const own = (page: GoldPage, format: 'text' | 'markdown') =>
  extractContent({ html: page.html, url: page.url, format, mainContent: true }, modelFor(page))
const defuddle = async ({ html, url }: GoldPage, markdown: boolean) => {
  const document = documentOf<Parameters<typeof Defuddle>[0]>(html)
  return Defuddle(document, url, { useAsync: false, markdown })
}

const candidates: Record<string, Candidate> = {
  tollgate: {
    read(page) {
      const { content: text, title, yield: estimate } = own(page, 'text')
      return { text, title, yield: estimate }
    },
    markdown: (page) => own(page, 'markdown').content,
  },
  defuddle: {
    async read(page) {
      const { content, title } = await defuddle(page, false)
      return { text: textOfHtml(content), title }
    },
    markdown: async (page) => (await defuddle(page, true)).content,
  },
  readability: {
    read({ html }) {
      const document = documentOf<ConstructorParameters<typeof Readability>[0]>(html)
      const article = new Readability(document).parse()
      return { text: textOfHtml(article?.content ?? ''), title: article?.title ?? null }
    },
  },
  'whole body': { read: ({ html }) => ({ text: textOfHtml(html) }) },
}

const { values } = parseArgs({
  options: {
    gold: { type: 'string' },
    step: { type: 'string', default: '4' },
    only: { type: 'string' },
    models: { type: 'string' },
  },
})
if (values.gold === undefined) {
  process.stderr.write('Give the folder of the gold sets: --gold <folder>\n')
  process.exit(2)
}
// Libraries report every odd stylesheet on the console.
console.error = console.warn = console.log = () => undefined

const models = readModels(values.models)

for (const [name, candidate] of Object.entries(candidates)) {
  if (values.only !== undefined && !values.only.split(',').includes(name)) continue
  report(name, await measure(candidate, values.gold, Number(values.step)))
}
process.stdout.write(
  `peak memory of this run ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB\n`,
)

function readModels(folder: string | undefined): ReaderModel[] {
  if (folder === undefined) return []
  return readdirSync(folder)
    .toSorted()
    .map((file) => unpackModel(JSON.parse(readFileSync(join(folder, file), 'utf8')) as PackedModel))
}

function modelFor(page: GoldPage): ReaderModel {
  return models[foldOf(page, models.length)] ?? READER_MODEL
}

async function measure(candidate: Candidate, folder: string, step: number): Promise<Score> {
  const score: Score = {
    f1: new Map(),
    structure: [],
    segments: [],
    titles: [],
    yields: [],
    cpuMs: [],
    failures: 0,
  }
  for (const set of ['wcxb-dev', 'trafilatura'] as const) {
    for (const page of goldPages(folder, set, step)) {
      const before = process.cpuUsage()
      let read: Read = { text: '' }
      try {
        read = await candidate.read(page)
      } catch {
        score.failures += 1
      }
      const { user, system } = process.cpuUsage(before)
      score.cpuMs.push((user + system) / 1_000)
      rate(score, page, read)
      const expected = structureOf(page.goldMd ?? '')
      if (candidate.markdown === undefined || expected.length < 3) continue
      score.structure.push(
        wordF1(
          expected,
          structureOf(await Promise.resolve(candidate.markdown(page)).catch(() => '')),
        ),
      )
    }
  }
  return score
}

function rate(score: Score, page: GoldPage, { text, title, yield: estimate }: Read): void {
  const words = wordsOf(text)
  if (page.gold !== undefined) {
    const f1 = wordF1(wordsOf(page.gold), words)
    for (const type of [page.type, 'all types'])
      score.f1.set(type, [...(score.f1.get(type) ?? []), f1])
    if (estimate !== undefined) score.yields.push({ f1, estimate })
  } else score.segments.push(countSegments(page, words))
  if (page.title !== undefined && page.title !== '' && title !== undefined)
    score.titles.push(sameTitle(title ?? '', page.title) ? 1 : 0)
}

function sameTitle(one: string, other: string): boolean {
  const plain = (title: string): string => title.replaceAll(/\s+/g, ' ').trim().toLowerCase()
  return plain(one) === plain(other)
}

function report(name: string, score: Score): void {
  const { f1, structure, titles, yields, cpuMs, failures } = score
  const types = [...f1].map(
    ([type, scores]) => `${type} ${mean(scores).toFixed(3)} (${scores.length})`,
  )
  const segments = segmentScores(score.segments)
  const lines = [
    `word F1: ${types.join(', ')}`,
    `trafilatura segments: F1 ${segments.f1.toFixed(3)}, precision ${segments.precision.toFixed(3)}, recall ${segments.recall.toFixed(3)}`,
    ...(structure.length === 0
      ? []
      : [`markdown structure F1 ${mean(structure).toFixed(3)} (${structure.length} pages)`]),
    ...(titles.length === 0 ? [] : [`titles equal ${mean(titles).toFixed(3)}`]),
    ...(yields.length === 0
      ? []
      : [
          `yield: AUROC of bad pages ${auroc(yields).toFixed(3)}, rank correlation ${spearman(yields).toFixed(3)}, mean error ${meanError(yields).toFixed(3)}`,
        ]),
    `CPU ms p50 ${quantile(cpuMs, 0.5).toFixed(1)}, p95 ${quantile(cpuMs, 0.95).toFixed(0)}, max ${Math.max(...cpuMs).toFixed(0)}, failures ${failures}`,
  ]
  process.stdout.write(`${name}\n${lines.map((line) => `  ${line}\n`).join('')}`)
}
