/** Turns scores of hits into probabilities, and chooses the probability from which a hit has high confidence. */
import {
  toProbability,
  type Calibration,
} from '../../src/composites/discover/ranking/calibration.ts'
import type { JudgedIntent } from './report.ts'

const HITS_OF_STEP = 200
/**
 * The share of answerable training intents that may be without a hit of high confidence. Training intents avoid
 * the usual words, so the share of callers' intents is a third of it.
 */
const MOST_FALSE_NOTHING = 0.075

type Step = { readonly score: number; readonly right: number; readonly count: number }

/** Isotonic regression: steps of rising probability, by pooling adjacent violators. */
export function calibrate(judged: readonly JudgedIntent[]): Calibration {
  const hits = judged.flatMap((one) => one.hits).toSorted((one, other) => one.score - other.score)
  const steps: Step[] = []
  for (let from = 0; from < hits.length; from += HITS_OF_STEP) {
    const members = hits.slice(from, from + HITS_OF_STEP)
    let step: Step = {
      score: members.reduce((sum, { score }) => sum + score, 0),
      right: members.filter(({ isRight }) => isRight).length,
      count: members.length,
    }
    for (let last = steps.at(-1); last && shareOf(last) >= shareOf(step); last = steps.at(-1)) {
      step = {
        score: last.score + step.score,
        right: last.right + step.right,
        count: last.count + step.count,
      }
      steps.pop()
    }
    steps.push(step)
  }
  return {
    scores: steps.map(({ score, count }) => round(score / count)),
    probabilities: steps.map((step) => round(shareOf(step))),
  }
}

function shareOf({ right, count }: Step): number {
  return right / count
}

/** The largest probability that few enough first hits of answerable intents miss. */
export function chooseHighConfidence(
  judged: readonly JudgedIntent[],
  calibration: Calibration,
): number {
  const best = judged
    .filter(({ intent }) => intent.right.length > 0)
    .map(({ hits }) => toProbability(calibration, hits[0]?.score ?? -Infinity))
    .toSorted((one, other) => one - other)
  return Math.floor((best[Math.floor(best.length * MOST_FALSE_NOTHING)] ?? 0) * 1000) / 1000
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4
}
