/**
 * An in-memory inverted index with BM25F ranking: a word counts by its field and its rarity. A score is
 * the share of the query's weight that a document matches, 0 to 1, so that one threshold can decide
 * that nothing matches.
 */
import { runWhole, type Steps } from '../../lib/background/sliced.ts'
import type { Fields, SearchDocument } from './documents.ts'
import { findNames } from './names.ts'
import { countryWords } from './places.ts'
import { SYNONYM_WEIGHT, synonymsOf } from './synonyms.ts'
import { tokenize } from './tokenize.ts'
import { typoCorrectorSteps, type TypoCorrector } from './typos.ts'

const FIELD_WEIGHTS: Readonly<Record<keyof Fields, number>> = {
  name: 4,
  summary: 3,
  keywords: 3,
  params: 0.3,
  description: 0.4,
}
const LENGTH_NORM = 0.3
/** Nearly no normalisation: most documents are endpoints with two keywords, and a list of twenty must still count. */
const KEYWORDS_LENGTH_NORM = 0.05
const SATURATION = 0.7
const MAX_QUERY_TERMS = 24
/** A word without any document still counts as a part of the query. */
const UNKNOWN_WORD_WEIGHT = 1.7
/** Names and numbers describe the subject of a query, not its task. */
const UNKNOWN_NAME_WEIGHT = 0.4
/** Limits the weight of a postal address to that of a name. */
const MOST_NAMES_WEIGHT = 1.2
/** "Was any peanut butter recalled": two unknown words count no more than one. */
const MOST_UNKNOWN_WEIGHT = 2.2
const LEAST_WORD_WEIGHT = 0.7
const TYPO_WEIGHT = 0.75
const VAGUE_WORD_WEIGHT = 0.35
/** Words that describe neither a task nor a subject. */
const VAGUE_WORDS = new Set(
  tokenize(
    'find get list show data info information api tool service online best look retrieve all every full given new who several once ' +
      // Fillers.
      'say says said tell told go going happen mean know think ' +
      // Time and quality.
      'latest recent recently current currently today yesterday tomorrow tonight morning afternoon evening day week weekend month year good great top popular cheap ' +
      'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december',
  ),
)

/** A query that names a platform is about that platform. */
const PLATFORM_WEIGHT = 2
const PLATFORMS = new Set(
  tokenize(
    'bilibili douyin instagram kuaishou lemon8 linkedin pipixia reddit threads tiktok toutiao twitter wechat weibo xiaohongshu xigua youtube zhihu',
  ),
)

/** A country ranks its register first among registers, but not above the requested action. */
const COUNTRY_WEIGHT = 0.8
const COUNTRIES = new Set(tokenize(countryWords().join(' ')))

type Postings = { readonly documents: Uint32Array; readonly weights: Float32Array }
type WeightedTerm = { readonly term: string; readonly weight: number }
type QueryWord = {
  readonly alternatives: readonly WeightedTerm[]
  readonly weight: number
  readonly isName: boolean
}

export type Ranked = { readonly document: number; readonly score: number }
/** `postingsRead` and `termsCompared` count the work done. */
export type Ranking = {
  readonly ranked: readonly Ranked[]
  readonly postingsRead: number
  readonly termsCompared: number
}
/** `rank` leaves out documents that score below `least`. */
export type SearchIndex = {
  /** Similar terms for a stem that no document has; none for a term of the index. */
  readonly correct: (stem: string) => readonly string[]
  readonly rank: (query: string, least: number) => Ranking
  readonly size: number
}

export function buildIndex(documents: readonly SearchDocument[]): SearchIndex {
  return runWhole(indexSteps(documents))
}

export function* indexSteps(documents: readonly SearchDocument[]): Steps<SearchIndex> {
  const postings = yield* invert(documents)
  const corrector = yield* typoCorrectorSteps([...postings.keys()])
  return {
    size: documents.length,
    correct: (term) => (postings.has(term) ? [] : corrector.correct(term)),
    rank: (query, least) => rank(query, least, postings, corrector, documents.length),
  }
}

function* invert(documents: readonly SearchDocument[]): Steps<Map<string, Postings>> {
  const byTerm = new Map<string, { documents: number[]; weights: number[] }>()
  const read = tokenizeOnce()
  const tokens: Record<keyof Fields, string[]>[] = []
  for (const { fields } of documents) {
    tokens.push(mapFields((field) => read(fields[field])))
    yield
  }
  const averages = mapFields(
    (field) =>
      tokens.reduce((sum, document) => sum + document[field].length, 0) /
      Math.max(1, documents.length),
  )
  for (const [id, document] of tokens.entries()) {
    for (const [term, weight] of termWeights(document, averages)) {
      const list = byTerm.get(term) ?? { documents: [], weights: [] }
      if (list.documents.length === 0) byTerm.set(term, list)
      list.documents.push(id)
      list.weights.push(weight / (weight + SATURATION))
    }
    yield
  }
  const postings = new Map<string, Postings>()
  for (const [term, list] of byTerm) {
    postings.set(term, {
      documents: Uint32Array.from(list.documents),
      weights: Float32Array.from(list.weights),
    })
    yield
  }
  return postings
}

/** Caches tokens, because the endpoints of one action share most texts. */
function tokenizeOnce(): (text: string) => string[] {
  const cache = new Map<string, string[]>()
  return (text) => {
    const tokens = cache.get(text) ?? tokenize(text)
    cache.set(text, tokens)
    return tokens
  }
}

function mapFields<T>(read: (field: keyof Fields) => T): Record<keyof Fields, T> {
  return {
    name: read('name'),
    summary: read('summary'),
    keywords: read('keywords'),
    params: read('params'),
    description: read('description'),
  }
}

const FIELDS = Object.keys(FIELD_WEIGHTS) as (keyof Fields)[]

function termWeights(
  tokens: Record<keyof Fields, string[]>,
  averages: Record<keyof Fields, number>,
): Map<string, number> {
  const weights = new Map<string, number>()
  for (const field of FIELDS) {
    const norm = field === 'keywords' ? KEYWORDS_LENGTH_NORM : LENGTH_NORM
    const length = 1 - norm + (norm * tokens[field].length) / Math.max(1, averages[field])
    for (const term of tokens[field])
      weights.set(term, (weights.get(term) ?? 0) + FIELD_WEIGHTS[field] / length)
  }
  return weights
}

function rank(
  query: string,
  least: number,
  postings: ReadonlyMap<string, Postings>,
  corrector: TypoCorrector,
  size: number,
): Ranking {
  const before = corrector.compared()
  const names = new Set(findNames(query).flatMap(({ text }) => tokenize(text)))
  const words = [...new Set(tokenize(query))]
    .slice(0, MAX_QUERY_TERMS)
    .map((term) => queryWord(term, names.has(term), postings, corrector, size))
  const [named, unknown] = [true, false].map((isName) =>
    weightOf(words.filter((word) => word.alternatives.length === 0 && word.isName === isName)),
  )
  const known = weightOf(words.filter(({ alternatives }) => alternatives.length > 0))
  const total =
    known + Math.min(Math.min(named ?? 0, MOST_NAMES_WEIGHT) + (unknown ?? 0), MOST_UNKNOWN_WEIGHT)
  const scores = new Float64Array(size)
  const best = new Float64Array(size)
  let postingsRead = 0
  for (const { alternatives, weight } of words)
    postingsRead += addWord(scores, best.fill(0), alternatives, weight / total, postings)
  const ranked: Ranked[] = []
  scores.forEach((score, document) => score >= least && ranked.push({ document, score }))
  return {
    ranked: ranked.toSorted((a, b) => b.score - a.score || a.document - b.document),
    postingsRead,
    termsCompared: corrector.compared() - before,
  }
}

function weightOf(words: readonly QueryWord[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0)
}

/** Adds the best of a word's alternatives to each document. Returns the number of postings read. */
function addWord(
  scores: Float64Array,
  best: Float64Array,
  alternatives: readonly WeightedTerm[],
  share: number,
  postings: ReadonlyMap<string, Postings>,
): number {
  let read = 0
  for (const { term, weight } of alternatives) {
    const { documents, weights } = postings.get(term) ?? NO_POSTINGS
    read += documents.length
    documents.forEach((document, at) => {
      best[document] = Math.max(best[document] ?? 0, weight * (weights[at] ?? 0))
    })
  }
  if (read > 0)
    best.forEach((value, document) => (scores[document] = (scores[document] ?? 0) + share * value))
  return read
}

const NO_POSTINGS: Postings = { documents: new Uint32Array(), weights: new Float32Array() }

function queryWord(
  term: string,
  isNamed: boolean,
  postings: ReadonlyMap<string, Postings>,
  corrector: TypoCorrector,
  size: number,
): QueryWord {
  const vague = VAGUE_WORDS.has(term) ? VAGUE_WORD_WEIGHT : 1
  const isName = isNamed || /\d/.test(term)
  const known = [
    { term, weight: 1 },
    ...[...synonymsOf(term)].map((synonym) => ({ term: synonym, weight: SYNONYM_WEIGHT })),
  ].filter((alternative) => postings.has(alternative.term))
  if (known.length > 0)
    return {
      alternatives: known,
      weight: vague * (COUNTRIES.has(term) ? COUNTRY_WEIGHT : wordWeight(known, postings, size)),
      isName,
    }
  if (isName) return { alternatives: [], weight: UNKNOWN_NAME_WEIGHT, isName }
  const guessed = corrector
    .correct(term)
    .map((corrected) => ({ term: corrected, weight: TYPO_WEIGHT }))
  return {
    alternatives: guessed,
    weight:
      vague *
      (guessed.length === 0
        ? UNKNOWN_WORD_WEIGHT
        : TYPO_WEIGHT * wordWeight(guessed, postings, size)),
    isName,
  }
}

/** The rarity of a word, within bounds so that no single word decides alone. */
function wordWeight(
  alternatives: readonly WeightedTerm[],
  postings: ReadonlyMap<string, Postings>,
  size: number,
): number {
  if (PLATFORMS.has(alternatives[0]?.term ?? '')) return PLATFORM_WEIGHT
  const frequency = postings.get(alternatives[0]?.term ?? '')?.documents.length ?? 0
  const rarity = Math.log(1 + size / (frequency + 1)) / Math.log(1 + size / 2)
  return LEAST_WORD_WEIGHT + (2 - LEAST_WORD_WEIGHT) * Math.min(1, rarity)
}
