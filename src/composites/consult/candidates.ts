/** Finds the candidate actions of an intent: searches the catalog, drafts a call for each hit and scores it. */
import type { WordHit } from '../discover/create-discover.ts'
import { tokenize } from '../discover/tokenize.ts'
import { IDENTIFYING_KINDS } from './fit.ts'
import { draftCandidate, type Candidate, type SuggestDeps } from './suggest.ts'
import { platformsIn } from './platforms.ts'
import { isPlainReading, isQuestion, isSearch, taskOf } from '../discover/topic.ts'
import type { IntentReading } from './intent-reading.ts'
import { isAboutPeople } from './people-roles.ts'

const MOST_HITS = 24
/** The least score of a call. */
const LEAST_SCORE = 0.4
/** The least score of a candidate that needs a question. */
const LEAST_TO_ASK = 0.28
const LEAST_OF_NEAREST = 0.7
/** At this score an intent is clear without earlier turns. */
export const CLEAR_SCORE = 0.55
/** Actions about the gateway itself. */
const NOT_SUGGESTED = new Set(['core/consult', 'core/discover', 'core/result', 'core/cancel'])
/** Suggested only if the intent names a job. */
const JOB_ACTIONS = new Set(['core/result', 'core/cancel'])
const JOB_ID = /^job_[0-9a-f]{32}$/
const READERS = ['core/onescrape', 'scraping/scrape']
const ANSWERERS = ['cited/search', 'core/onesearch']
const SEARCHERS = ['core/onesearch', 'semantic/search']
const PEOPLE_FINDERS = ['core/onefind', 'contactfind/people-search']
const PEOPLE_FINDERS_WITH_CONTACTS = ['core/onefind-deep', 'contactfind/people-search']
/** A request for contact data at the end of a request for people. */
const CONTACTS =
  /(?:,| and| with| plus)(?: get| find)?(?: their| the| work| business)*(?: e-?mails?(?: address(?:es)?)?| phone(?: number)?s?| contact (?:details|data|info(?:rmation)?))\b.*$/i
/** Requests for something other than people: "papers on", but not "research scientists". */
const NO_PEOPLE =
  /\b(?:papers?|articles?|news|stud(?:y|ies)|research|books?|videos?|posts?|repositor(?:y|ies)|tutorials?|guides?) (?:on|about|by|of|for|from|mentioning|that)\b|\bpeople (?:say|think|write|feel|talk|ask|search|complain)\b/i

/** Candidates for the intent, best first. Empty if nothing in the catalog matches. */
export function findCandidates(
  deps: SuggestDeps,
  reading: IntentReading,
  masked: string,
): Candidate[] {
  const namesJob = reading.entities.values.id?.some((id) => JOB_ID.test(id)) === true
  const hits = searchCatalog(deps, masked, reading.intent)
  const nearest = Math.max(0, ...hits.map(({ score }) => score))
  const candidates = hits
    .filter(
      ({ service, action }) =>
        !NOT_SUGGESTED.has(`${service}/${action}`) ||
        (namesJob && JOB_ACTIONS.has(`${service}/${action}`)),
    )
    .map((hit) => ({ hit, candidate: draftCandidate(deps, hit, reading, hit.score) }))
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
    (candidates[0] !== undefined && isNamed(candidates[0], reading.intent))
  const certain =
    plainReading(deps, reading, masked) ??
    (isClear
      ? null
      : (findPeople(deps, reading) ??
        searchTheWeb(deps, reading, candidates.length === 0 && taskOf(masked)?.isSure === true)))
  return certain === null ? candidates : [certain, ...candidates]
}

/** Whether a call only passes on the topic. Such a call is always possible, so a far better hit replaces it. */
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

function plainReading(deps: SuggestDeps, reading: IntentReading, masked: string): Candidate | null {
  const { url, domain } = reading.entities.values
  return (url ?? domain) === undefined || !isPlainReading(masked)
    ? null
    : draftFirst(deps, READERS, reading, 1)
}

/** Finds people for a topic such as "software engineers at Acme". */
function findPeople(deps: SuggestDeps, reading: IntentReading): Candidate | null {
  if (isIdentifying(reading) || !isAboutPeople(reading.topic) || NO_PEOPLE.test(reading.intent))
    return null
  const topic = reading.topic.replace(CONTACTS, '')
  return draftFirst(
    deps,
    topic === reading.topic ? PEOPLE_FINDERS : PEOPLE_FINDERS_WITH_CONTACTS,
    { ...reading, topic },
    CLEAR_SCORE,
  )
}

/** Answers a question, or a search without a source, from the web. */
function searchTheWeb(
  deps: SuggestDeps,
  reading: IntentReading,
  hasSearchTask: boolean,
): Candidate | null {
  if (isIdentifying(reading)) return null
  if ((hasSearchTask || isSearch(reading.intent)) && reading.topic !== '')
    return draftFirst(deps, SEARCHERS, reading, CLEAR_SCORE)
  return isQuestion(reading.intent)
    ? draftFirst(deps, ANSWERERS, { ...reading, topic: reading.intent.trim() }, CLEAR_SCORE)
    : null
}

export function isAnswerFromTheWeb({ target: { service, action } }: Candidate): boolean {
  return ANSWERERS.includes(`${service}/${action}`)
}

/** Whether the intent names the candidate's service or platform, as in "who holds patents on …". */
function isNamed(
  { call, target: { service, action, endpoint } }: Candidate,
  intent: string,
): boolean {
  if (call === null) return false
  const offered = platformsIn(`${service} ${action} ${endpoint ?? ''}`)
  if (platformsIn(intent).some((name) => offered.includes(name))) return true
  const words = new Set(tokenize(intent))
  return tokenize(service).every((word) => words.has(word))
}

function isIdentifying({ entities }: IntentReading): boolean {
  return IDENTIFYING_KINDS.some((kind) => entities.values[kind] !== undefined)
}

/** A call of the first of these actions in the catalog. Null if parameters are missing. */
function draftFirst(
  deps: SuggestDeps,
  names: readonly string[],
  reading: IntentReading,
  score: number,
): Candidate | null {
  const known = deps.catalog
    .allActions()
    .filter(({ service, name }) => names.includes(`${service.id}/${name}`))
  const [entry] = names.flatMap((wanted) =>
    known.filter(({ service, name }) => `${service.id}/${name}` === wanted),
  )
  if (entry === undefined) return null
  const candidate = draftCandidate(
    deps,
    { service: entry.service.id, action: entry.name, endpoint: null },
    reading,
    score,
  )
  return candidate.call === null ? null : candidate
}

/** Searches the catalog for the task of an intent, if it is separable from the topic, and for the whole intent. */
function searchCatalog(
  { discover }: SuggestDeps,
  masked: string,
  intent: string,
): readonly WordHit[] {
  const whole = discover.nearest(masked, MOST_HITS)
  const byName = new Map(whole.map((hit) => [keyOf(hit), hit]))
  const isKnown = (whole[0]?.score ?? 0) >= LEAST_SCORE
  const task = taskOf(masked)
  const byTask =
    task === null
      ? []
      : discover
          .nearest(task.text, MOST_HITS)
          .map((hit) =>
            weigh(
              hit,
              byName.get(keyOf(hit))?.score ?? 0,
              task.isSure ? SURE_SHARE : isKnown ? EVEN_SHARE : ALONE_SHARE,
            ),
          )
  if (task?.isSure === true) return byTask
  for (const hit of byTask)
    if (hit.score > (byName.get(keyOf(hit))?.score ?? 0)) byName.set(keyOf(hit), hit)
  const found = [...byName.values()]
  if (found.some(({ score }) => score >= LEAST_SCORE)) return found
  return [
    ...found,
    ...discover
      .nearest(platformsIn(intent).join(' '), MOST_HITS)
      .map((hit) => ({ ...hit, score: hit.score * PLATFORM_SHARE })),
  ]
}

/** The weight of the task if it is certain, if it is a guess, and if the whole intent has no hit. */
const SURE_SHARE = 0.8
const EVEN_SHARE = 0.5
const ALONE_SHARE = 0.9
/** The weight of a hit found by the platform's name only. */
const PLATFORM_SHARE = 0.6

function weigh(hit: WordHit, wholeScore: number, share: number): WordHit {
  return { ...hit, score: share * hit.score + (1 - share) * wholeScore }
}

function keyOf({ service, action, endpoint }: WordHit): string {
  return `${service}/${action} ${endpoint ?? ''}`
}
