/**
 * Trains the block classifier and the yield estimate of the reader.
 *   npx node tools/reader/train-blocks.ts --gold <folder with wcxb-dev.jsonl.br and trafilatura.jsonl.br> [--write]
 * Prints figures cross-validated by site. `--write` then trains on all pages and writes src/reader/blocks/model.json.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { readFoldModels } from '../../bench/pages/fold-models.ts'
import { foldOf, mean, wordF1, wordsOf } from '../../bench/pages/gold.ts'
import {
  auroc,
  countSegments,
  meanError,
  segmentScores,
  spearman,
} from '../../bench/pages/scores.ts'
import { packTrees, type BoostedTrees } from '../../src/lib/boosted-trees.ts'
import { FEATURES } from '../../src/reader/blocks/block-features.ts'
import {
  chooseContent,
  READER_MODEL,
  type PackedModel,
} from '../../src/reader/blocks/main-blocks.ts'
import {
  estimateYield,
  yieldInputs,
  type YieldInputs,
  type YieldModel,
} from '../../src/reader/blocks/page-yield.ts'
import type { BoostSettings } from '../learning/boost.ts'
import { boostInThread } from './boost-worker.ts'
import { estimateDeclared, trainDeclaredYield } from './declared-samples.ts'
import { fitLine } from './fit-line.ts'
import { readSamples, type Sample } from './samples.ts'

const { values: options } = parseArgs({
  options: {
    gold: { type: 'string' },
    folds: { type: 'string', default: '5' },
    step: { type: 'string', default: '1' },
    /** File with the features of an earlier run; written if absent. */
    cache: { type: 'string' },
    trees: { type: 'string', default: '200' },
    rate: { type: 'string', default: '0.1' },
    depth: { type: 'string', default: '6' },
    /** Folder for the model of each fold, for bench/pages/extraction.ts. */
    models: { type: 'string' },
    write: { type: 'boolean' },
    /** Fits the yields only; the trees are those of an earlier run in `--models` and model.json. */
    reuse: { type: 'boolean' },
  },
})
if (options.gold === undefined) {
  process.stderr.write('Give the folder of the gold sets: --gold <folder>\n')
  process.exit(2)
}
const BLOCK_SETTINGS: BoostSettings = {
  trees: Number(options.trees),
  depth: Number(options.depth),
  learningRate: Number(options.rate),
  leastWeight: 8,
  lambda: 2,
  loss: 'logistic',
  columnShare: 0.4,
  rowShare: 0.6,
}
const MODEL_FILE = join(import.meta.dirname, '../../src/reader/blocks/model.json')
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** A page as a model read it that was trained on other sites. */
type Result = {
  readonly sample: Sample
  readonly fold: number
  readonly inputs: YieldInputs
  readonly text: string
  /** Word F1 with a gold text; undefined for pages with snippets only. */
  readonly f1: number | undefined
}

const folds = Number(options.folds)
const samples = await loadSamples()
print(
  `${samples.length} pages, ${FEATURES.length} features, ${samples.reduce((sum, { texts }) => sum + texts.length, 0)} blocks`,
)
const shipped = options.write === true ? trainShipped() : undefined
const foldModels: BoostedTrees[] = []
const results = await crossValidate()
reportContent(results)
reportYield(results)
reportDeclared(results)
if (options.models !== undefined) writeFoldModels(options.models)
if (shipped !== undefined)
  print(`model.json: ${writeModel(MODEL_FILE, await shipped, results)} bytes`)

async function loadSamples(): Promise<Sample[]> {
  const { cache, gold = '', step } = options
  if (cache !== undefined && existsSync(cache)) return deserialize(readFileSync(cache)) as Sample[]
  const read = await readSamples(gold, Number(step))
  if (cache !== undefined) writeFileSync(cache, serialize(read))
  return read
}

function trainBlocks(pages: readonly Sample[]): Promise<BoostedTrees> {
  const columns = FEATURES.length
  const rows = pages.flatMap(({ weights }, page) =>
    Array.from(weights, (weight, block) => ({ page, block, weight })).filter(
      ({ weight }) => weight > 0,
    ),
  )
  const values = new Float32Array(rows.length * columns)
  rows.forEach(({ page, block }, row) =>
    values.set(
      pages[page]?.features.subarray(block * columns, (block + 1) * columns) ?? [],
      row * columns,
    ),
  )
  const targets = Float32Array.from(rows, ({ page, block }) => pages[page]?.labels[block] ?? 0)
  const weights = Float32Array.from(rows, ({ weight }) => weight)
  return boostInThread({ columns, values, targets, weights }, BLOCK_SETTINGS)
}

function trainShipped(): Promise<BoostedTrees> {
  return options.reuse === true ? Promise.resolve(READER_MODEL.blocks) : trainBlocks(samples)
}

async function trainFolds(): Promise<BoostedTrees[]> {
  if (options.reuse === true) return readFoldModels(options.models).map(({ blocks }) => blocks)
  const started = performance.now()
  return Promise.all(
    Array.from({ length: folds }, async (_, fold) => {
      const model = await trainBlocks(samples.filter(({ page }) => foldOf(page, folds) !== fold))
      process.stderr.write(
        `fold ${fold + 1} of ${folds}: ${((performance.now() - started) / 1000).toFixed(0)} s, ${model.feature.length} nodes\n`,
      )
      return model
    }),
  )
}

async function crossValidate(): Promise<Result[]> {
  const models = await trainFolds()
  foldModels.push(...models)
  return models.flatMap((model, fold) =>
    samples
      .filter(({ page }) => foldOf(page, folds) === fold)
      .map((sample) => readWith(model, sample, fold)),
  )
}

function readWith(model: BoostedTrees, sample: Sample, fold: number): Result {
  const choice = chooseContent(model, sample)
  const text = sample.texts.filter((_, at) => choice.kept[at]).join('\n')
  const { gold } = sample.page
  return {
    sample,
    fold,
    inputs: yieldInputs(choice),
    text,
    f1: gold === undefined ? undefined : wordF1(wordsOf(gold), wordsOf(text)),
  }
}

function reportContent(all: readonly Result[]): void {
  const byType = new Map<string, number[]>()
  for (const { sample, f1 } of all)
    if (f1 !== undefined)
      for (const type of [sample.page.type, 'all types'])
        byType.set(type, [...(byType.get(type) ?? []), f1])
  for (const [type, scores] of byType)
    print(`word F1, ${type}: ${mean(scores).toFixed(3)} (${scores.length} pages)`)
  const segments = all
    .filter(({ f1 }) => f1 === undefined)
    .map(({ sample: { page }, text }) => countSegments(page, text))
  const { precision, recall, f1 } = segmentScores(segments)
  print(
    `trafilatura segments: F1 ${f1.toFixed(3)}, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} (${segments.length} pages)`,
  )
}

function trainYield(pages: readonly Result[]): YieldModel {
  const known = pages.filter(({ f1 }) => f1 !== undefined)
  const [intercept = 0, expectedF1 = 0, keptWords = 0, agreement = 0, isProduct = 0] = fitLine(
    known.map(({ inputs }) => [
      inputs.expectedF1,
      inputs.keptWords,
      inputs.agreement,
      inputs.isProduct,
    ]),
    known.map(({ f1 }) => f1 ?? 0),
  )
  return { intercept, expectedF1, keptWords, agreement, isProduct }
}

/** The yield of each page is estimated from pages of other folds. */
function reportYield(all: readonly Result[]): void {
  const known = all.filter(({ f1 }) => f1 !== undefined)
  const pairs = Array.from({ length: folds }, (_, fold) => fold).flatMap((fold) => {
    const model = trainYield(known.filter((result) => result.fold !== fold))
    return known
      .filter((result) => result.fold === fold)
      .map(({ inputs, f1 }) => ({ f1: f1 ?? 0, estimate: estimateYield(model, inputs) }))
  })
  print(
    `yield: AUROC of bad pages ${auroc(pairs).toFixed(3)}, rank correlation ${spearman(pairs).toFixed(3)}, mean error ${meanError(pairs).toFixed(3)}`,
  )
}

/** Pages without text show what they declare; the gold sets have few, so all declarations count. */
function reportDeclared(all: readonly Result[]): void {
  const pages = estimateDeclared(all.map(({ fold, sample: { declared } }) => ({ fold, declared })))
  const pairs = pages.flat()
  const both = pages.filter(({ length }) => length > 1)
  const best = both.map((page) =>
    page.reduce((most, one) => (one.estimate > most.estimate ? one : most)),
  )
  const write = (name: string, value: number): string => `${name} ${value.toFixed(3)}`
  print(
    `declared content: ${write('F1', mean(pairs.map(({ f1 }) => f1)))}, ${write('mean estimate', mean(pairs.map(({ estimate }) => estimate)))}, ${write('mean error', meanError(pairs))}, ${write('rank correlation', spearman(pairs))} (${pairs.length} texts)`,
  )
  print(
    `pages that declare both: ${write('JSON-LD', mean(both.map(([first]) => first?.f1 ?? 0)))}, ${write('best estimate', mean(best.map(({ f1 }) => f1)))} (${both.length} pages)`,
  )
}

/** Neither part of a fold's model has seen the pages of the fold. */
function writeFoldModels(folder: string): void {
  mkdirSync(folder, { recursive: true })
  foldModels.forEach((blocks, fold) => {
    const others = results.filter((result) => result.fold !== fold)
    writeModel(join(folder, `fold-${fold}-of-${folds}.json`), blocks, others)
  })
}

/** Returns the size of the file in bytes. */
function writeModel(file: string, blocks: BoostedTrees, pages: readonly Result[]): number {
  const model: PackedModel = {
    features: FEATURES,
    blocks: packTrees(blocks),
    yield: trainYield(pages),
    declared: trainDeclaredYield(pages.flatMap(({ sample }) => sample.declared)),
  }
  const text = `${JSON.stringify(model)}\n`
  writeFileSync(file, text)
  return text.length
}
