/** One turn of a conversation: converts the intent and earlier turns into exact calls or one question. */
import { remember, type Conversation } from './conversation.ts'
import { mergeEntities, readEntities, type Entities } from './reading/entities.ts'
import { fillParams, toMissing } from './filling/fill.ts'
import type { LaterStep } from './planning/later-step.ts'
import { decideWithLookUp, planTasks, type Plan } from './planning/plan-tasks.ts'
import { splitTasks, type Clauses } from './reading/task-clauses.ts'
import { IDENTIFYING_KINDS } from './checking/fit.ts'
import { isSound, MOST_CENTS_UNASKED, type Decision } from './decide.ts'
import { choiceQuestion, priceQuestion, questionFor } from './question.ts'
import { MOST_FOLLOW_UP_WORDS, readReply } from './reply.ts'
import { findCandidates, CLEAR_SCORE } from './candidates.ts'
import { draftCandidate, schemaOf, type Candidate, type SuggestDeps } from './suggest.ts'
import { removeDuplicates, type SuggestedCall } from './suggested-call.ts'
import { readIntent, type IntentReading } from './reading/intent-reading.ts'

export type Turn = {
  readonly calls: readonly SuggestedCall[]
  /** Steps that need a value of an earlier answer. */
  readonly later: readonly LaterStep[]
  /** The parts of the intent that no action carries out. */
  readonly leftOut: readonly string[]
  readonly question: string | null
  readonly state: Conversation
  /** The actions that the question offers. */
  readonly alternatives: readonly Candidate[]
  /** All candidates, best first. Empty if nothing in the catalog matches. */
  readonly candidates: readonly Candidate[]
}

const NO_MATCH = 'Nothing in the catalog matches. Could you describe the task in different words?'

export function takeTurn(
  deps: SuggestDeps,
  state: Conversation,
  intent: string,
  nowMs: number,
): Turn {
  const earlier = state.said.toReversed().map((text) => readEntities(text, nowMs))
  const reading = readIntent(intent, nowMs)
  const answered = readReply(deps, state, reading, earlier)
  const planned = (clauses: Clauses): Plan | null =>
    planTasks(deps, clauses, (clause, isFirst = false) => {
      const part = readIntent(clause, nowMs)
      return {
        reading: part,
        candidates: findWithHistory(deps, part, isFirst ? earlier : [reading.entities, ...earlier]),
      }
    })
  if (answered !== null) return resume(state, intent, answered, planned)
  const clauses = splitTasks(intent)
  const plan = planned(clauses)
  if (plan !== null) return followPlan(state, intent, plan, clauses)
  const candidates = findWithHistory(deps, reading, earlier)
  const [best] = candidates
  const isClear = best !== undefined && best.score >= CLEAR_SCORE && !ANOTHER.test(intent.trim())
  const followed = isClear ? null : changeLastCall(deps, state, reading)
  if (followed !== null) return conclude(state, intent, { kind: 'calls' }, [followed])
  const split = best === undefined ? null : draftForEach(deps, best, reading)
  if (split !== null) return conclude(state, intent, { kind: 'calls' }, split)
  const { decision, later } = decideWithLookUp(deps, reading, candidates)
  return { ...conclude(state, intent, decision, candidates), later }
}

/** The turn of an intent with several tasks. A question about the first one keeps the others for the reply. */
function followPlan(
  state: Conversation,
  intent: string,
  { first, candidates, calls, later, leftOut }: Plan,
  { texts }: Clauses,
): Turn {
  if (first.kind === 'calls')
    return { ...conclude(state, intent, { kind: 'calls' }, calls), later, leftOut }
  const turn = conclude(state, intent, first, candidates)
  return { ...turn, later, leftOut, state: { ...turn.state, rest: texts.slice(1) } }
}

/** The turn of a reply, with the tasks after the one that the last question was about. */
function resume(
  state: Conversation,
  intent: string,
  answered: Candidate,
  planned: (clauses: Clauses) => Plan | null,
): Turn {
  const { rest = [] } = state
  const turn = conclude(state, intent, answerOf(answered), [answered])
  const asked = state.said.at(-1)
  const plan =
    rest.length === 0 || asked === undefined
      ? null
      : planned({ texts: [asked, ...rest], isSure: true })
  if (plan === null) return turn
  const later = plan.calls.flatMap(({ call }) => (call === null ? [] : [call]))
  return turn.calls.length === 0
    ? { ...turn, later: plan.later, leftOut: plan.leftOut, state: { ...turn.state, rest } }
    : { ...turn, calls: [...turn.calls, ...later], later: plan.later, leftOut: plan.leftOut }
}

const NAMES = ['quoted', 'person', 'company'] as const

/** One call for each entity of a kind, if the action accepts only one: "Verify a@x.com and b@y.com". Null otherwise. */
function draftForEach(
  deps: SuggestDeps,
  best: Candidate,
  reading: IntentReading,
): readonly Candidate[] | null {
  const { values } = reading.entities
  const texts = Object.values(best.call?.params ?? {})
  const kind = [...IDENTIFYING_KINDS, ...NAMES].find((one) =>
    values[one]?.some(
      (value, place) =>
        place > 0 && texts.includes(values[one]?.[0]) && !JSON.stringify(texts).includes(value),
    ),
  )
  if (kind === undefined) return null
  const each = (values[kind] ?? []).slice(0, MOST_TASKS).map((value) => {
    const alone = {
      ...reading.entities,
      values: { ...values, [kind]: [value] },
      found: reading.entities.found.filter((one) => one.kind !== kind || one.value === value),
    }
    return draftCandidate(deps, best.target, { ...reading, entities: alone }, 1)
  })
  const isWhole = each.every(
    (one) => isSound(one) && Object.keys(one.params).length === texts.length,
  )
  return isWhole ? each : null
}

/** The candidates for an intent. Earlier turns complete missing entities. */
function findWithHistory(
  deps: SuggestDeps,
  reading: IntentReading,
  earlier: readonly Entities[],
): Candidate[] {
  const candidates = findCandidates(deps, reading)
  const [first] = candidates
  // "her" refers to an earlier turn, so a search for these words would be wrong.
  const refersBack = REFERENCE.test(reading.intent)
  if (earlier.length === 0 || (first !== undefined && first.call !== null && !refersBack))
    return candidates
  const remembered = { ...reading, entities: earlier.reduce(mergeEntities, reading.entities) }
  const again = findCandidates(deps, remembered)
  const completed = again.filter(({ call }) => call !== null && uses(call, remembered.entities))
  const better =
    completed.find(({ call }) => (call?.max_cost_cents ?? 0) <= MOST_CENTS_UNASKED) ?? completed[0]
  if (better === undefined) return candidates
  // "Her" is unambiguous here, so the call only needs to be possible.
  const clear = {
    ...better,
    problems: better.problems.filter(({ kind }) => kind !== 'unexplained'),
    probability: Math.max(better.probability, KNOWN_REFERENCE),
    score: Math.max(better.score, KNOWN_REFERENCE),
  }
  return [clear, ...again.filter((candidate) => candidate !== better)]
}

/** The least probability and score of a call that completes the intent by an earlier turn. */
const KNOWN_REFERENCE = 0.7

/** Words that refer to an entity of an earlier turn. */
const REFERENCE =
  /\b(?:her|his|him|(?:this|that|the same) (?:person|man|woman|company|firm|organi[sz]ation|page|site|website|address|profile|domain|author))\b/i

function uses({ params }: SuggestedCall, { values }: Entities): boolean {
  const text = JSON.stringify(params)
  return IDENTIFYING_KINDS.some(
    (kind) => values[kind]?.some((value) => text.includes(value)) === true,
  )
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
    const isText = ['text', 'title', 'role'].includes(toMissing(name, schema).slot.kind)
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

const MOST_TASKS = 5

/** The decision about a candidate that the last question asked about. */
function answerOf(candidate: Candidate): Decision {
  const [missing] = candidate.missing
  return missing === undefined
    ? { kind: 'calls', candidate }
    : { kind: 'field', candidate, missing }
}

function conclude(
  state: Conversation,
  intent: string,
  decision: Decision | { readonly kind: 'calls' },
  candidates: readonly Candidate[],
): Turn {
  const turn = { calls: [], later: [], leftOut: [], alternatives: [], candidates }
  switch (decision.kind) {
    case 'nothing':
      return {
        ...turn,
        question: NO_MATCH,
        candidates: [],
        state: remember(state, intent, { pending: state.pending, last: state.last }),
      }
    case 'field':
    case 'price': {
      const { target, params } = decision.candidate
      const missing = decision.kind === 'field' ? decision.missing.name : ''
      return {
        ...turn,
        question:
          decision.kind === 'field'
            ? questionFor(decision.missing)
            : priceQuestion(decision.candidate),
        state: remember(state, intent, { pending: { target, params, missing }, last: state.last }),
      }
    }
    case 'choice': {
      const options = decision.candidates.map(({ target }) => target)
      return {
        ...turn,
        question: choiceQuestion(decision.candidates, decision.lost, decision.isDoubtful),
        alternatives: decision.candidates,
        state: remember(state, intent, { pending: null, options, last: state.last }),
      }
    }
    case 'calls': {
      const chosen = 'candidate' in decision ? [decision.candidate] : candidates
      const { target, params } = chosen.at(-1) ?? { target: null, params: {} }
      return {
        ...turn,
        calls: removeDuplicates(chosen.flatMap(({ call }) => (call === null ? [] : [call]))),
        question: null,
        state: remember(state, intent, {
          pending: null,
          last: target === null ? state.last : { target, params },
        }),
      }
    }
  }
}

/** A turn that asks which of these actions is meant. */
export function offerChoice(
  state: Conversation,
  intent: string,
  candidates: readonly Candidate[],
): Turn {
  const choices = candidates.slice(0, MOST_CHOICES)
  return conclude(
    state,
    intent,
    { kind: 'choice', candidates: choices, lost: [], isDoubtful: false },
    choices,
  )
}

/** A turn that recommends this call of a candidate. */
export function recommend(
  state: Conversation,
  intent: string,
  candidate: Candidate,
  call: SuggestedCall,
): Turn {
  return conclude(state, intent, { kind: 'calls' }, [{ ...candidate, params: call.params, call }])
}

const MOST_CHOICES = 3
