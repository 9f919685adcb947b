/**
 * The training set of the action search: intents, their classes and their examples. Intents that also occur in
 * the test set are left out, so that the test stays honest.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readValueCases } from '../../bench/consult/read-values.ts'
import { normalizeIntent, readIntents, type Intent } from '../../bench/finding/read-intents.ts'
import { createDocuments, type SearchDocument } from '../../src/composites/discover/documents.ts'
import { NOTHING, targetOf } from '../../src/composites/discover/ranking/create-ranker.ts'
import { loadTranslate } from '../../src/composites/discover/ranking/lexicon.ts'
import {
  hashFeatures,
  readText,
  type TextFeatures,
} from '../../src/composites/discover/ranking/text-features.ts'
import { buildIndex, type SearchIndex } from '../../src/composites/discover/search-index.ts'
import { services } from '../../src/vendors/index.ts'
import { addTypos } from './add-typos.ts'
import { createRandom } from './random.ts'
import type { Example } from './train-linear.ts'

const FOLDER = join(import.meta.dirname, '../../bench/finding')
const DESCRIPTOR_WEIGHT = 0.5
const TYPO_WEIGHT = 0.5
/** Intents that nothing fits have one class but as many subjects as the rest. */
const NOTHING_WEIGHT = 2

type FeaturesOf = (text: string) => TextFeatures

export type TrainingSet = {
  readonly documents: readonly SearchDocument[]
  readonly index: SearchIndex
  readonly intents: readonly Intent[]
  /** The first class stands for "nothing fits". */
  readonly classes: readonly string[]
  /** Examples of one intent: the intent itself, and a copy with typing errors. */
  readonly examplesOf: (intent: Intent) => readonly Example[]
  /** The texts of the descriptors as examples of their own classes. */
  readonly descriptorExamples: readonly Example[]
}

export function loadTrainingSet(): TrainingSet {
  const documents = createDocuments(services, () => ({ live: 'vendor', lanes: ['vendor'] }))
  const targets = new Set(documents.map(targetOf))
  const tested = new Set(readTested().map(normalizeIntent))
  const intents = readIntents(join(FOLDER, 'train'))
    .filter(({ text }) => !tested.has(normalizeIntent(text)))
    .flatMap((intent) => keepKnown(intent, targets))
  const index = buildIndex(documents)
  const featuresOf: FeaturesOf = (text) =>
    hashFeatures(readText(text, loadTranslate(), index.correct))
  const classes = [NOTHING, ...new Set(intents.flatMap(({ right }) => right).toSorted())]
  const columns = new Map(classes.map((name, column) => [name, column]))
  return {
    documents,
    index,
    intents,
    classes,
    examplesOf: (intent) => examplesOf(intent, columns, featuresOf),
    descriptorExamples: documents.flatMap((document) => describe(document, columns, featuresOf)),
  }
}

/** The intents of all test sets, also those of core/consult, which uses this search. */
function readTested(): string[] {
  const ofConsult = ['test', 'fresh'].flatMap((set) =>
    readFileSync(join(FOLDER, `../consult/${set}.tsv`), 'utf8')
      .split('\n')
      .map((line) => line.split('\t')[0] ?? ''),
  )
  const byValues = (['tune', 'held'] as const).flatMap((half) =>
    readValueCases(join(FOLDER, '../consult'), half).map(({ intent }) => intent),
  )
  return [...readIntents(join(FOLDER, 'test')).map(({ text }) => text), ...ofConsult, ...byValues]
}

/** Without targets that the catalog does not list, and without intents that have no others. */
function keepKnown(intent: Intent, targets: ReadonlySet<string>): Intent[] {
  const right = intent.right.filter((target) => targets.has(target))
  return right.length === 0 && intent.right.length > 0 ? [] : [{ ...intent, right }]
}

function examplesOf(
  { text, right }: Intent,
  columns: ReadonlyMap<string, number>,
  featuresOf: FeaturesOf,
): Example[] {
  const named = (right.length === 0 ? [NOTHING] : right).flatMap((name) => columns.get(name) ?? [])
  const weight = right.length === 0 ? NOTHING_WEIGHT : 1
  const misspelt = addTypos(text, createRandom(text.length))
  return [
    { features: featuresOf(text), right: named, weight, isCopy: false },
    ...(misspelt === text
      ? []
      : [
          {
            features: featuresOf(misspelt),
            right: named,
            weight: weight * TYPO_WEIGHT,
            isCopy: true,
          },
        ]),
  ]
}

function describe(
  document: SearchDocument,
  columns: ReadonlyMap<string, number>,
  featuresOf: FeaturesOf,
): Example[] {
  const column = columns.get(targetOf(document))
  const { hit, fields } = document
  return column === undefined
    ? []
    : [hit.summary, fields.keywords, `${fields.name} ${hit.summary}`]
        .filter((text) => text.trim() !== '')
        .map((text) => ({
          features: featuresOf(text),
          right: [column],
          weight: DESCRIPTOR_WEIGHT,
          isCopy: false,
        }))
}
