/**
 * Measures the extraction of main content, over pages with known content.
 *   npx node bench/pages/extraction.ts --gold <folder with wcxb-dev.jsonl.br and trafilatura.jsonl.br> [--step 4] [--only tollgate]
 * Structure: headings, list items, table rows, code blocks, links and bold runs against the gold markdown.
 */
import { parseArgs } from 'node:util'
import { Readability } from '@mozilla/readability'
import { Defuddle } from 'defuddle/node'
import { parseHTML } from 'linkedom'
import { bodyOf, parseDocument } from '../../src/reader/extract/dom.ts'
import { extractContent } from '../../src/reader/extract/extract.ts'
import { toText } from '../../src/reader/extract/text.ts'
import { goldPages, mean, quantile, wordF1, wordsOf, type GoldPage } from './gold.ts'
import { structureOf } from './structure.ts'

type Candidate = {
  text: (page: GoldPage) => Promise<string> | string
  markdown?: (page: GoldPage) => Promise<string> | string
}
type Score = {
  f1: Map<string, number[]>
  structure: number[]
  required: number[]
  forbidden: number[]
  ms: number[]
  failures: number
}

// linkedom's own types ask for the browser's type library.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each library asks for a type of its own
const documentOf = <Document>(html: string): Document =>
  (parseHTML(html) as unknown as { document: Document }).document
const textOfHtml = (html: string): string => toText(bodyOf(parseDocument(html)))
const own = ({ html, url }: GoldPage, format: 'text' | 'markdown') =>
  extractContent({ html, url, format, mainContent: true }).content
const defuddle = async ({ html, url }: GoldPage, markdown: boolean) => {
  const document = documentOf<Parameters<typeof Defuddle>[0]>(html)
  return (await Defuddle(document, url, { useAsync: false, markdown })).content
}

const candidates: Record<string, Candidate> = {
  tollgate: { text: (page) => own(page, 'text'), markdown: (page) => own(page, 'markdown') },
  defuddle: {
    text: async (page) => textOfHtml(await defuddle(page, false)),
    markdown: (page) => defuddle(page, true),
  },
  readability: {
    text: ({ html }) => {
      const document = documentOf<ConstructorParameters<typeof Readability>[0]>(html)
      return textOfHtml(new Readability(document).parse()?.content ?? '')
    },
  },
  'whole body': { text: ({ html }) => textOfHtml(html) },
}

const { values } = parseArgs({
  options: {
    gold: { type: 'string' },
    step: { type: 'string', default: '4' },
    only: { type: 'string' },
  },
})
if (values.gold === undefined) {
  process.stderr.write('Give the folder of the gold sets: --gold <folder>\n')
  process.exit(2)
}
// Libraries report every odd stylesheet on the console.
console.error = console.warn = console.log = () => undefined

for (const [name, candidate] of Object.entries(candidates)) {
  if (values.only !== undefined && !values.only.split(',').includes(name)) continue
  report(name, await measure(candidate, values.gold, Number(values.step)))
}

async function measure(candidate: Candidate, folder: string, step: number): Promise<Score> {
  const score: Score = {
    f1: new Map(),
    structure: [],
    required: [],
    forbidden: [],
    ms: [],
    failures: 0,
  }
  for (const set of ['wcxb-dev', 'trafilatura'] as const) {
    for (const page of goldPages(folder, set, step)) {
      const started = performance.now()
      let text = ''
      try {
        text = await candidate.text(page)
      } catch {
        score.failures += 1
      }
      score.ms.push(performance.now() - started)
      rate(score, page, wordsOf(text))
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

function rate(score: Score, page: GoldPage, words: readonly string[]): void {
  if (page.gold !== undefined) {
    const f1 = wordF1(wordsOf(page.gold), words)
    for (const type of [page.type, 'all types'])
      score.f1.set(type, [...(score.f1.get(type) ?? []), f1])
  }
  const joined = ` ${words.join(' ')} `
  const share = (snippets: readonly string[]) =>
    mean(snippets.map((snippet) => (joined.includes(` ${wordsOf(snippet).join(' ')} `) ? 1 : 0)))
  if (page.with.length > 0) score.required.push(share(page.with))
  if (page.without.length > 0) score.forbidden.push(share(page.without))
}

function report(name: string, { f1, structure, required, forbidden, ms, failures }: Score): void {
  const types = [...f1].map(
    ([type, scores]) => `${type} ${mean(scores).toFixed(3)} (${scores.length})`,
  )
  const shape =
    structure.length === 0
      ? ''
      : `  markdown structure F1 ${mean(structure).toFixed(3)} (${structure.length} pages)\n`
  process.stdout.write(
    `${name}\n  word F1: ${types.join(', ')}\n${shape}  required snippets found ${mean(required).toFixed(3)}, forbidden found ${mean(forbidden).toFixed(3)}` +
      `, ms p50 ${quantile(ms, 0.5).toFixed(1)} p95 ${quantile(ms, 0.95).toFixed(0)} max ${Math.max(...ms).toFixed(0)}, failures ${failures}\n`,
  )
}
