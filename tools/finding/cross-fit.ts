/** Ranks every training intent by a linear model that did not train on it, so that the trees learn from honest scores. */
import type { Intent } from '../../bench/finding/read-intents.ts'
import type { SearchDocument } from '../../src/composites/discover/documents.ts'
import {
  createRanker,
  NOTHING,
  targetOf,
} from '../../src/composites/discover/ranking/create-ranker.ts'
import { loadTranslate } from '../../src/composites/discover/ranking/lexicon.ts'
import { createRandom, shuffle } from './random.ts'
import { trainLinear, type LinearSettings } from './train-linear.ts'
import type { TrainingSet } from './training-set.ts'

export const FOLDS = 3
/** Share of the classes that a fold leaves out, as if their actions were new. */
const COLD_SHARE = 0.08

export type HeldIntent = {
  readonly intent: Intent
  readonly fold: number
  readonly candidates: readonly {
    readonly target: string
    readonly isRight: boolean
    readonly features: readonly number[]
  }[]
}

export function crossFit(
  set: TrainingSet,
  settings: LinearSettings,
  folds: readonly number[],
): readonly HeldIntent[] {
  const random = createRandom(11)
  const order = set.intents.map((_, at) => at)
  shuffle(order, random)
  const foldOf = new Map(order.map((at, place) => [at, place % FOLDS]))
  return folds.flatMap((fold) => {
    const cold = new Set(set.classes.filter((name) => name !== NOTHING && random() < COLD_SHARE))
    const started = performance.now()
    const held = rankFold(set, settings, cold, (at) => foldOf.get(at) === fold)
    process.stderr.write(
      `fold ${fold + 1} of ${FOLDS}: ${((performance.now() - started) / 1000).toFixed(0)} s\n`,
    )
    return held.map((one) => ({ ...one, fold }))
  })
}

function rankFold(
  { documents, index, intents, classes, examplesOf, descriptorExamples }: TrainingSet,
  settings: LinearSettings,
  cold: ReadonlySet<string>,
  isHeld: (at: number) => boolean,
): Omit<HeldIntent, 'fold'>[] {
  const warm = intents.filter(
    ({ right }, at) => !isHeld(at) && !right.some((target) => cold.has(target)),
  )
  const descriptors = descriptorExamples.filter(
    ({ right: [column = 0] }) => !cold.has(classes[column] ?? ''),
  )
  const linear = trainLinear([...warm.flatMap(examplesOf), ...descriptors], classes, settings)
  const ranker = createRanker({
    documents,
    index,
    linear: { ...linear, classes: classes.map((name) => (cold.has(name) ? '' : name)) },
    trees: null,
    translate: loadTranslate(),
  })
  return intents
    .filter((_, at) => isHeld(at))
    .map((intent) => ({
      intent,
      candidates: ranker.rank(intent.text).map(({ document, features }) => {
        const target = targetOf(documents[document] as SearchDocument)
        return { target, isRight: intent.right.includes(target), features }
      }),
    }))
}
