/** An exact call for an intent: what it names is filled in, and checked as a call would be. */
import type { Catalog, Entry } from '../../catalog/index.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { inputSchema, type JsonSchema } from '../../catalog/published/json-schema.ts'
import type { Validator } from '../../catalog/validate/validate.ts'
import { AppError } from '../../errors/app-error.ts'
import { toCentsRoundedUp } from '../../lib/money.ts'
import type { LaneOf } from '../../catalog/published/lane.ts'
import type { Discover } from '../discover/create-discover.ts'
import { fillParams, missingOf, textField, type Filled, type Missing } from './fill.ts'
import { fitOf } from './fit.ts'
import type { IntentReading } from './values.ts'

export type Target = {
  readonly service: string
  readonly action: string
  readonly endpoint: string | null
}
export type SuggestedCall = {
  readonly service: string
  readonly action: string
  readonly params: Data
  readonly max_cost_cents: number
  readonly why: string
}
/** `call` when everything that the action requires is there; else `missing` says what is not. */
export type Candidate = {
  readonly target: Target
  readonly score: number
  readonly call: SuggestedCall | null
  readonly params: Data
  readonly missing: readonly Missing[]
  readonly live: boolean
}

export type SuggestParts = {
  readonly catalog: Catalog
  readonly validator: Validator
  readonly discover: Pick<Discover, 'nearest'>
  readonly laneOf: LaneOf
}

/** The call of one action for an intent. `score` says how near the action is to it; `given` are values that stand already. */
export function candidateOf(
  parts: SuggestParts,
  { service, action, endpoint }: Target,
  reading: IntentReading,
  score: number,
  given: Data = {},
): Candidate {
  const target = { service, action, endpoint }
  const entry = parts.catalog.findAction(service, action)
  const schema = schemaOf(entry, endpoint)
  const live = parts.laneOf(service, action, endpoint ?? undefined).live !== null
  const draft = settle(parts, entry, schema, fillParams(schema, reading, given), reading, live)
  return { target, score: score * fitOf(entry, target, reading, draft), ...draft, live }
}

type Settled = {
  readonly call: SuggestedCall | null
  readonly params: Data
  readonly missing: readonly Missing[]
}

const MOST_REPAIRS = 12

/** Drops optional values that the action refuses and adds what its own rules demand, until it takes the call. */
function settle(
  parts: SuggestParts,
  entry: Entry,
  schema: JsonSchema,
  filled: Filled,
  reading: IntentReading,
  live: boolean,
): Settled {
  const { missing } = filled
  if (takesUnknownFieldsAlone(schema) && entry.action.price.kind !== 'free')
    return { call: null, params: filled.params, missing }
  if (missing.length > 0) return { call: null, params: filled.params, missing }
  let params = withSubject(schema, filled.params, reading)
  const subject = textField(schema)
  if (subject !== undefined && !hasSubject(schema, params) && entry.action.price.kind !== 'free')
    return { call: null, params, missing: [subject] }
  for (let repair = 0; repair < MOST_REPAIRS; repair += 1) {
    const problem = problemOf(parts.validator, entry, params)
    if (problem === null)
      return { call: callOf(parts.validator, entry, params, live), params, missing: [] }
    const name = (problem.param ?? '').split(/[.[]/)[0] ?? ''
    if (params[name] !== undefined && name !== 'endpoint') {
      const { [name]: _, ...rest } = params
      params = rest
    } else {
      const text = textField(schema)
      if (text === undefined || params[text.name] !== undefined || reading.topic === '')
        return {
          call: null,
          params,
          missing: schema.properties?.[name] === undefined ? [] : [missingOf(name, schema)],
        }
      params = { ...params, [text.name]: textFor(text, reading) }
    }
    const again = fillMissing(schema, params)
    if (again.length > 0) return { call: null, params, missing: again }
  }
  return { call: null, params, missing: [] }
}

/** A path of which nobody here knows what it takes: a call of it would name nothing, and cost something. */
function takesUnknownFieldsAlone({ properties = {}, additionalProperties }: JsonSchema): boolean {
  return (
    typeof additionalProperties === 'object' &&
    Object.values(properties).every((field) => field.const !== undefined)
  )
}

/** A call that takes free text and has nothing else to go by is about what the intent is about. */
function withSubject(schema: JsonSchema, params: Data, reading: IntentReading): Data {
  const text = hasSubject(schema, params) ? undefined : textField(schema)
  return text === undefined || reading.topic === ''
    ? params
    : { ...params, [text.name]: textFor(text, reading) }
}

const SUBJECTS = new Set([
  'named',
  'text',
  'title',
  'role',
  'city',
  'place',
  'person_part',
  'latitude',
])

function hasSubject(schema: JsonSchema, params: Data): boolean {
  return Object.keys(params).some(
    (name) => name !== 'endpoint' && SUBJECTS.has(missingOf(name, schema).slot.kind),
  )
}

function textFor({ schema }: Missing, { topic }: IntentReading): unknown {
  return schema.type === 'array' ? [topic] : topic
}

function fillMissing(schema: JsonSchema, params: Data): readonly Missing[] {
  return (schema.required ?? [])
    .filter(
      (name) => params[name] === undefined && schema.properties?.[name]?.default === undefined,
    )
    .map((name) => missingOf(name, schema))
}

/** Why the action would refuse these parameters, or null. */
function problemOf(validator: Validator, { action }: Entry, params: Data): AppError | null {
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
  const waiting = live
    ? ''
    : ' It is not set up on this gateway; a test key reaches a simulation of it.'
  return {
    service: service.id,
    action: name,
    params,
    max_cost_cents: cost,
    why: `${asSentence(summaryOf({ service, name, action }, params))}${waiting}`,
  }
}

/** Summaries of paths end without a full stop. */
function asSentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`
}

function summaryOf({ action }: Entry, params: Data): string {
  if (action.kind !== 'endpoint') return action.summary
  return (
    action.endpoints.find(({ endpoint }) => endpoint === params['endpoint'])?.summary ??
    action.summary
  )
}

/** The schema of the call's body: of a passthrough, that of the endpoint alone. */
export function schemaOf({ action }: Entry, endpoint: string | null): JsonSchema {
  const schema = inputSchema(action)
  if (endpoint === null) return schema
  return (
    schema.oneOf?.find(({ properties }) => properties?.['endpoint']?.const === endpoint) ?? schema
  )
}
