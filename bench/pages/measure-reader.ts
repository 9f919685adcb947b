/**
 * Reads the gold pages with one reader, in a process of its own so that its peak memory is its own.
 * Prints a `Figures` as JSON. `extraction.ts` starts it.
 *   npx node bench/pages/measure-reader.ts <reader> <folder of the gold sets> <step> [folder of models]
 */
import { readFoldModels } from './fold-models.ts'
import { foldOf, goldPages, mean, quantile, wordF1, wordsOf, type GoldPage } from './gold.ts'
import { EAST_ASIAN_PAGES } from './east-asian-pages.ts'
import { DOUBTFUL_YIELD } from '../../src/composites/onescrape/accept-reading.ts'
import { createReader, type Read, type ReaderName } from './readers.ts'
import {
  auroc,
  caughtByGate,
  countSegments,
  meanError,
  segmentScores,
  shingleF1,
  spearman,
  type Segments,
  type YieldPair,
} from './scores.ts'
import {
  scoreStructure,
  structureOf,
  summarizeStructure,
  type StructureScore,
} from './structure.ts'

/** Undefined for figures that the reader does not have. */
export type Figures = {
  /** Mean by page type, and of all pages. */
  readonly f1: Readonly<Record<string, number>>
  readonly articleShingles: number
  readonly segments: ReturnType<typeof segmentScores>
  readonly eastAsian: number
  readonly titles: number | undefined
  readonly structure: ReturnType<typeof summarizeStructure> | undefined
  readonly yield:
    | {
        readonly auroc: number
        readonly rank: number
        readonly error: number
        readonly caught: number
      }
    | undefined
  readonly cpuMs: { readonly p50: number; readonly p95: number; readonly most: number }
  readonly failures: number
  readonly pages: number
  readonly peakMib: number
}

const [name = '', folder = '', step = '1', modelFolder] = process.argv.slice(2)
// Libraries report every odd stylesheet on the console.
console.error = console.warn = console.log = () => undefined

const models = readFoldModels(modelFolder)
const reader = createReader(name as ReaderName, ({ url }) =>
  models.length === 0 ? undefined : models[foldOf({ url, id: url }, models.length)],
)
const f1 = new Map<string, number[]>()
const shingles: number[] = []
const structures: StructureScore[] = []
const segments: Segments[] = []
const titles: boolean[] = []
const yields: YieldPair[] = []
const cpuMs: number[] = []
let failures = 0

for (const set of ['wcxb-dev', 'trafilatura'] as const)
  for await (const page of goldPages(folder, set, Number(step))) await measure(page)
const eastAsian: number[] = []
for (const page of EAST_ASIAN_PAGES)
  eastAsian.push(wordF1(wordsOf(page.gold), wordsOf((await readTimed(page)).text)))
process.stdout.write(JSON.stringify(figures()))

async function measure(page: GoldPage): Promise<void> {
  rate(page, await readTimed(page))
  if (reader.markdown === undefined) return
  const written = await Promise.resolve(reader.markdown(page)).catch(() => '')
  structures.push(scoreStructure(structureOf(page.goldMd ?? ''), structureOf(written)))
}

async function readTimed(page: Pick<GoldPage, 'html' | 'url'>): Promise<Read> {
  const before = process.cpuUsage()
  let read: Read = { text: '' }
  try {
    read = await reader.read(page)
  } catch {
    failures += 1
  }
  const { user, system } = process.cpuUsage(before)
  cpuMs.push((user + system) / 1_000)
  return read
}

function rate(page: GoldPage, { text, title, yield: estimate }: Read): void {
  const words = wordsOf(text)
  if (page.gold === undefined) segments.push(countSegments(page, text))
  else {
    const gold = wordsOf(page.gold)
    const score = wordF1(gold, words)
    for (const type of [page.type, 'all']) f1.set(type, [...(f1.get(type) ?? []), score])
    if (page.type === 'article') shingles.push(shingleF1(gold, words))
    if (estimate !== undefined) yields.push({ f1: score, estimate })
  }
  if (page.title !== undefined && page.title !== '' && title !== undefined)
    titles.push(plain(title ?? '') === plain(page.title))
}

function plain(title: string): string {
  return title.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

function figures(): Figures {
  return {
    f1: Object.fromEntries([...f1].map(([type, scores]) => [type, mean(scores)])),
    articleShingles: mean(shingles),
    segments: segmentScores(segments),
    eastAsian: mean(eastAsian),
    titles: titles.length === 0 ? undefined : mean(titles.map(Number)),
    structure: structures.length === 0 ? undefined : summarizeStructure(structures),
    yield:
      yields.length === 0
        ? undefined
        : {
            auroc: auroc(yields),
            rank: spearman(yields),
            error: meanError(yields),
            caught: caughtByGate(yields, DOUBTFUL_YIELD),
          },
    cpuMs: { p50: quantile(cpuMs, 0.5), p95: quantile(cpuMs, 0.95), most: quantile(cpuMs, 1) },
    failures,
    pages: cpuMs.length,
    peakMib: process.resourceUsage().maxRSS / 1024,
  }
}
