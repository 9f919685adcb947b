/** One turn of a consultation: from what was said, now and before, to exact calls or one question. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { remember, type Conversation } from './conversation.ts'
import { mergeEntities, readEntities, type Entities } from './entities.ts'
import { fillParams, missingOf } from './fill.ts'
import { TELLING } from './fit.ts'
import { questionFor } from './question.ts'
import { slotOf } from './slots.ts'
import { candidatesFor, CLEAR_SCORE, isAnswerFromTheWeb } from './candidates.ts'
import {
  candidateOf,
  schemaOf,
  type Candidate,
  type SuggestedCall,
  type SuggestParts,
} from './suggest.ts'
import { topicOf } from '../discover/topic.ts'
import type { IntentReading } from './values.ts'

export type Turn = {
  readonly calls: readonly SuggestedCall[]
  readonly question: string | null
  readonly state: Conversation
  /** What was weighed, best first. */
  readonly candidates: readonly Candidate[]
}

const NOTHING_FITS =
  'Nothing in the catalog fits that. What do you want to find, read or make, in other words?'
const MOST_FOLLOW_UP_WORDS = 12

export function takeTurn(
  parts: SuggestParts,
  state: Conversation,
  intent: string,
  nowMs: number,
): Turn {
  const earlier = state.said.toReversed().map((said) => readEntities(said, nowMs))
  const reading = readingOf(intent, nowMs)
  const answered = answerPending(parts, state, reading, earlier)
  if (answered !== null) return concluded(state, intent, answered)
  const several = clausesOf(intent)
  if (several.length > 1) {
    const each = several.map(
      (clause) => bestFor(parts, readingOf(clause, nowMs), [reading.entities, ...earlier])[0],
    )
    if (each.every((candidate) => candidate?.call !== null && candidate !== undefined))
      return concluded(state, intent, each[0] as Candidate, each as Candidate[])
  }
  const candidates = bestFor(parts, reading, earlier)
  const [best] = candidates
  const speaksForItself =
    best !== undefined && best.score >= CLEAR_SCORE && !ANOTHER.test(intent.trim())
  const followed = speaksForItself ? null : followUp(parts, state, reading)
  if (followed !== null) return concluded(state, intent, followed)
  if (best === undefined)
    return {
      calls: [],
      question: NOTHING_FITS,
      state: remember(state, intent, { pending: state.pending, last: state.last }),
      candidates,
    }
  return { ...concluded(state, intent, best, forEachNamed(parts, best, reading)), candidates }
}

/** "Verify a@x.com and b@y.com", by an action that takes one of them: a call for each, where each is a call by itself. */
function forEachNamed(
  parts: SuggestParts,
  best: Candidate,
  reading: IntentReading,
): readonly Candidate[] {
  const { values } = reading.entities
  const texts = Object.values(best.call?.params ?? {})
  const kind = TELLING.find((one) =>
    values[one]?.some(
      (value, place) =>
        place > 0 && texts.includes(values[one]?.[0]) && !JSON.stringify(texts).includes(value),
    ),
  )
  if (kind === undefined) return [best]
  const each = (values[kind] ?? [])
    .slice(0, MOST_TASKS)
    .map((value) =>
      candidateOf(
        parts,
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

export function readingOf(intent: string, nowMs: number): IntentReading {
  const entities = readEntities(intent, nowMs)
  return { intent, topic: topicOf(entities.bare), entities }
}

/** The candidates for an intent. What the best of them lacks may have been named before. */
function bestFor(
  parts: SuggestParts,
  reading: IntentReading,
  earlier: readonly Entities[],
): Candidate[] {
  const candidates = candidatesFor(parts, reading, reading.entities.masked)
  const [first] = candidates
  // A question about "her" is none for the web, nor for a search for those very words, where an action takes who that is.
  const leansBack =
    LEANS_BACK.test(reading.intent) &&
    first !== undefined &&
    (isAnswerFromTheWeb(first) || LEANS_BACK.test(JSON.stringify(first.params)))
  if (earlier.length === 0 || (first?.call !== null && !leansBack)) return candidates
  const remembered = { ...reading, entities: earlier.reduce(mergeEntities, reading.entities) }
  const again = candidatesFor(parts, remembered, reading.entities.masked)
  if (first?.call === null) return again.some(({ call }) => call !== null) ? again : candidates
  const meant = again.find(
    ({ call, score }) => call !== null && score >= CLEAR_SCORE && uses(call, remembered.entities),
  )
  return meant === undefined
    ? candidates
    : [meant, ...again.filter((candidate) => candidate !== meant)]
}

/** "What is her phone number?": says of whom by a word that stands for a name given before. */
const LEANS_BACK =
  /\b(?:her|his|him|(?:this|that|the same) (?:person|man|woman|company|firm|organi[sz]ation|page|site|website|address|profile|domain|author))\b/i

function uses({ params }: SuggestedCall, { values }: Entities): boolean {
  const text = JSON.stringify(params)
  return TELLING.some((kind) => values[kind]?.some((value) => text.includes(value)) === true)
}

/** The question asked last, answered by what was said now; null when that is no answer. */
function answerPending(
  parts: SuggestParts,
  state: Conversation,
  reading: IntentReading,
  earlier: readonly Entities[],
): Candidate | null {
  const { pending } = state
  if (pending === null) return null
  const entry = parts.catalog.findAction(pending.target.service, pending.target.action)
  const schema = schemaOf(entry, pending.target.endpoint)
  const { slot, schema: field } = missingOf(pending.missing, schema)
  const said = reading.intent.trim().replace(/[.!]+$/, '')
  // Named things are recognised; anything else is taken as it was said, as long as it is an answer and no new task.
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
    isFree && said.split(/\s+/).length <= MOST_FOLLOW_UP_WORDS
      ? { [pending.missing]: field.type === 'array' ? [said] : said }
      : {}
  const merged = { ...reading, entities: earlier.reduce(mergeEntities, reading.entities) }
  const { params: recognised } = fillParams(schema, reading)
  const given = {
    ...pending.params,
    ...(recognised[pending.missing] === undefined || slot.kind === 'text' ? direct : {}),
  }
  const candidate = candidateOf(parts, pending.target, merged, 1, given)
  if (candidate.call !== null) return candidate
  return candidate.missing[0] !== undefined && candidate.missing[0].name !== pending.missing
    ? candidate
    : null
}

const FOLLOW_UP =
  /^(?:and|also|but|now|then|same|the same|instead|only|just|make (?:it|that)|with|without|what about|how about|in|from|since|until|before|after|limit|use|as|for)\b[\s,:]*/i
const ANOTHER =
  /^(?:and |now )?(?:(?:what|how) about|(?:the )?same for|now for|and for)\s+(.{1,200})$/i

/** "only the last week", "the same for Acme": the last call with something changed. */
function followUp(
  parts: SuggestParts,
  { last }: Conversation,
  reading: IntentReading,
): Candidate | null {
  if (
    last === null ||
    !FOLLOW_UP.test(reading.intent.trim()) ||
    reading.intent.split(/\s+/).length > MOST_FOLLOW_UP_WORDS
  )
    return null
  const entry = parts.catalog.findAction(last.target.service, last.target.action)
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
  const candidate = candidateOf(parts, last.target, reading, 1, { ...last.params, ...changed })
  return candidate.call === null ? null : candidate
}

const TASK =
  'find|get|check|verify|read|scrape|search|screen|list|generate|extract|look up|fetch|estimate|summari[sz]e|crawl|map|track|show|tell'
const BETWEEN_TASKS = new RegExp(
  String.raw`;|,? and then|,? then|\.(?=\s+[A-Z])|,? and(?= (?:${TASK})\b)`,
  'i',
)
const MOST_TASKS = 5

function clausesOf(intent: string): string[] {
  return intent
    .split(BETWEEN_TASKS)
    .map((clause) => clause.trim())
    .filter((clause) => clause.split(/\s+/).length > 1)
    .slice(0, MOST_TASKS)
}

function concluded(
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
    calls: distinct(calls),
    question: null,
    state: remember(state, intent, { pending: null, last }),
    candidates: all,
  }
}

function distinct(calls: readonly SuggestedCall[]): SuggestedCall[] {
  const seen = new Map(
    calls.map((call) => [JSON.stringify([call.service, call.action, call.params]), call]),
  )
  return [...seen.values()]
}
