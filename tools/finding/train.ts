/**
 * Trains the model of the action search from the intents in `bench/finding/train`, and prints cross-validated
 * scores. Run: `npx node tools/finding/train.ts`. `--fold 0` trains one fold and writes nothing.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sumOfLeaves, type BoostedTrees } from '../../src/lib/boosted-trees.ts'
import { CANDIDATE_FEATURES } from '../../src/composites/discover/ranking/candidate-features.ts'
import { encodeModel } from '../../src/composites/discover/ranking/model-file.ts'
import { boost } from '../learning/boost.ts'
import { calibrate, chooseHighConfidence } from './calibrate.ts'
import { crossFit, FOLDS, type HeldIntent } from './cross-fit.ts'
import { formatReport, type JudgedIntent } from './report.ts'
import { trainLinear } from './train-linear.ts'
import { loadTrainingSet } from './training-set.ts'

const LINEAR = { epochs: 10, learningRate: 0.5, mostWeights: 1_100_000 }
const TREES = {
  trees: 150,
  depth: 5,
  learningRate: 0.1,
  leastWeight: 5,
  lambda: 1,
  loss: 'logistic',
} as const
const MODEL = join(import.meta.dirname, '../../src/composites/discover/ranking/model.bin')

const { values } = parseArgs({ options: { fold: { type: 'string' } } })
const folds = values.fold === undefined ? [...Array(FOLDS).keys()] : [Number(values.fold)]
const set = loadTrainingSet()
process.stdout.write(`${set.intents.length} intents, ${set.classes.length} classes\n`)
const held = crossFit(set, LINEAR, folds)
const judged = judgeByOtherFolds(held)
const calibration = calibrate(judged)
const highConfidence = chooseHighConfidence(judged, calibration)
process.stdout.write(
  `${formatReport(judged, calibration, highConfidence)}\nhigh confidence from ${highConfidence}\n`,
)
if (values.fold === undefined) {
  const linear = trainLinear(
    [...set.intents.flatMap(set.examplesOf), ...set.descriptorExamples],
    set.classes,
    LINEAR,
  )
  const file = encodeModel({ linear, trees: growTrees(held), calibration, highConfidence })
  writeFileSync(MODEL, file)
  process.stdout.write(`${(file.length / 1e6).toFixed(2)} MB\n`)
}

/** Judges the intents of each fold by trees that grew on the other folds. */
function judgeByOtherFolds(all: readonly HeldIntent[]): readonly JudgedIntent[] {
  const parts = folds.length > 1 ? FOLDS : 2
  const partOf = (at: number): number => at % parts
  return [...Array(parts).keys()].flatMap((part) => {
    const trees = growTrees(all.filter((_, at) => partOf(at) !== part))
    return all.filter((_, at) => partOf(at) === part).map((one) => judge(one, trees))
  })
}

function judge({ intent, candidates }: HeldIntent, trees: BoostedTrees): JudgedIntent {
  return {
    intent,
    hits: candidates
      .map(({ isRight, features }) => ({ isRight, score: sumOfLeaves(trees, features) }))
      .toSorted((one, other) => other.score - one.score),
  }
}

function growTrees(all: readonly HeldIntent[]): BoostedTrees {
  const candidates = all.flatMap((one) => one.candidates)
  return boost(
    {
      columns: CANDIDATE_FEATURES.length,
      values: Float32Array.from(candidates.flatMap(({ features }) => features)),
      targets: Float32Array.from(candidates, ({ isRight }) => (isRight ? 1 : 0)),
    },
    TREES,
  )
}
