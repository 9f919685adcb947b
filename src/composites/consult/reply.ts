/** Uses a turn as the reply to the last question: a field, a choice among actions, or a consent to a price. */
import { isListName } from './reading/list-names.ts'
import { mergeEntities, type Entities } from './reading/entities.ts'
import { fillParams, toMissing } from './filling/fill.ts'
import type { Conversation, Pending } from './conversation.ts'
import { draftCandidate, schemaOf, type Candidate, type SuggestDeps } from './suggest.ts'
import { readIntent, type IntentReading } from './reading/intent-reading.ts'
import type { Target } from './suggested-call.ts'
import { tokenize } from '../discover/tokenize.ts'

export const MOST_FOLLOW_UP_WORDS = 12

/** The candidate that the turn completes. Null if the turn is not a reply. */
export function readReply(
  deps: SuggestDeps,
  state: Conversation,
  reading: IntentReading,
  earlier: readonly Entities[],
): Candidate | null {
  const { pending, options = [] } = state
  if (pending !== null)
    return pending.missing === ''
      ? consentTo(deps, pending, reading)
      : fillField(deps, pending, reading, earlier)
  const chosen = chooseOption(deps, options, reading.intent)
  if (chosen === null) return null
  const asked = state.said.at(-1) ?? ''
  return draftCandidate(deps, chosen, readIntent(asked, reading.nowMs), 1)
}

const YES =
  /^(?:yes|yep|yeah|sure|ok(?:ay)?|please do|do it|go(?: ahead| on)?|fine|agreed?|accept(?:ed)?|confirm(?:ed)?|correct|sí|si|oui|ja|sim|да|はい|好|是)(?![\p{L}])/iu

/** A consent needs no further words. Anything else is a new task. */
function consentTo(
  deps: SuggestDeps,
  { target, params }: Pending,
  reading: IntentReading,
): Candidate | null {
  return YES.test(reading.intent.trim()) ? draftCandidate(deps, target, reading, 1, params) : null
}

const ORDINALS = ['first', 'second', 'third']

/** The option that a reply names by its number, its place or its name. */
function chooseOption(
  { catalog }: SuggestDeps,
  options: readonly Target[],
  intent: string,
): Target | null {
  const reply = intent.trim().toLowerCase()
  if (options.length === 0 || reply.split(/\s+/).length > MOST_FOLLOW_UP_WORDS) return null
  const number = /^(?:option |number |no\.? |#)?([1-9])[.)]?$/.exec(reply)?.[1]
  const place =
    number === undefined
      ? ORDINALS.findIndex((word) => new RegExp(`^(?:the )?${word}(?: one| option)?$`).test(reply))
      : Number(number) - 1
  if (options[place] !== undefined) return options[place]
  if (options.length === 1 && YES.test(reply)) return options[0] ?? null
  const named = options.filter(
    ({ service, action, endpoint }) =>
      reply.includes(`${service}/${action}`) && (endpoint === null || reply.includes(endpoint)),
  )
  if (named.length > 0) return named[0] ?? null
  return byWords(options, tokenize(reply), (target) => {
    const { action } = catalog.findAction(target.service, target.action)
    const summary =
      action.kind === 'endpoint'
        ? action.endpoints.find(({ endpoint }) => endpoint === target.endpoint)?.summary
        : action.summary
    return tokenize(`${target.service} ${target.action} ${target.endpoint ?? ''} ${summary ?? ''}`)
  })
}

/** The only option that has all words of the reply. */
function byWords(
  options: readonly Target[],
  words: readonly string[],
  wordsOf: (target: Target) => readonly string[],
): Target | null {
  if (words.length === 0) return null
  const matching = options.filter((option) => words.every((word) => wordsOf(option).includes(word)))
  return matching.length === 1 ? (matching[0] ?? null) : null
}

/** Slots that take a reply literally. Entities are recognised instead. */
const FREE = new Set([
  'text',
  'prompt',
  'speech',
  'subject',
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
  'version',
  'ecosystem',
  'package',
  'tags',
])
const FREE_NAMES = /^(?:person|quoted|company|id|handle|hashtag|ticker|code|container)$/

function fillField(
  deps: SuggestDeps,
  pending: Pending,
  reading: IntentReading,
  earlier: readonly Entities[],
): Candidate | null {
  const entry = deps.catalog.findAction(pending.target.service, pending.target.action)
  const schema = schemaOf(entry, pending.target.endpoint)
  const { slot, schema: field } = toMissing(pending.missing, schema)
  const reply = reading.intent.trim().replace(/[.!]+$/, '')
  const isFree = FREE.has(slot.kind) || (slot.kind === 'named' && FREE_NAMES.test(slot.of[0] ?? ''))
  const isName = slot.kind === 'named' && slot.of.includes('person')
  // A watch list is never the name to screen.
  if (isName && isListName(reply))
    return draftCandidate(deps, pending.target, reading, 1, pending.params)
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
