/** One turn of a conversation: converts the intent and earlier turns into exact calls or one question. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { remember, type Conversation } from './conversation.ts'
import { mergeEntities, readEntities, type Entities } from './entities.ts'
import { fillParams, toMissing } from './fill.ts'
import { IDENTIFYING_KINDS } from './fit.ts'
import { questionFor } from './question.ts'
import { slotOf } from './slots.ts'
import { findCandidates, CLEAR_SCORE, isAnswerFromTheWeb } from './candidates.ts'
import { draftCandidate, schemaOf, type Candidate, type SuggestDeps } from './suggest.ts'
import type { SuggestedCall } from './suggested-call.ts'
import { topicOf } from '../discover/topic.ts'
import type { IntentReading } from './intent-reading.ts'

export type Turn = {
  readonly calls: readonly SuggestedCall[]
  readonly question: string | null
  readonly state: Conversation
  /** All candidates, best first. */
  readonly candidates: readonly Candidate[]
}

const NO_MATCH = 'Nothing in the catalog matches. Could you describe the task in different words?'
const MOST_FOLLOW_UP_WORDS = 12

export function takeTurn(
  deps: SuggestDeps,
  state: Conversation,
  intent: string,
  nowMs: number,
): Turn {
  const earlier = state.said.toReversed().map((text) => readEntities(text, nowMs))
  const reading = readIntent(intent, nowMs)
  const answered = answerPending(deps, state, reading, earlier)
  if (answered !== null) return conclude(state, intent, answered)
  const several = splitTasks(intent)
  if (several.length > 1) {
    const each = several.map(
      (clause) =>
        findWithHistory(deps, readIntent(clause, nowMs), [reading.entities, ...earlier])[0],
    )
    if (each.every((candidate) => candidate?.call !== null && candidate !== undefined))
      return conclude(state, intent, each[0] as Candidate, each as Candidate[])
  }
  const candidates = findWithHistory(deps, reading, earlier)
  const [best] = candidates
  const isClear = best !== undefined && best.score >= CLEAR_SCORE && !ANOTHER.test(intent.trim())
  const followed = isClear ? null : changeLastCall(deps, state, reading)
  if (followed !== null) return conclude(state, intent, followed)
  if (best === undefined)
    return {
      calls: [],
      question: NO_MATCH,
      state: remember(state, intent, { pending: state.pending, last: state.last }),
      candidates,
    }
  return { ...conclude(state, intent, best, draftForEach(deps, best, reading)), candidates }
}

/** One call for each entity of a kind, if the action accepts only one: "Verify a@x.com and b@y.com". */
function draftForEach(
  deps: SuggestDeps,
  best: Candidate,
  reading: IntentReading,
): readonly Candidate[] {
  const { values } = reading.entities
  const texts = Object.values(best.call?.params ?? {})
  const kind = IDENTIFYING_KINDS.find((one) =>
    values[one]?.some(
      (value, place) =>
        place > 0 && texts.includes(values[one]?.[0]) && !JSON.stringify(texts).includes(value),
    ),
  )
  if (kind === undefined) return [best]
  const each = (values[kind] ?? [])
    .slice(0, MOST_TASKS)
    .map((value) =>
      draftCandidate(
        deps,
        best.target,
        { ...reading, entities: { ...reading.entities, values: { ...values, [kind]: [value] } } },
        1,
      ),
    )
  return each.every(
    ({ call, params }) => call !== null && Object.keys(params).length === texts.length,
  )
    ? each
    : [best]
}

export function readIntent(intent: string, nowMs: number): IntentReading {
  const entities = readEntities(intent, nowMs)
  return { intent, topic: topicOf(entities.bare), entities }
}

/** The candidates for an intent. Earlier turns complete missing entities. */
function findWithHistory(
  deps: SuggestDeps,
  reading: IntentReading,
  earlier: readonly Entities[],
): Candidate[] {
  const candidates = findCandidates(deps, reading, reading.entities.masked)
  const [first] = candidates
  // "her" refers to an earlier turn, so a web search for these words would be wrong.
  const refersBack =
    REFERENCE.test(reading.intent) &&
    first !== undefined &&
    (isAnswerFromTheWeb(first) || REFERENCE.test(JSON.stringify(first.params)))
  if (earlier.length === 0 || (first?.call !== null && !refersBack)) return candidates
  const remembered = { ...reading, entities: earlier.reduce(mergeEntities, reading.entities) }
  const again = findCandidates(deps, remembered, reading.entities.masked)
  if (first?.call === null) return again.some(({ call }) => call !== null) ? again : candidates
  const better = again.find(
    ({ call, score }) => call !== null && score >= CLEAR_SCORE && uses(call, remembered.entities),
  )
  return better === undefined
    ? candidates
    : [better, ...again.filter((candidate) => candidate !== better)]
}

/** Words that refer to an entity of an earlier turn. */
const REFERENCE =
  /\b(?:her|his|him|(?:this|that|the same) (?:person|man|woman|company|firm|organi[sz]ation|page|site|website|address|profile|domain|author))\b/i

function uses({ params }: SuggestedCall, { values }: Entities): boolean {
  const text = JSON.stringify(params)
  return IDENTIFYING_KINDS.some(
    (kind) => values[kind]?.some((value) => text.includes(value)) === true,
  )
}

/** Answers the last question with this turn. Null if the turn is not an answer. */
function answerPending(
  deps: SuggestDeps,
  state: Conversation,
  reading: IntentReading,
  earlier: readonly Entities[],
): Candidate | null {
  const { pending } = state
  if (pending === null) return null
  const entry = deps.catalog.findAction(pending.target.service, pending.target.action)
  const schema = schemaOf(entry, pending.target.endpoint)
  const { slot, schema: field } = toMissing(pending.missing, schema)
  const reply = reading.intent.trim().replace(/[.!]+$/, '')
  // Entities are recognised. Other fields take the reply literally, unless it is a new task.
  const isFree =
    [
      'text',
      'command',
      'title',
      'other',
      'place',
      'city',
      'role',
      'inbox',
      'recipient',
      'subject_line',
      'message',
    ].includes(slot.kind) ||
    (slot.kind === 'named' && /^(person|company|id|handle|hashtag|ticker)$/.test(slot.of[0] ?? ''))
  const direct =
    isFree && reply.split(/\s+/).length <= MOST_FOLLOW_UP_WORDS
      ? { [pending.missing]: field.type === 'array' ? [reply] : reply }
      : {}
  const merged = { ...reading, entities: earlier.reduce(mergeEntities, reading.entities) }
  const { params: recognised } = fillParams(schema, reading)
  const given = {
    ...pending.params,
    ...(recognised[pending.missing] === undefined || slot.kind === 'text' ? direct : {}),
  }
  const candidate = draftCandidate(deps, pending.target, merged, 1, given)
  if (candidate.call !== null) return candidate
  return candidate.missing[0] !== undefined && candidate.missing[0].name !== pending.missing
    ? candidate
    : null
}

const FOLLOW_UP =
  /^(?:and|also|but|now|then|same|the same|instead|only|just|make (?:it|that)|with|without|what about|how about|in|from|since|until|before|after|limit|use|as|for)\b[\s,:]*/i
const ANOTHER =
  /^(?:and |now )?(?:(?:what|how) about|(?:the )?same for|now for|and for)\s+(.{1,200})$/i

/** Changes the last call: "only the last week", "the same for Acme". */
function changeLastCall(
  deps: SuggestDeps,
  { last }: Conversation,
  reading: IntentReading,
): Candidate | null {
  if (
    last === null ||
    !FOLLOW_UP.test(reading.intent.trim()) ||
    reading.intent.split(/\s+/).length > MOST_FOLLOW_UP_WORDS
  )
    return null
  const entry = deps.catalog.findAction(last.target.service, last.target.action)
  const schema = schemaOf(entry, last.target.endpoint)
  const another = ANOTHER.exec(reading.intent.trim())?.[1]?.replace(/[?.!]+$/, '')
  const { params: named } = fillParams(schema, reading)
  const changed: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const isText = ['text', 'title', 'role'].includes(slotOf(name, field).kind)
    const value = isText
      ? another !== undefined && last.params[name] !== undefined
        ? another
        : undefined
      : named[name]
    if (value !== undefined && field.const === undefined)
      changed[name] = isText && field.type === 'array' ? [value] : value
  }
  if (Object.keys(changed).length === 0) return null
  const candidate = draftCandidate(deps, last.target, reading, 1, { ...last.params, ...changed })
  return candidate.call === null ? null : candidate
}

const TASK =
  'find|get|check|verify|read|scrape|search|screen|list|generate|extract|look up|fetch|estimate|summari[sz]e|crawl|map|track|show|tell'
const BETWEEN_TASKS = new RegExp(
  String.raw`;|,? and then|,? then|\.(?=\s+[A-Z])|,? and(?= (?:${TASK})\b)`,
  'i',
)
const MOST_TASKS = 5

function splitTasks(intent: string): string[] {
  return intent
    .split(BETWEEN_TASKS)
    .map((clause) => clause.trim())
    .filter((clause) => clause.split(/\s+/).length > 1)
    .slice(0, MOST_TASKS)
}

function conclude(
  state: Conversation,
  intent: string,
  best: Candidate,
  all: readonly Candidate[] = [best],
): Turn {
  const calls = all.flatMap(({ call }) => (call === null ? [] : [call]))
  const [missing] = best.missing
  if (missing !== undefined) {
    const pending = { target: best.target, params: best.params, missing: missing.name }
    return {
      calls: [],
      question: questionFor(missing),
      state: remember(state, intent, { pending, last: state.last }),
      candidates: all,
    }
  }
  const last: { target: Candidate['target']; params: Data } = {
    target: (all.at(-1) ?? best).target,
    params: (all.at(-1) ?? best).params,
  }
  return {
    calls: removeDuplicates(calls),
    question: null,
    state: remember(state, intent, { pending: null, last }),
    candidates: all,
  }
}

function removeDuplicates(calls: readonly SuggestedCall[]): SuggestedCall[] {
  const seen = new Map(
    calls.map((call) => [JSON.stringify([call.service, call.action, call.params]), call]),
  )
  return [...seen.values()]
}
