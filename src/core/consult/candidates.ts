/** Which actions an intent may mean: the catalog is searched, and each find is drafted and weighed. */
import type { ScoredHit } from '../discover/create-discover.ts'
import { MISSING_FACTOR, TELLING } from './fit.ts'
import { candidateOf, type Candidate, type SuggestParts } from './suggest.ts'
import { isPlainReading, isQuestion, taskOf } from './topic.ts'
import type { Reading } from './values.ts'

const LOOKED_AT = 24
/** Below this share of the intent's weight, an action is about something else. */
const LEAST_SCORE = 0.4
/** At this score an intent speaks for itself. */
export const CLEAR_SCORE = 0.55
/** They answer questions about the gateway, not the ones that callers bring here. */
const NOT_SUGGESTED = new Set(['core/consult', 'core/discover', 'core/result', 'core/cancel'])
const READERS = ['core/onescrape', 'scraping/scrape']
const ANSWERERS = ['cited/search', 'core/onesearch']

/** Candidates for the intent, best first; an empty list when nothing in the catalog fits. */
export function candidatesFor(parts: SuggestParts, reading: Reading, masked: string): Candidate[] {
  const candidates = hitsFor(parts, masked)
    .filter(({ service, action }) => !NOT_SUGGESTED.has(`${service}/${action}`))
    .map((hit) => candidateOf(parts, hit, reading, hit.score))
    .filter(({ score, call, missing }) => (call === null ? missing.length > 0 && score >= LEAST_SCORE * MISSING_FACTOR : score >= LEAST_SCORE))
    .toSorted((a, b) => b.score - a.score)
  const certain = plainReading(parts, reading, masked) ?? ((candidates[0]?.score ?? 0) < CLEAR_SCORE && isQuestion(reading.intent) ? answerFromTheWeb(parts, reading) : null)
  return certain === null ? candidates : [certain, ...candidates]
}

function plainReading(parts: SuggestParts, reading: Reading, masked: string): Candidate | null {
  const { url, domain } = reading.entities.values
  return (url ?? domain) === undefined || !isPlainReading(masked) ? null : firstOf(parts, READERS, reading, 1)
}

/** A question that no action is made for is one for the web. */
function answerFromTheWeb(parts: SuggestParts, reading: Reading): Candidate | null {
  const isTelling = TELLING.some((kind) => reading.entities.values[kind] !== undefined)
  return isTelling ? null : firstOf(parts, ANSWERERS, { ...reading, topic: reading.intent.trim() }, CLEAR_SCORE)
}

/** The first of these actions that the catalog has, where it can be called as it stands. */
function firstOf(parts: SuggestParts, names: readonly string[], reading: Reading, score: number): Candidate | null {
  const known = parts.catalog.allActions().filter(({ service, name }) => names.includes(`${service.id}/${name}`))
  const [entry] = names.flatMap((wanted) => known.filter(({ service, name }) => `${service.id}/${name}` === wanted))
  if (entry === undefined) return null
  const candidate = candidateOf(parts, { service: entry.service.id, action: entry.name, endpoint: null }, reading, score)
  return candidate.call === null ? null : candidate
}

/** What a search is about says little about which action is wanted: where the two can be told apart, the task decides. */
function hitsFor({ discover }: SuggestParts, masked: string): readonly ScoredHit[] {
  const whole = discover.nearest(masked, LOOKED_AT)
  const task = taskOf(masked)
  if (task === null) return whole
  const byName = new Map(whole.map((hit) => [nameOf(hit), hit]))
  const byTask = discover.nearest(task.text, LOOKED_AT).map((hit) => ({ ...hit, score: task.share * hit.score + (1 - task.share) * (byName.get(nameOf(hit))?.score ?? 0) }))
  for (const hit of byTask) if (task.isSure || hit.score > (byName.get(nameOf(hit))?.score ?? 0)) byName.set(nameOf(hit), hit)
  return task.isSure ? byTask : [...byName.values()]
}

function nameOf({ service, action, endpoint }: ScoredHit): string {
  return `${service}/${action} ${endpoint ?? ''}`
}

