/** Which actions an intent may mean: the catalog is searched, and each find is drafted and weighed. */
import type { ScoredHit } from '../discover/create-discover.ts'
import { tokenize } from '../discover/tokenize.ts'
import { TELLING } from './fit.ts'
import { candidateOf, type Candidate, type SuggestParts } from './suggest.ts'
import { platformsIn } from './platforms.ts'
import { isPlainReading, isQuestion, isSearch, taskOf } from '../discover/topic.ts'
import { isAboutPeople, type IntentReading } from './values.ts'

const LOOKED_AT = 24
/** Below this share of the intent's weight, an action is about something else. */
const LEAST_SCORE = 0.4
const LEAST_TO_ASK = 0.28
const LEAST_OF_NEAREST = 0.7
/** At this score an intent speaks for itself. */
export const CLEAR_SCORE = 0.55
/** They answer questions about the gateway, not the ones that callers bring here. */
const NOT_SUGGESTED = new Set(['core/consult', 'core/discover', 'core/result', 'core/cancel'])
/** But these are meant where a job of this gateway is named. */
const OF_A_JOB = new Set(['core/result', 'core/cancel'])
const JOB_ID = /^job_[0-9a-f]{32}$/
const READERS = ['core/onescrape', 'scraping/scrape']
const ANSWERERS = ['cited/search', 'core/onesearch']
const SEARCHERS = ['core/onesearch', 'semantic/search']
const PEOPLE_FINDERS = ['core/onefind', 'contactfind/people-search']
const PEOPLE_FINDERS_WITH_CONTACTS = ['core/onefind-deep', 'contactfind/people-search']
/** What is wanted of people besides, and what else than people is wanted: "papers on", not "research scientists". */
const CONTACTS =
  /(?:,| and| with| plus)(?: get| find)?(?: their| the| work| business)*(?: e-?mails?(?: address(?:es)?)?| phone(?: number)?s?| contact (?:details|data|info(?:rmation)?))\b.*$/i
const NO_PEOPLE =
  /\b(?:papers?|articles?|news|stud(?:y|ies)|research|books?|videos?|posts?|repositor(?:y|ies)|tutorials?|guides?) (?:on|about|by|of|for|from|mentioning|that)\b|\bpeople (?:say|think|write|feel|talk|ask|search|complain)\b/i

/** Candidates for the intent, best first; an empty list when nothing in the catalog fits. */
export function candidatesFor(
  parts: SuggestParts,
  reading: IntentReading,
  masked: string,
): Candidate[] {
  const namesJob = reading.entities.values.id?.some((id) => JOB_ID.test(id)) === true
  const hits = hitsFor(parts, masked, reading.intent)
  const nearest = Math.max(0, ...hits.map(({ score }) => score))
  const candidates = hits
    .filter(
      ({ service, action }) =>
        !NOT_SUGGESTED.has(`${service}/${action}`) ||
        (namesJob && OF_A_JOB.has(`${service}/${action}`)),
    )
    .map((hit) => ({ hit, candidate: candidateOf(parts, hit, reading, hit.score) }))
    .filter(
      ({ hit, candidate }) =>
        hit.score >= nearest * LEAST_OF_NEAREST || !isMereTopic(candidate, reading),
    )
    .map(({ candidate }) => candidate)
    .filter(({ score, call, missing }) =>
      call === null ? missing.length > 0 && score >= LEAST_TO_ASK : score >= LEAST_SCORE,
    )
    .toSorted((a, b) => b.score - a.score)
  const isClear =
    (candidates[0]?.score ?? 0) >= LEAST_SCORE ||
    (candidates[0] !== undefined && isSaid(candidates[0], reading.intent))
  const certain =
    plainReading(parts, reading, masked) ??
    (isClear
      ? null
      : (peopleFor(parts, reading) ??
        answerFromTheWeb(
          parts,
          reading,
          candidates.length === 0 && taskOf(masked)?.isSure === true,
        )))
  return certain === null ? candidates : [certain, ...candidates]
}

/** What takes any text can always be called: that makes it no answer where something else is far nearer. */
function isMereTopic({ call }: Candidate, { topic }: IntentReading): boolean {
  const texts =
    call === null
      ? []
      : Object.entries(call.params)
          .filter(([name]) => name !== 'endpoint')
          .flatMap(([, value]): unknown[] => (Array.isArray(value) ? value : [value]))
  return (
    topic !== '' &&
    texts.length > 0 &&
    texts.every((text) => text === topic || typeof text === 'number')
  )
}

function plainReading(
  parts: SuggestParts,
  reading: IntentReading,
  masked: string,
): Candidate | null {
  const { url, domain } = reading.entities.values
  return (url ?? domain) === undefined || !isPlainReading(masked)
    ? null
    : firstOf(parts, READERS, reading, 1)
}

/** Names of people and companies say nothing about the task: "software engineers at Acme" are still people. */
function peopleFor(parts: SuggestParts, reading: IntentReading): Candidate | null {
  if (isTelling(reading) || !isAboutPeople(reading.topic) || NO_PEOPLE.test(reading.intent))
    return null
  const topic = reading.topic.replace(CONTACTS, '')
  return firstOf(
    parts,
    topic === reading.topic ? PEOPLE_FINDERS : PEOPLE_FINDERS_WITH_CONTACTS,
    { ...reading, topic },
    CLEAR_SCORE,
  )
}

/** A question that no action is made for is one for the web, and so is a search that says no more than what for. */
function answerFromTheWeb(
  parts: SuggestParts,
  reading: IntentReading,
  isSearchOfSomething: boolean,
): Candidate | null {
  if (isTelling(reading)) return null
  if ((isSearchOfSomething || isSearch(reading.intent)) && reading.topic !== '')
    return firstOf(parts, SEARCHERS, reading, CLEAR_SCORE)
  return isQuestion(reading.intent)
    ? firstOf(parts, ANSWERERS, { ...reading, topic: reading.intent.trim() }, CLEAR_SCORE)
    : null
}

export function isAnswerFromTheWeb({ target: { service, action } }: Candidate): boolean {
  return ANSWERERS.includes(`${service}/${action}`)
}

/** Who names a service or a platform means it, however little the other words tell: "who holds patents on …". */
function isSaid(
  { call, target: { service, action, endpoint } }: Candidate,
  intent: string,
): boolean {
  if (call === null) return false
  const offered = platformsIn(`${service} ${action} ${endpoint ?? ''}`)
  if (platformsIn(intent).some((name) => offered.includes(name))) return true
  const said = new Set(tokenize(intent))
  return tokenize(service).every((word) => said.has(word))
}

function isTelling({ entities }: IntentReading): boolean {
  return TELLING.some((kind) => entities.values[kind] !== undefined)
}

/** The first of these actions that the catalog has, where it can be called as it stands. */
function firstOf(
  parts: SuggestParts,
  names: readonly string[],
  reading: IntentReading,
  score: number,
): Candidate | null {
  const known = parts.catalog
    .allActions()
    .filter(({ service, name }) => names.includes(`${service.id}/${name}`))
  const [entry] = names.flatMap((wanted) =>
    known.filter(({ service, name }) => `${service.id}/${name}` === wanted),
  )
  if (entry === undefined) return null
  const candidate = candidateOf(
    parts,
    { service: entry.service.id, action: entry.name, endpoint: null },
    reading,
    score,
  )
  return candidate.call === null ? null : candidate
}

/** What a search is about says little about which action is wanted: where the two can be told apart, the task decides. */
function hitsFor({ discover }: SuggestParts, masked: string, intent: string): readonly ScoredHit[] {
  const whole = discover.nearest(masked, LOOKED_AT)
  const byName = new Map(whole.map((hit) => [nameOf(hit), hit]))
  const isKnown = (whole[0]?.score ?? 0) >= LEAST_SCORE
  const task = taskOf(masked)
  const byTask =
    task === null
      ? []
      : discover
          .nearest(task.text, LOOKED_AT)
          .map((hit) =>
            weighted(
              hit,
              byName.get(nameOf(hit))?.score ?? 0,
              task.isSure ? SURE_SHARE : isKnown ? EVEN_SHARE : ALONE_SHARE,
            ),
          )
  if (task?.isSure === true) return byTask
  for (const hit of byTask)
    if (hit.score > (byName.get(nameOf(hit))?.score ?? 0)) byName.set(nameOf(hit), hit)
  const found = [...byName.values()]
  if (found.some(({ score }) => score >= LEAST_SCORE)) return found
  return [
    ...found,
    ...discover
      .nearest(platformsIn(intent).join(' '), LOOKED_AT)
      .map((hit) => ({ ...hit, score: hit.score * PLATFORM_SHARE })),
  ]
}

/** How much the task decides: where it is plain, where it is a guess, and where the rest says nothing to the catalog. */
const SURE_SHARE = 0.8
const EVEN_SHARE = 0.5
const ALONE_SHARE = 0.9
/** Where nothing but the name of a platform is known. */
const PLATFORM_SHARE = 0.6

function weighted(hit: ScoredHit, wholeScore: number, share: number): ScoredHit {
  return { ...hit, score: share * hit.score + (1 - share) * wholeScore }
}

function nameOf({ service, action, endpoint }: ScoredHit): string {
  return `${service}/${action} ${endpoint ?? ''}`
}
