/** Finds the action for a clause that only refers to an earlier answer: "read the first one", "wait for the result". */
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import { answerSchema } from '../../../catalog/published/answer-schema.ts'
import { stem } from '../../discover/stem.ts'
import { toMissing } from '../filling/fill.ts'
import { actOf, carriesOut } from '../checking/acts.ts'
import { foreignWordsIn, withMeanings } from '../reading/foreign-words.ts'
import { isEnglish } from '../reading/languages.ts'
import type { IntentReading } from '../reading/intent-reading.ts'
import { draftCandidate, schemaOf, type Candidate, type SuggestDeps } from '../suggest.ts'
import { pathTo } from './later-step.ts'

const READING =
  /^(?:please )?(?:read|open|show|get|fetch|view|give me|list)\b(?: (?:me|the|all|each|every|of|it|them|its|their|one|ones|first|second|third|last|newest|latest|oldest|best|top|most|recent|relevant|result|results|hit|hits|entry|entries|page|pages|article|articles|item|items|details?|sizes|prices|and|two|three|five|ten|\d+|past|sales|history))*$/i
const WAITING = /\b(?:wait|poll)\b|\b(?:result|status|outcome|progress)\b/i
const LISTING = /\b(?:sales|history)\b/i
const READ_MEANINGS = new Set(['read', 'show', 'get', 'open', 'result', 'list'])
const MOST_WORDS = 8

function isReading(clause: string): boolean {
  if (isEnglish(clause)) return READING.test(clause.trim())
  const words = foreignWordsIn(clause)
  const unknown = words.filter(({ english, isFiller }) => english.length === 0 && !isFiller)
  return (
    words.length <= MOST_WORDS &&
    unknown.length <= 1 &&
    words.some(({ english }) => english.some((meaning) => READ_MEANINGS.has(meaning)))
  )
}

/** A candidate of the service of an earlier call, or a page reader. Null if the clause names its own task. */
export function followUp(
  deps: SuggestDeps,
  source: Candidate['target'],
  clause: IntentReading,
): Candidate | null {
  const { service } = deps.catalog.findAction(source.service, source.action)
  const names = Object.keys(service.actions).filter((name) => name !== source.action)
  const draft = (id: string, action: string): Candidate =>
    draftCandidate(deps, { service: id, action, endpoint: null }, clause, 1)
  if (WAITING.test(clause.intent)) {
    const status =
      names.find((name) => name.startsWith(source.action) && /(?:status|results?)$/.test(name)) ??
      names.find((name) => /^(?:status|results?)$/.test(name))
    if (status !== undefined) return draft(source.service, status)
  }
  const table = FOLLOWING.find(([pattern]) => pattern.test(withMeanings(clause.intent)))
  if (table !== undefined && !PURPOSE.test(clause.intent)) {
    const [, toService, toAction] = table
    const next = draft(toService, toAction)
    if (next.missing.length > 0) return next
  }
  const model = MODELS.find(([pattern]) => pattern.test(clause.intent))
  if (model !== undefined) return withMessages(draft(model[1], model[2]), deps, clause)
  const answer: JsonSchema | undefined = answerSchema(
    service,
    source.action,
    source.endpoint ?? undefined,
  )
  const drafts = names.map((name) => draft(source.service, name))
  const fed = drafts.filter(
    ({ missing, summary, target }) =>
      missing.length > 0 &&
      missing.every((field) => pathTo(answer, field) !== null) &&
      (/^(?:read|list|get)\b/i.test(summary) ||
        target.action.split(/[-_]/).some((word) => clause.intent.toLowerCase().includes(word))),
  )
  const act =
    actOf(clause.intent) ??
    /^(?:run|execute|send)\b/i.exec(clause.intent)?.[0].toLowerCase() ??
    null
  const ownAct = drafts.find(
    ({ missing, target }) =>
      act !== null &&
      carriesOut(deps.catalog.findAction(target.service, target.action), target, act) &&
      missing.some(({ name }) => name.endsWith('_id')),
  )
  if (ownAct !== undefined) return ownAct
  // "Their comments" after a search on TikTok are comments on TikTok.
  const [platform = ''] = source.action.split('-')
  const asked = fed.find(
    ({ target: { action } }) =>
      action.includes('-') &&
      action.startsWith(`${platform}-`) &&
      clause.entities.words.some(
        ({ stems, english }) =>
          stem(action.split('-').at(-1) ?? '') === stems[0] ||
          english.includes(stem(action.split('-').at(-1) ?? '')),
      ),
  )
  if (asked !== undefined) return asked
  if (!isReading(clause.intent)) return null
  const named = fed.find(
    ({ target }) => LISTING.test(clause.intent) && /history|sales/.test(target.action),
  )
  const direct = fed.find(({ summary }) => /^read\b/i.test(summary))
  const reader = draft('core', 'onescrape')
  const hasPages = reader.missing.some((field) => pathTo(answer, field) !== null)
  return named ?? direct ?? (hasPages ? reader : (fed[0] ?? null))
}

/** Actions for people and texts that an earlier call found. */
const FOLLOWING: readonly (readonly [pattern: RegExp, service: string, action: string])[] = [
  [
    /^(?:please )?(?:e-?mail|mail|send|forward) (?:it|them|this|that|these|the|me|us|him|her)\b/i,
    'inbox',
    'send',
  ],
  [/\be-?mails?\b|\bmailbox\b|e-?mail/i, 'emailintel', 'email-finder'],
]
/** Other uses of an address. */
const PURPOSE = /\b(?:verify|check|validate|deliverable|create|inbox|write)\b/i

/** Language models by their names. */
const MODELS: readonly (readonly [pattern: RegExp, service: string, action: string])[] = [
  [/(?<![\p{Script=Latin}])claude(?![\p{Script=Latin}])/iu, 'llmnative-a', 'messages'],
  [/(?<![\p{Script=Latin}])(?:chat)?gpt(?![\p{Script=Latin}])/iu, 'llmnative-b', 'chat'],
  [/\b(?:gemini|llama|mistral|deepseek|qwen|grok|llm|language model)\b/i, 'router2', 'chat'],
]

/** The call of a language model, whose message needs the earlier answer. */
function withMessages(
  call: Candidate,
  { catalog }: SuggestDeps,
  { intent }: IntentReading,
): Candidate {
  const { messages: _, ...params } = call.params
  const { service, action } = call.target
  const schema = schemaOf(catalog.findAction(service, action), null)
  const needed = toMissing('messages', schema)
  return { ...call, params, missing: [needed], summary: `${call.summary} Task: ${intent}.` }
}

/** Kinds of identifiers that a search by name returns. */
const LOOKED_UP = /^(?:cik|lei|id|ids|ein|accession|document_number|slug|siren)$/i

/** The search of the same service that returns a missing identifier: the first step to it. Null without one. */
export function lookUpFor(
  deps: SuggestDeps,
  wanted: Candidate,
  reading: IntentReading,
): Candidate | null {
  const [field, ...others] = wanted.missing
  if (field === undefined || others.length > 0 || !LOOKED_UP.test(field.name)) return null
  const { service, action: source } = wanted.target
  const entry = deps.catalog.findAction(service, source)
  for (const [name, action] of Object.entries(entry.service.actions)) {
    if (name === source || action.kind === 'endpoint' || !/^find\b/i.test(action.summary)) continue
    if (pathTo(answerSchema(entry.service, name), field) === null) continue
    const found = draftCandidate(
      deps,
      { service, action: name, endpoint: null },
      reading,
      wanted.probability,
    )
    const isSound =
      found.call !== null &&
      found.hasValues &&
      found.problems.every(({ kind }) => kind === 'unexplained')
    if (isSound) return found
  }
  return null
}
