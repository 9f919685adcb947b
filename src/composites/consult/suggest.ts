/** Drafts an exact call for an intent and validates it like a real call. */
import type { Catalog, Entry } from '../../catalog/index.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { inputSchema, type JsonSchema } from '../../catalog/published/json-schema.ts'
import type { Validator } from '../../catalog/validate/validate.ts'
import { AppError } from '../../errors/app-error.ts'
import { toCentsRoundedUp } from '../../lib/money.ts'
import type { LaneOf } from '../../catalog/published/lane.ts'
import type { Discover } from '../discover/create-discover.ts'
import { fillParams, toMissing, findTextField, type Filled, type Missing } from './filling/fill.ts'
import { wordsOf } from './checking/action-words.ts'
import { findProblems, isOnlyText, type Problem } from './checking/audit.ts'
import { likelihoodFrom } from './checking/evidence.ts'
import { filtersOf } from './checking/filters.ts'
import { isList, summaryOf } from './checking/summary.ts'
import { mediaModelOf, withDefaults } from './filling/defaults.ts'
import { scoreFit } from './checking/fit.ts'
import { readingFor } from './own-reading.ts'
import { isEnglish } from './reading/languages.ts'
import type { IntentReading } from './reading/intent-reading.ts'
import { promptIn, textIn } from './filling/subjects.ts'
import type { SuggestedCall, Target } from './suggested-call.ts'

/** `call` is null if required fields are missing; `missing` lists them. */
export type Candidate = {
  readonly target: Target
  /** How well the call fits the intent; above 0. */
  readonly score: number
  /** The probability that the action fits, by the search. 1 if the caller chose it. */
  readonly probability: number
  readonly call: SuggestedCall | null
  readonly params: Data
  readonly missing: readonly Missing[]
  readonly live: boolean
  readonly category: string
  /** Whether a parameter has a value of the intent. */
  readonly hasValues: boolean
  readonly summary: string
  /** Whether the call only passes words of an intent in another language than English. */
  readonly isForeignText: boolean
  /** Parts of the intent that the call does not carry out. */
  readonly problems: readonly Problem[]
  /** The fields that narrow what the action returns. */
  readonly filters: readonly Missing[]
}

export type SuggestDeps = {
  readonly catalog: Catalog
  readonly validator: Validator
  readonly discover: Pick<Discover, 'search' | 'nearest'>
  readonly laneOf: LaneOf
}

/** Drafts a call of one action. `probability` is that of the search; `given` are fixed values. */
export function draftCandidate(
  deps: SuggestDeps,
  { service, action, endpoint }: Target,
  reading: IntentReading,
  probability: number,
  given: Data = {},
): Candidate {
  const [target, entry] = [{ service, action, endpoint }, deps.catalog.findAction(service, action)]
  const schema = schemaOf(entry, endpoint)
  const isLive = (part?: string): boolean => deps.laneOf(service, action, part).live !== null
  const own = readingFor(entry, target, schema, reading)
  const filled = withDefaults(
    entry,
    fillParams(schema, own, given),
    own,
    (params) => findProblem(deps.validator, entry, params) === null,
    isLive,
  )
  const live = isLive(endpoint ?? mediaModelOf(entry, filled.params))
  const draft = repair(deps, { entry, target, schema, reading: own }, filled, live)
  const problems = findProblems({
    entry,
    target,
    schema,
    params: draft.params,
    reading: own,
  }).filter(
    // A sure search needs no word of the description.
    ({ kind }) => kind !== 'unrelated' || probability < SURE,
  )
  const likely = likelihoodFrom(probability, {
    entry,
    target,
    schema,
    params: draft.params,
    reading: own,
    words: wordsOf(entry, target, schema),
    problems,
  })
  return {
    target,
    score: Math.sqrt(likely) * scoreFit(entry, schema, target, own, draft),
    probability: likely,
    ...draft,
    live,
    category: entry.service.category,
    hasValues: Object.keys(draft.params).some(
      (name) => schema.properties?.[name]?.const === undefined && name !== 'model',
    ),
    summary: summaryOf(entry, endpoint),
    isForeignText: !isEnglish(reading.intent) && isOnlyText(draft.params, schema),
    problems,
    filters: filtersOf(schema),
  }
}

type Drafting = {
  readonly entry: Entry
  readonly target: Target
  readonly schema: JsonSchema
  readonly reading: IntentReading
}
type Repaired = {
  readonly call: SuggestedCall | null
  readonly params: Data
  readonly missing: readonly Missing[]
}

const MOST_REPAIRS = 12
/** From this probability of the search on, nearly all actions are right. */
const SURE = 0.95

/** Drops optional values that the action rejects and adds fields that its rules require, until the call is valid. */
function repair(
  deps: SuggestDeps,
  { entry, target, schema, reading }: Drafting,
  filled: Filled,
  live: boolean,
): Repaired {
  const { missing } = filled
  if (hasOnlyUnknownFields(schema) && entry.action.price.kind !== 'free')
    return { call: null, params: filled.params, missing }
  if (missing.length > 0) return { call: null, params: filled.params, missing }
  let params = withSubject(schema, filled.params, reading)
  const subject = findTextField(schema)
  const isWholeList = reading.isTaskOnly && isList(entry, target.endpoint)
  if (
    subject !== undefined &&
    !isWholeList &&
    !hasSubject(schema, params) &&
    entry.action.price.kind !== 'free'
  )
    return { call: null, params, missing: [subject] }
  for (let round = 0; round < MOST_REPAIRS; round += 1) {
    const problem = findProblem(deps.validator, entry, params)
    if (problem === null)
      return { call: callOf(deps.validator, entry, params, live), params, missing: [] }
    const name = (problem.param ?? '').split(/[.[]/)[0] ?? ''
    if (params[name] !== undefined && name !== 'endpoint') {
      const { [name]: _, ...rest } = params
      params = rest
    } else {
      const text = findTextField(schema)
      const value = text === undefined ? undefined : textFor(text, reading)
      if (text === undefined || params[text.name] !== undefined || value === undefined)
        return {
          call: null,
          params,
          missing: schema.properties?.[name] === undefined ? [] : [toMissing(name, schema)],
        }
      params = { ...params, [text.name]: value }
    }
    const again = fillMissing(schema, params)
    if (again.length > 0) return { call: null, params, missing: again }
  }
  return { call: null, params, missing: [] }
}

/** Whether the parameters of an endpoint are unknown. A call without any would cost money for nothing. */
function hasOnlyUnknownFields({ properties = {}, additionalProperties }: JsonSchema): boolean {
  return (
    typeof additionalProperties === 'object' &&
    Object.values(properties).every((field) => field.const !== undefined)
  )
}

/** Passes the topic as free text if the call has no other subject. */
function withSubject(schema: JsonSchema, params: Data, reading: IntentReading): Data {
  const text = hasSubject(schema, params) ? undefined : findTextField(schema)
  const value = text === undefined ? undefined : textFor(text, reading)
  return text === undefined || value === undefined ? params : { ...params, [text.name]: value }
}

const SUBJECTS = new Set([
  'named',
  'text',
  'prompt',
  'speech',
  'chat',
  'coin',
  'currency',
  'subject',
  'other',
  'title',
  'role',
  'city',
  'place',
  'person_part',
  'latitude',
])

function hasSubject(schema: JsonSchema, params: Data): boolean {
  return Object.keys(params).some(
    (name) => name !== 'endpoint' && SUBJECTS.has(toMissing(name, schema).slot.kind),
  )
}

function textFor({ schema, slot }: Missing, reading: IntentReading): unknown {
  const text = slot.kind === 'prompt' ? promptIn(reading) : textIn(reading)
  return text === '' ? undefined : schema.type === 'array' ? [text] : text
}

function fillMissing(schema: JsonSchema, params: Data): readonly Missing[] {
  return (schema.required ?? [])
    .filter(
      (name) => params[name] === undefined && schema.properties?.[name]?.default === undefined,
    )
    .map((name) => toMissing(name, schema))
}

/** The error of these parameters, or null if they are valid. */
function findProblem(validator: Validator, { action }: Entry, params: Data): AppError | null {
  try {
    action.check(validator.validate(action.input, params))
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

export function callOf(
  validator: Validator,
  { service, name, action }: Entry,
  params: Data,
  live: boolean,
): SuggestedCall {
  const cost = toCentsRoundedUp(worstCase(action, validator.validate(action.input, params)))
  const note = live
    ? ''
    : ' It is not configured on this gateway; a test key reaches its simulation.'
  return {
    service: service.id,
    action: name,
    params,
    max_cost_cents: cost,
    why: `${toSentence(summaryOf({ action }, params['endpoint']))}${note}`,
  }
}

/** Adds a full stop, which summaries of endpoints lack. */
function toSentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`
}

/** The schema of the call's body. For a passthrough, that of the endpoint. */
export function schemaOf({ action }: Entry, endpoint: string | null): JsonSchema {
  const schema = inputSchema(action)
  if (endpoint === null) return schema
  return (
    schema.oneOf?.find(({ properties }) => properties?.['endpoint']?.const === endpoint) ?? schema
  )
}
