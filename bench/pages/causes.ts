/**
 * Prints where the word F1 of the WCXB pages is lost. Each block that is wrongly chosen or left out has one cause. A
 * row is the gain in F1 if all its blocks were right.
 *   npx node bench/pages/causes.ts --gold <folder of the gold sets> [--models <folder>] [--step 1]
 * Pages are read as in `extraction.ts --models`, which explains the folder of models.
 */
import { parseArgs } from 'node:util'
import { FEATURES } from '../../src/reader/blocks/block-features.ts'
import { readPageBlocks } from '../../src/reader/blocks/classify-blocks.ts'
import { chooseContent, READER_MODEL } from '../../src/reader/blocks/main-blocks.ts'
import { readPageFacts } from '../../src/reader/blocks/page-facts.ts'
import { pruneBlocks } from '../../src/reader/blocks/prune-blocks.ts'
import { baseUrlOf, bodyOf, parseDocument } from '../../src/reader/extract/dom.ts'
import { findHiddenText } from '../../src/reader/hidden/hidden-text.ts'
import { revealContent } from '../../src/reader/extract/reveal.ts'
import { removeUnseen } from '../../src/reader/extract/unseen.ts'
import { toMarkdown } from '../../src/reader/markdown/markdown.ts'
import { readSample, type Sample } from '../../tools/reader/samples.ts'
import { readFoldModels } from './fold-models.ts'
import { foldOf, goldPages, mean, wordF1, wordsOf, type GoldPage } from './gold.ts'
import {
  scoreStructure,
  structureOf,
  summarizeStructure,
  type StructureScore,
} from './structure.ts'

const { values } = parseArgs({
  options: {
    gold: { type: 'string' },
    models: { type: 'string' },
    step: { type: 'string', default: '1' },
  },
})
if (values.gold === undefined) {
  process.stderr.write('Give the folder of the gold sets: --gold <folder>\n')
  process.exit(2)
}

/** A feature of the block that is examined. */
type ReadFeature = (name: string) => number
type Cause = { readonly name: string; readonly fits: (read: ReadFeature) => boolean }

/** Distance in boxes to a class name that still names the block. */
const NEAR = 3
const isNamed = (read: ReadFeature, ...groups: readonly string[]): boolean =>
  groups.some((group) => read(`class ${group}`) <= NEAR)

/** The first that fits is the cause of a block that should not be there. */
const EXTRA: readonly Cause[] = [
  { name: 'reviews', fits: (read) => isNamed(read, 'review') },
  {
    name: 'comments under articles',
    fits: (read) => isNamed(read, 'comment') && read('page declares forum') === 0,
  },
  {
    name: 'related, popular and latest, by class or heading',
    fits: (read) =>
      isNamed(read, 'related', 'popular') || read('section above: elsewhere words') > 0,
  },
  { name: 'sidebars', fits: (read) => read('in aside') === 1 || isNamed(read, 'sidebar') },
  { name: 'menus', fits: (read) => read('in nav') === 1 || isNamed(read, 'nav', 'breadcrumb') },
  {
    name: 'footers, legal text',
    fits: (read) => read('in footer') === 1 || isNamed(read, 'footer', 'bio', 'cookie'),
  },
  {
    name: 'forms, filters, widgets, newsletters',
    fits: (read) =>
      read('in form') === 1 || isNamed(read, 'widget', 'search', 'login', 'newsletter', 'share'),
  },
  { name: 'lists of links', fits: (read) => read('link density') > 0.5 },
  {
    name: 'cards, teasers of other pages',
    fits: (read) => isNamed(read, 'card') || read('template: items') > 3,
  },
  { name: 'prose without any mark', fits: () => true },
]
/** The feature is a logarithm. */
const SHORT = Math.log1p(12)
const LOST: readonly Cause[] = [
  {
    name: 'lost: comments and reviews',
    fits: (read) => isNamed(read, 'comment', 'review') && read('page declares forum') === 0,
  },
  {
    name: 'lost: links, captions, dates and other short blocks',
    fits: (read) => read('words') < SHORT,
  },
  { name: 'lost: longer blocks', fits: () => true },
]
/** A page with a smaller share of its gold words in its tree lacks its text. */
const PRESENT_SHARE = 0.5
const HELPED = 0.03

type Row = { gains: number[] }
const rows = new Map<string, Row>()
const wholes: { readonly name: string; readonly f1: number[] }[] = [
  'as read',
  'without the extra blocks',
  'with the lost blocks',
  'perfect choice of blocks',
].map((name) => ({ name, f1: [] }))
const byType = new Map<string, number[]>()
const structures: { asRead: StructureScore[]; perfect: StructureScore[] } = {
  asRead: [],
  perfect: [],
}
let pages = 0

const models = readFoldModels(values.models)
for await (const page of goldPages(values.gold, 'wcxb-dev', Number(values.step))) {
  const model =
    models.length === 0
      ? READER_MODEL
      : models[foldOf({ url: page.url, id: page.url }, models.length)]
  const sample = readSample(page)
  const { kept } = chooseContent((model ?? READER_MODEL).blocks, sample)
  examine(sample, kept)
  compareStructure(page, kept, structures.asRead)
  compareStructure(page, Array.from(sample.labels, isContent), structures.perfect)
}
print()

/** Scores the markdown of a choice of blocks. */
function compareStructure(
  { html, url, goldMd }: GoldPage,
  kept: readonly boolean[],
  scores: StructureScore[],
): void {
  const document = parseDocument(html)
  const body = bodyOf(document)
  const facts = readPageFacts(document, url)
  revealContent(document, body)
  const hidden = findHiddenText(document, { hasScripts: document.querySelector('script') !== null })
  const blocks = readPageBlocks(body, facts, hidden)
  hidden.remove()
  removeUnseen(body)
  pruneBlocks(blocks, { kept })
  const written = toMarkdown(body, baseUrlOf(document, url))
  scores.push(scoreStructure(structureOf(goldMd ?? ''), structureOf(written)))
}

function isContent(label: number): boolean {
  return label >= 0.5
}

function examine(sample: Sample, kept: readonly boolean[]): void {
  pages += 1
  const gold = wordsOf(sample.page.gold ?? '')
  const words = sample.texts.map(wordsOf)
  const scoreOf = (isKept: (at: number) => boolean): number =>
    wordF1(gold, words.filter((_, at) => isKept(at)).flat())
  const isRight = (at: number): boolean => isContent(sample.labels[at] ?? 0)
  const asRead = scoreOf((at) => kept[at] === true)
  const perfect = scoreOf(isRight)
  const whole = [
    asRead,
    scoreOf((at) => kept[at] === true && isRight(at)),
    scoreOf((at) => kept[at] === true || isRight(at)),
    perfect,
  ]
  whole.forEach((f1, at) => wholes[at]?.f1.push(f1))
  byType.set(sample.page.type, [...(byType.get(sample.page.type) ?? []), perfect - asRead])
  if (gold.length === 0) addGain('the gold text is empty: shells and error pages', 1 - asRead)
  else if (recallOf(gold, words.flat()) < PRESENT_SHARE)
    addGain('most of the gold text is not in the tree', 1 - asRead)
  else
    for (const [cause, blocks] of wrongBlocks(sample, kept))
      addGain(cause, scoreOf((at) => (kept[at] === true) !== blocks.has(at)) - asRead)
}

/** The blocks that are wrongly chosen or left out, by their cause. */
function wrongBlocks(sample: Sample, kept: readonly boolean[]): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>()
  kept.forEach((isKept, at) => {
    if (isKept === isContent(sample.labels[at] ?? 0)) return
    const read: ReadFeature = (name) => sample.features[at * FEATURES.length + columnOf(name)] ?? 0
    const cause = (isKept ? EXTRA : LOST).find(({ fits }) => fits(read))?.name ?? ''
    found.set(cause, (found.get(cause) ?? new Set()).add(at))
  })
  return found
}

function columnOf(name: string): number {
  const column = FEATURES.indexOf(name)
  if (column < 0) throw new RangeError(`no feature "${name}"`)
  return column
}

function recallOf(expected: readonly string[], found: readonly string[]): number {
  const present = new Set(found)
  return expected.filter((word) => present.has(word)).length / expected.length
}

function addGain(cause: string, gain: number): void {
  const row = rows.get(cause) ?? { gains: [] }
  row.gains.push(gain)
  rows.set(cause, row)
}

function print(): void {
  const write = (line: string): void => void process.stdout.write(`${line}\n`)
  for (const { name, f1 } of wholes) write(`${name.padEnd(56)}${mean(f1).toFixed(3).padStart(8)}`)
  write(`\n${'cause'.padEnd(56)}${'points'.padStart(8)}${'pages helped by 3 points'.padStart(28)}`)
  const sorted = [...rows].toSorted(([, one], [, other]) => sum(other) - sum(one))
  for (const [cause, row] of sorted)
    write(
      `${cause.padEnd(56)}${((100 * sum(row)) / pages).toFixed(2).padStart(8)}${String(row.gains.filter((gain) => gain > HELPED).length).padStart(28)}`,
    )
  for (const [name, scores] of [
    ['markdown structure of the chosen blocks', structures.asRead],
    ['markdown structure of a perfect choice', structures.perfect],
  ] as const) {
    const { all, parts } = summarizeStructure(scores)
    const figures = parts.map(({ part, f1 }) => `${part} ${f1.toFixed(3)}`).join(', ')
    write(`\n${name}: ${all.toFixed(3)} (${figures})`)
  }
  write('\npoints below a perfect choice of blocks, by type')
  for (const [type, gaps] of byType)
    write(`${type.padEnd(56)}${(100 * mean(gaps)).toFixed(1).padStart(8)}`)
}

function sum({ gains }: Row): number {
  return gains.reduce((total, gain) => total + gain, 0)
}
