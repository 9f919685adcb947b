/** Decides what to answer with the candidates of an intent: calls, one question, or nothing. */
import { tokenize } from '../discover/tokenize.ts'
import type { Problem } from './checking/audit.ts'
import type { Missing } from './filling/fill.ts'
import type { Candidate } from './suggest.ts'

export type Decision =
  | { readonly kind: 'calls'; readonly candidate: Candidate }
  /** Ask for a field of a call. */
  | { readonly kind: 'field'; readonly candidate: Candidate; readonly missing: Missing }
  /** Ask whether the price is acceptable. */
  | { readonly kind: 'price'; readonly candidate: Candidate }
  /** Ask which of these actions is meant. `lost` are the parts of the intent that the first does not use. */
  | {
      readonly kind: 'choice'
      readonly candidates: readonly Candidate[]
      readonly lost: readonly string[]
      /** Whether probably no action of the catalog fits. */
      readonly isDoubtful: boolean
    }
  | { readonly kind: 'nothing' }

/** Services whose actions differ in price and quality, not in their task. */
const ALIKE = new Set(['web search', 'language models'])
const LEAST_SHARED = 0.1
const SAME_SHARE = 0.8

/**
 * The probability that the task of a candidate is meant: of all candidates with the same task, since several
 * vendors offer the same and share the probability.
 */
function likelihoodOf(candidate: Candidate, all: readonly Candidate[]): number {
  const same = all.filter(
    (other) =>
      other !== candidate && other.probability >= LEAST_SHARED && isSameTask(candidate, other),
  )
  return Math.min(
    1,
    same.reduce((sum, { probability }) => sum + probability, candidate.probability),
  )
}

function isSameTask(one: Candidate, other: Candidate): boolean {
  if (one.category === other.category && ALIKE.has(one.category)) return true
  const [words, others] = [one, other].map(({ summary }) => new Set(tokenize(summary)))
  if (words === undefined || others === undefined) return false
  return words.intersection(others).size >= SAME_SHARE * Math.min(words.size, others.size)
}

/** A call above this price is recommended only after a question. */
export const MOST_CENTS_UNASKED = 50
/** The share of the best score that a candidate without problems needs. */
const SHARE_OF_BEST = 0.8
/** Words of an intent that a recommended call may leave unexplained, by the action's probability. */
function mostUnexplained(probability: number): number {
  return probability >= 0.8 ? 2 : probability >= 0.3 ? 1 : 0
}
/**
 * Less probable actions and worse fits are offered, not recommended. Of the training intents' calls above both
 * bounds, nine in ten are right; below, one in three.
 */
export const LEAST_TO_RECOMMEND = 0.3
const LEAST_FIT = 0.6
/** From this likelihood on, a worse fit is enough. */
const LIKELY = 0.45
const LEAST_FIT_OF_LIKELY = 0.45
const LEAST_TO_ASK = 0.15
/** Free text in another language is weak evidence for a task. */
const LEAST_OF_FOREIGN_TEXT = 0.75
/** A call without any value of the intent needs a likely action. */
const LEAST_WITHOUT_VALUES = 0.6
const MOST_CHOICES = 3
/** The least share of the best score for a choice. */
const LEAST_TO_OFFER = 0.5

export function decide(candidates: readonly Candidate[]): Decision {
  const possible = candidates.filter(({ problems }) => !has(problems, 'act'))
  const [best] = possible
  if (best === undefined) return { kind: 'nothing' }
  const sound = possible.find(
    (candidate) =>
      isSound(candidate, likelihoodOf(candidate, possible)) &&
      candidate.score >= best.score * SHARE_OF_BEST,
  )
  if (sound?.call !== null && sound !== undefined)
    return sound.call.max_cost_cents > MOST_CENTS_UNASKED
      ? { kind: 'price', candidate: sound }
      : { kind: 'calls', candidate: sound }
  const [missing] = best.missing
  if (missing !== undefined && isAskable(best)) return { kind: 'field', candidate: best, missing }
  const filter = best.call !== null && isAskable(best) ? best.filters[0] : undefined
  if (filter !== undefined && has(best.problems, 'empty'))
    return { kind: 'field', candidate: best, missing: filter }
  const offered = possible
    .filter(({ score }) => score >= best.score * LEAST_TO_OFFER)
    .slice(0, MOST_CHOICES)
  const isDoubtful = Math.max(...possible.map(({ probability }) => probability)) < LEAST_TO_ASK
  return { kind: 'choice', candidates: offered, lost: lostIn(best), isDoubtful }
}

function has(problems: readonly Problem[], kind: Problem['kind']): boolean {
  return problems.some((problem) => problem.kind === kind)
}

/** Whether a call may be recommended. `likelihood` is the probability of its task. */
export function isSound(candidate: Candidate, likelihood = candidate.probability): boolean {
  const { call, problems, probability, score } = candidate
  const unexplained = problems.filter(({ kind }) => kind === 'unexplained').length
  return (
    call !== null &&
    (!candidate.isForeignText || likelihood >= LEAST_OF_FOREIGN_TEXT) &&
    likelihood >= (candidate.hasValues ? LEAST_TO_RECOMMEND : LEAST_WITHOUT_VALUES) &&
    score * Math.sqrt(likelihood / probability) >=
      (likelihood >= LIKELY ? LEAST_FIT_OF_LIKELY : LEAST_FIT) &&
    unexplained <= (candidate.hasValues ? mostUnexplained(likelihood) : 0) &&
    unexplained === problems.length
  )
}

/** Whether a question for a field makes sense: the rest of the intent fits the action. */
function isAskable(candidate: Candidate): boolean {
  const { problems, probability } = candidate
  return (
    probability >= LEAST_TO_ASK &&
    problems.every(({ kind }) => kind === 'unexplained' || kind === 'empty') &&
    problems.filter(({ kind }) => kind === 'unexplained').length <= mostUnexplained(probability)
  )
}

function lostIn({ problems }: Candidate): string[] {
  return [
    ...new Set(
      problems
        .filter(({ kind, text }) => ['unused', 'unexplained', 'cut'].includes(kind) && text !== '')
        .map(({ text }) => text),
    ),
  ]
}
