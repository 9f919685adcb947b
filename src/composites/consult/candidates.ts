/** Finds the candidate actions of an intent: searches the catalog, drafts a call for each hit and scores it. */
import { isPlainReading } from '../discover/topic.ts'
import { tokenize } from '../discover/tokenize.ts'
import { wordsOf } from './checking/action-words.ts'
import type { Problem } from './checking/audit.ts'
import { IDENTIFYING_KINDS } from './checking/fit.ts'
import { isAboutPeople } from './reading/people-roles.ts'
import { draftCandidate, schemaOf, type Candidate, type SuggestDeps } from './suggest.ts'
import type { IntentReading } from './reading/intent-reading.ts'
import type { Target } from './suggested-call.ts'

const MOST_HITS = 12
/** Hits by words alone, for actions that the learned search does not know yet. */
const MOST_BY_WORDS = 6
/** The probability of a hit by words alone with the score 1. */
const BY_WORDS = 0.1
/** The least score of a candidate. */
const LEAST_SCORE = 0.12
/** At this score an intent is clear without earlier turns. */
export const CLEAR_SCORE = 0.55
/** Actions about the gateway itself. */
const NOT_SUGGESTED = new Set(['core/consult', 'core/discover', 'core/result', 'core/cancel'])
/** Suggested only if the intent names a job. */
const JOB_ACTIONS = new Set(['core/result', 'core/cancel'])
const JOB_ID = /^job_\w+$/

/** Candidates for the intent, best first. Empty if nothing in the catalog matches. */
export function findCandidates(deps: SuggestDeps, reading: IntentReading): Candidate[] {
  const plain = plainTask(reading)
  const namesJob = reading.entities.values.id?.some((id) => JOB_ID.test(id)) === true
  return searchCatalog(deps, reading, plain)
    .filter(({ target: { service, action } }) => {
      const name = `${service}/${action}`
      return !NOT_SUGGESTED.has(name) || (namesJob && JOB_ACTIONS.has(name))
    })
    .map(({ target, probability }) => {
      const isPlain = plain.includes(`${target.service}/${target.action}`)
      return draftCandidate(
        deps,
        target,
        reading,
        isPlain ? Math.max(probability, plainProbability(plain)) : probability,
      )
    })
    .map((candidate) => ({ ...candidate, score: candidate.score * soundness(candidate) }))
    .map(lowerOthers(deps, reading))
    .filter(
      ({ score, call, missing }) => (call !== null || missing.length > 0) && score >= LEAST_SCORE,
    )
    .toSorted((a, b) => b.score - a.score)
}

/** The factor for each word of the intent that describes a rival and not the candidate: "risky", "tone". */
const OTHER_QUALITY = 0.85
const LEAST_OF_RIVAL = 0.15
const MOST_QUALITIES = 2

/** Lowers candidates without a quality that the intent asks for and a probable rival has. */
function lowerOthers({ catalog }: SuggestDeps, { entities }: IntentReading) {
  const named = new Set(entities.found.flatMap(({ text }) => tokenize(text)))
  const asked = entities.words
    .filter(({ isRequest }) => !isRequest)
    .map(({ stems, english }) => [...stems, ...english].filter((stem) => !named.has(stem)))
    .filter((stems) => stems.length > 0)
  return (candidate: Candidate, _at: number, all: readonly Candidate[]): Candidate => {
    const wordsOfTask = ({ target }: Candidate): ReadonlySet<string> => {
      const entry = catalog.findAction(target.service, target.action)
      return wordsOf(entry, target, schemaOf(entry, target.endpoint)).task
    }
    const own = wordsOfTask(candidate)
    const rivals = all
      .filter((one) => one !== candidate && one.probability >= LEAST_OF_RIVAL)
      .map(wordsOfTask)
    const lacking = asked.filter(
      (stems) =>
        !stems.some((stem) => own.has(stem)) &&
        rivals.some((words) => stems.some((stem) => words.has(stem))),
    ).length
    return {
      ...candidate,
      score: candidate.score * OTHER_QUALITY ** Math.min(lacking, MOST_QUALITIES),
    }
  }
}

type Match = { readonly target: Target; readonly probability: number }

/** The least probability of the actions for a task that the intent states plainly. */
const PLAIN_PROBABILITY = 0.6
const READERS = ['core/onescrape']
/** The probability of an action that alone takes a query or returns a CIK. */
const OWN_PROBABILITY = 0.96
const QUERIES = ['entitygraph/sparql']
const FILERS = ['secfilings/entities']
const MAKERS = ['media/generate']
const PEOPLE_FINDERS = ['core/onefind']
const ANSWERERS = ['cited/search']
/** Requests for something other than people: "papers on", but not "research scientists". */
const NO_PEOPLE =
  /\b(?:papers?|articles?|news|stud(?:y|ies)|research|books?|videos?|posts?|repositor(?:y|ies)|tutorials?|guides?|e-?mails?|phone|contact|jobs?|openings?|hiring|salary) (?:on|about|by|of|for|from|mentioning|that|at|in)\b|\bpeople (?:say|think|write|feel|talk|ask|search|complain)\b/i
/** "Draw three logo variants", "compose a calm piano track". */
const CREATION =
  /^(?:(?:please|can you|could you|i want|i need|i'd like)(?: to)?,? )*(?:generate|make|create|draw|render|paint|compose|produce|design|animate)\b.{0,60}\b(?:pictures?|images?|photos?|drawings?|illustrations?|paintings?|logos?|posters?|icons?|videos?|clips?|animations?|songs?|music|melod(?:y|ies)|jingles?|(?:piano|guitar|synth|techno|ambient|jazz|rock|hip-hop|lo-fi|\w+) tracks?|soundtracks?)\b/i
/** Questions about the caller's own affairs, which the web cannot answer. */
const PERSONAL =
  /\b(?:my|our|me|i|i'm|we|us|mine|your?|this|that|these|those|it|here|he|she|they|him|her|his|their)\b/i

/**
 * Actions for tasks that no word of a description names. They read a page whose URL stands almost alone, find people
 * by their role, run a query, find the CIK of a company, or answer a question about the world.
 */
function plainTask({ intent, topic, entities }: IntentReading): readonly string[] {
  const { url, domain, query, cik } = entities.values
  if (query !== undefined) return QUERIES
  if (cik === undefined && /\bCIK\b/.test(intent)) return FILERS
  if ((url ?? domain) !== undefined && isPlainReading(entities.masked)) return READERS
  const isIdentifying = IDENTIFYING_KINDS.some((kind) => entities.values[kind] !== undefined)
  if (isIdentifying) return []
  if (CREATION.test(intent)) return MAKERS
  if (isAboutPeople(topic) && !NO_PEOPLE.test(intent)) return PEOPLE_FINDERS
  return isWorldQuestion(intent) && !PERSONAL.test(intent) ? ANSWERERS : []
}

function plainProbability(plain: readonly string[]): number {
  return plain === QUERIES || plain === FILERS ? OWN_PROBABILITY : PLAIN_PROBABILITY
}

const WORLD_QUESTION =
  /^(?:what (?:is|are|was|were) the (?:capital|population|height|length|area|meaning|definition|history|origin|difference|distance|largest|smallest|oldest)|who (?:was|invented|discovered|wrote|painted|won)|when (?:was|did|is)|why (?:do|does|did|is|are)|how (?:do|does|did) (?!i\b)|best practices (?:for|of|in))\b/i

function isWorldQuestion(intent: string): boolean {
  return WORLD_QUESTION.test(intent.trim())
}

function searchCatalog(
  { discover }: SuggestDeps,
  { intent, entities }: IntentReading,
  plain: readonly string[],
): Match[] {
  const matches = new Map<string, Match>()
  const add = ({ service, action, endpoint }: Target, probability: number): void => {
    const key = `${service}/${action} ${endpoint ?? ''}`
    if (!matches.has(key)) matches.set(key, { target: { service, action, endpoint }, probability })
  }
  for (const hit of discover.search(intent, MOST_HITS).hits) add(hit, hit.probability)
  for (const hit of discover.nearest(entities.masked, MOST_BY_WORDS)) add(hit, hit.score * BY_WORDS)
  for (const name of plain) {
    const [service = '', action = ''] = name.split('/')
    add({ service, action, endpoint: null }, plainProbability(plain))
  }
  return [...matches.values()]
}

/** Factors for each problem of a call. */
const FACTORS: Readonly<Record<Problem['kind'], number>> = {
  act: 0.1,
  list_name: 0.1,
  cut: 0.3,
  unused: 0.55,
  empty: 0.6,
  unrelated: 0.4,
  request_word: 0.6,
  unexplained: 0.85,
}

function soundness({ problems, call }: Candidate): number {
  return problems
    .filter(({ kind }) => kind !== 'empty' || call !== null)
    .reduce((factor, { kind }) => factor * FACTORS[kind], 1)
}
