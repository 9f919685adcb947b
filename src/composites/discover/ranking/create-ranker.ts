/**
 * Ranks the documents of the catalog for an intent. The learned model and the word index each propose
 * candidates; boosted trees then judge every candidate.
 */
import { sumOfLeaves, type BoostedTrees } from '../../../lib/boosted-trees.ts'
import { runWhole, type Steps } from '../../../lib/background/sliced.ts'
import type { Hit, SearchDocument } from '../documents.ts'
import { collapseSpaces, toPlainWords } from '../idioms.ts'
import type { SearchIndex } from '../search-index.ts'
import {
  computeFeatures,
  readIntentFacts,
  readTargetFacts,
  summarizeScores,
  type TargetFacts,
} from './candidate-features.ts'
import type { Translate } from './lexicon.ts'
import { scoreLinear, type LinearModel } from './linear-model.ts'
import { hashFeatures, readText } from './text-features.ts'

/** Class of intents that no action satisfies. */
export const NOTHING = 'none'
const CANDIDATES_OF_MODEL = 14
const CANDIDATES_OF_WORDS = 14
const LEAST_LEXICAL = 0.05
const LAST_RANK = 50
/** Score of a document whose name or endpoint the intent contains. */
const NAMED_SCORE = 8

/** `score` is in log-odds. */
export type RankedDocument = {
  readonly document: number
  readonly score: number
  readonly features: readonly number[]
}

export type Ranker = {
  /** Best first. Without trees every score is 0, for training. */
  readonly rank: (intent: string) => readonly RankedDocument[]
}

/** The name of a document's class: `service/action`, and the endpoint of a passthrough. */
export function targetOf({ hit }: Pick<SearchDocument, 'hit'>): string {
  const name = `${hit.service}/${hit.action}`
  return hit.endpoint === null ? name : `${name} ${hit.endpoint}`
}

type RankerDeps = {
  readonly documents: readonly SearchDocument[]
  readonly index: SearchIndex
  readonly linear: LinearModel
  readonly trees: BoostedTrees | null
  readonly translate: Translate
}

export function createRanker(deps: RankerDeps): Ranker {
  return runWhole(rankerSteps(deps))
}

export function* rankerSteps({
  documents,
  index,
  linear,
  trees,
  translate,
}: RankerDeps): Steps<Ranker> {
  const columns = new Map(linear.classes.map((name, column) => [name, column]))
  const facts: TargetFacts[] = []
  for (const document of documents) {
    facts.push(readTargetFacts(document, columns.get(targetOf(document)) ?? -1))
    yield
  }
  const named = Map.groupBy(documents.keys(), (document) => nameOf(documents[document]?.hit))
  const trained = facts.flatMap(({ column }, document) =>
    column < 0 ? [] : [{ column, document }],
  )
  const model = {
    serviceOfColumn: linear.classes.map((name) => name.split('/')[0] ?? ''),
    nothing: columns.get(NOTHING) ?? -1,
  }
  return {
    rank: (intent) => {
      const text = readText(intent, translate, index.correct)
      const scores = scoreLinear(linear, hashFeatures(text))
      const lexical = scoreWords(documents, index, intent, text.translated)
      if (scores.coverage === 0 && lexical.size === 0) return []
      const byWords = takeBest([...lexical])
      const byModel = takeBest(
        trained.map(
          ({ document, column }) => [document, scores.logProbabilities[column] ?? 0] as const,
        ),
      )
      const mentioned = new Set(splitNames(intent).flatMap((name) => named.get(name) ?? []))
      const candidates = new Set([
        ...mentioned,
        ...byModel.slice(0, CANDIDATES_OF_MODEL).map(([document]) => document),
        ...byWords.slice(0, CANDIDATES_OF_WORDS).map(([document]) => document),
      ])
      const modelRanks = toRanks(byModel)
      const wordRanks = toRanks(byWords)
      const about = readIntentFacts(intent, text, scores, model, byWords[0]?.[1] ?? 0)
      const shared = summarizeScores(about)
      const ranked = [...candidates].map((document) => {
        const features = computeFeatures(about, shared, {
          facts: facts[document] as TargetFacts,
          lexical: lexical.get(document) ?? 0,
          lexicalRank: wordRanks.get(document) ?? LAST_RANK,
          linearRank: modelRanks.get(document) ?? LAST_RANK,
        })
        const judged = trees === null ? 0 : sumOfLeaves(trees, features)
        return { document, score: mentioned.has(document) ? NAMED_SCORE : judged, features }
      })
      return ranked.toSorted(
        (one, other) => other.score - one.score || one.document - other.document,
      )
    },
  }
}

/** `service/action`, or the endpoint of a passthrough. */
function nameOf(hit: Hit | undefined): string {
  return hit?.endpoint ?? `${hit?.service ?? ''}/${hit?.action ?? ''}`
}

/** The words of an intent that may be names of actions or endpoints. */
function splitNames(intent: string): string[] {
  return intent.split(/[\s?"'`]+/).filter((word) => word.includes('/'))
}

/** Scores of documents by the intent's words, by the catalog's words for them, and by their English translation. */
function scoreWords(
  documents: readonly SearchDocument[],
  index: SearchIndex,
  intent: string,
  translated: readonly string[],
): ReadonlyMap<number, number> {
  const plain = toPlainWords(intent)
  const texts = [
    intent,
    ...(plain === collapseSpaces(intent) ? [] : [plain]),
    ...(translated.length === 0 ? [] : [translated.join(' ')]),
  ]
  const scores = new Map<number, number>()
  for (const text of texts)
    for (const { document, score } of index.rank(text, LEAST_LEXICAL).ranked) {
      const scaled = score * (documents[document]?.prior ?? 1)
      if (scaled > (scores.get(document) ?? 0)) scores.set(document, scaled)
    }
  return scores
}

type Scored = readonly [document: number, score: number]

/** The first `LAST_RANK`, best first. A search scores every target of the catalog and needs only these. */
function takeBest(scored: readonly Scored[]): readonly Scored[] {
  const best: Scored[] = []
  for (const one of scored) {
    const last = best[LAST_RANK - 1]
    if (last !== undefined && compare(last, one) < 0) continue
    best.splice(best.findLastIndex((other) => compare(other, one) < 0) + 1, 0, one)
    if (best.length > LAST_RANK) best.pop()
  }
  return best
}

function compare([one, a]: Scored, [other, b]: Scored): number {
  return b - a || one - other
}

/** The number of better documents. Equal documents have equal ranks. */
function toRanks(sorted: readonly Scored[]): ReadonlyMap<number, number> {
  const ranks = new Map<number, number>()
  let rank = 0
  sorted.forEach(([document, score], at) => {
    if (score !== sorted[at - 1]?.[1]) rank = at
    ranks.set(document, rank)
  })
  return ranks
}
