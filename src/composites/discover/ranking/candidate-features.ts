/** The features of a candidate by which the trees judge it for an intent. */
import { findCountry } from '../places.ts'
import { platformsIn } from '../../consult/platforms.ts'
import type { SearchDocument } from '../documents.ts'
import type { LinearScores } from './linear-model.ts'
import type { IntentText } from './text-features.ts'

export const CANDIDATE_FEATURES = [
  'log probability',
  'gap to the most probable',
  'rank by probability',
  'lexical score',
  'gap to the best lexical score',
  'rank by words',
  'log probability of nothing',
  'known share of the intent',
  'probability of the service',
  'best log probability',
  'best lexical score',
  'entropy',
  'is trained',
  'is an endpoint',
  'length of the intent',
  'is in Latin script',
  'platform agrees',
  'country agrees',
  'price',
  'shapes it takes',
  'shapes it leaves',
] as const

/** One target of the catalog as the second stage sees it. */
export type TargetFacts = {
  readonly service: string
  /** Class of the linear model, or -1 for a target that it was not trained on. */
  readonly column: number
  readonly isEndpoint: boolean
  readonly platforms: readonly string[]
  /** Two letters, or null. */
  readonly country: string | null
  readonly priceCents: number
  /** Names of the shapes that its parameters take. */
  readonly shapes: ReadonlySet<string>
}

export type IntentFacts = {
  readonly linear: LinearScores
  /** Service of each class, in the order of the classes. */
  readonly serviceOfColumn: readonly string[]
  /** Column of the class that stands for "nothing fits". */
  readonly nothing: number
  readonly bestLexical: number
  readonly words: number
  readonly isLatin: boolean
  readonly platforms: readonly string[]
  readonly country: string | null
  readonly shapes: readonly string[]
}

/** Log-probability of targets that the linear model has no class for. */
const UNTRAINED = -9

export function readIntentFacts(
  intent: string,
  { words, shapes }: IntentText,
  linear: LinearScores,
  model: Pick<IntentFacts, 'serviceOfColumn' | 'nothing'>,
  bestLexical: number,
): IntentFacts {
  return {
    linear,
    ...model,
    bestLexical,
    words: words.length,
    isLatin: !/[^\p{Script=Latin}\P{L}]/u.test(intent),
    platforms: platformsIn(intent),
    country: findCountry(intent)?.country.alpha2 ?? null,
    shapes: shapes.filter((shape) => SUBJECT_SHAPES.has(shape)),
  }
}

/** `column`: the class of the linear model, or -1. */
export function readTargetFacts({ hit, fields }: SearchDocument, column: number): TargetFacts {
  const country =
    hit.endpoint === null ? null : findCountry(hit.endpoint.replaceAll(/[^a-z]+/gi, ' '))
  return {
    service: hit.service,
    column,
    isEndpoint: hit.endpoint !== null,
    platforms: platformsIn(`${hit.service} ${hit.action} ${hit.endpoint ?? ''} ${hit.summary}`),
    country: country?.country.alpha2 ?? null,
    priceCents: hit.price_cents,
    shapes: listShapes(fields.params.split(/\s+/)),
  }
}

export type Candidate = {
  readonly facts: TargetFacts
  readonly lexical: number
  readonly lexicalRank: number
  readonly linearRank: number
}

/** Facts of the intent that are the same for all its candidates: computed once. */
export function summarizeScores({ linear, serviceOfColumn, nothing }: IntentFacts): {
  readonly best: number
  readonly entropy: number
  readonly ofService: ReadonlyMap<string, number>
} {
  const ofService = new Map<string, number>()
  let best = -Infinity
  let entropy = 0
  linear.logProbabilities.forEach((log, column) => {
    if (column === nothing) return
    const probability = Math.exp(log)
    best = Math.max(best, log)
    entropy -= probability * log
    const service = serviceOfColumn[column] ?? ''
    ofService.set(service, (ofService.get(service) ?? 0) + probability)
  })
  return { best, entropy, ofService }
}

export function computeFeatures(
  intent: IntentFacts,
  shared: ReturnType<typeof summarizeScores>,
  { facts, lexical, lexicalRank, linearRank }: Candidate,
): number[] {
  const log =
    facts.column < 0
      ? UNTRAINED
      : Math.max(UNTRAINED, intent.linear.logProbabilities[facts.column] ?? UNTRAINED)
  return [
    log,
    shared.best - log,
    linearRank,
    lexical,
    intent.bestLexical - lexical,
    lexicalRank,
    intent.linear.logProbabilities[intent.nothing] ?? UNTRAINED,
    intent.linear.coverage,
    shared.ofService.get(facts.service) ?? 0,
    shared.best,
    intent.bestLexical,
    shared.entropy,
    facts.column < 0 ? 0 : 1,
    facts.isEndpoint ? 1 : 0,
    intent.words,
    intent.isLatin ? 1 : 0,
    rateAgreement(intent.platforms, facts.platforms),
    rateAgreement(
      intent.country === null ? [] : [intent.country],
      facts.country === null ? [] : [facts.country],
    ),
    Math.log1p(facts.priceCents),
    intent.shapes.filter((shape) => facts.shapes.has(shape)).length,
    intent.shapes.filter((shape) => !facts.shapes.has(shape)).length,
  ]
}

/** 2: the same; 1: neither names one; 0: only the intent does; -1: only the target does; -2: different ones. */
function rateAgreement(asked: readonly string[], offered: readonly string[]): number {
  if (offered.length === 0) return asked.length === 0 ? 1 : 0
  if (asked.length === 0) return -1
  return asked.some((one) => offered.includes(one)) ? 2 : -2
}

/** Shapes that name what the call is about. */
const SUBJECT_SHAPES: ReadonlySet<string> = new Set([
  'email',
  'url',
  'doi',
  'trial',
  'cve',
  'isbn',
  'transaction',
  'wallet',
  'accession',
  'iban',
  'ein',
  'citation',
  'vat',
  'vin',
  'ip',
  'coordinates',
  'address',
  'phone',
  'handle',
  'hashtag',
  'domain',
])

const SHAPES_BY_NAME: readonly (readonly [RegExp, readonly string[]])[] = [
  [/url|link|website|page/i, ['url', 'domain']],
  [/domain|site|host/i, ['domain', 'url']],
  [/e-?mail/i, ['email']],
  [/doi/i, ['doi']],
  [/nct|trial/i, ['trial']],
  [/cve/i, ['cve']],
  [/isbn/i, ['isbn']],
  [/tx|transaction|hash/i, ['transaction']],
  [/wallet|address|contract|account/i, ['wallet', 'address']],
  [/iban/i, ['iban']],
  [/ein/i, ['ein']],
  [/citation|title|part/i, ['citation']],
  [/vat/i, ['vat']],
  [/vin/i, ['vin']],
  [/\bip\b/i, ['ip']],
  [/lat|lon|coord|location/i, ['coordinates']],
  [/phone/i, ['phone']],
  [/user|handle|profile|name/i, ['handle']],
  [/tag/i, ['hashtag']],
  [/accession/i, ['accession']],
]

/** Shapes that parameters of these names take. */
function listShapes(params: readonly string[]): Set<string> {
  return new Set(
    params.flatMap((name) =>
      SHAPES_BY_NAME.flatMap(([pattern, shapes]) => (pattern.test(name) ? shapes : [])),
    ),
  )
}
