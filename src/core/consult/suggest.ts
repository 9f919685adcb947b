/** Exact calls for an intent: the catalog is searched, and what fits is filled in and checked as a call would be. */
import type { Catalog, Entry } from '../../catalog/index.ts'
import type { Data } from '../../catalog/outcome.ts'
import { worstCase } from '../../catalog/price.ts'
import { inputSchema, type JsonSchema } from '../../catalog/published/json-schema.ts'
import type { Validator } from '../../catalog/validate.ts'
import { AppError } from '../../errors/app-error.ts'
import { toCentsRoundedUp } from '../../lib/money.ts'
import type { Discover, ScoredHit } from '../discover/create-discover.ts'
import { tokenize } from '../discover/tokenize.ts'
import type { EntityKind } from './entities.ts'
import { fillParams, missingOf, textField, type Filled, type Missing } from './fill.ts'
import { platformFit } from './platforms.ts'
import { GENERIC, isQuestion, taskOf } from './topic.ts'
import type { Reading } from './values.ts'

export type Target = { readonly service: string; readonly action: string; readonly endpoint: string | null }
export type SuggestedCall = { readonly service: string; readonly action: string; readonly params: Data; readonly max_cost_cents: number; readonly why: string }
/** `call` when everything that the action requires is there; else `missing` says what is not. */
export type Candidate = { readonly target: Target; readonly score: number; readonly call: SuggestedCall | null; readonly params: Data; readonly missing: readonly Missing[]; readonly live: boolean }

export type SuggestParts = { readonly catalog: Catalog; readonly validator: Validator; readonly discover: Pick<Discover, 'nearest'> }

const LOOKED_AT = 24
/** Below this share of the intent's weight, an action is about something else. */
const LEAST_SCORE = 0.4
/** They answer questions about the gateway, not the ones that callers bring here. */
const NOT_SUGGESTED = new Set(['core/consult', 'core/discover', 'core/result', 'core/cancel'])
/** What an intent names to have it used: an action without a place for it is rather not meant. */
const TELLING: readonly EntityKind[] = ['url', 'linkedin', 'email', 'domain', 'doi', 'trial', 'wallet', 'iban', 'ein', 'cik', 'vin', 'citation', 'address', 'phone', 'handle', 'hashtag', 'ticker', 'flight', 'accession']
const UNUSED_FACTOR = 0.6
const UNUSED_BUT_SAID_FACTOR = 0.8
const USED_FACTOR = 1.25
const MISSING_FACTOR = 0.65
/** At this score an intent speaks for itself. */
export const CLEAR_SCORE = 0.55
const ANSWERERS = [
  { service: 'cited', action: 'search' },
  { service: 'core', action: 'onesearch' },
]
const NAMED_BONUS = 0.2

/** Candidates for the intent, best first; an empty list when nothing in the catalog fits. */
export function candidatesFor(parts: SuggestParts, reading: Reading, masked: string): Candidate[] {
  const candidates = hitsFor(parts, masked)
    .filter(({ service, action }) => !NOT_SUGGESTED.has(`${service}/${action}`))
    .map((hit) => candidateOf(parts, hit, reading, hit))
    .filter(({ score, call, missing }) => (call === null ? missing.length > 0 && score >= LEAST_SCORE * MISSING_FACTOR : score >= LEAST_SCORE))
    .toSorted((a, b) => b.score - a.score)
  const answer = (candidates[0]?.score ?? 0) < CLEAR_SCORE && isQuestion(reading.intent) ? answerFromTheWeb(parts, reading) : null
  return answer === null ? candidates : [answer, ...candidates]
}

/** A question that no action is made for is one for the web. */
function answerFromTheWeb(parts: SuggestParts, reading: Reading): Candidate | null {
  const isTelling = TELLING.some((kind) => reading.entities.values[kind] !== undefined)
  const known = ANSWERERS.find(({ service, action }) => parts.catalog.services.some(({ id, actions }) => id === service && action in actions))
  if (isTelling || known === undefined) return null
  const topic = reading.intent.trim()
  const candidate = candidateOf(parts, { ...known, endpoint: null }, { ...reading, topic }, { score: CLEAR_SCORE, live: true })
  return candidate.call === null ? null : candidate
}

/** What a search is about says little about which action is wanted: where the two can be told apart, the task decides. */
function hitsFor({ discover }: SuggestParts, masked: string): readonly ScoredHit[] {
  const whole = discover.nearest(masked, LOOKED_AT)
  const task = taskOf(masked)
  if (task === null) return whole
  const byName = new Map(whole.map((hit) => [nameOf(hit), hit]))
  const byTask = discover.nearest(task.text, LOOKED_AT).map((hit) => ({ ...hit, score: task.share * hit.score + (1 - task.share) * (byName.get(nameOf(hit))?.score ?? 0) }))
  for (const hit of byTask) if (task.isSure || hit.score > (byName.get(nameOf(hit))?.score ?? 0)) byName.set(nameOf(hit), hit)
  return task.isSure ? byTask : [...byName.values()]
}

function nameOf({ service, action, endpoint }: ScoredHit): string {
  return `${service}/${action} ${endpoint ?? ''}`
}

/** The same for one action that is known already, with values that stand. */
export function candidateOf(parts: SuggestParts, target: Target, reading: Reading, hit: Pick<ScoredHit, 'score' | 'live'>, given: Data = {}): Candidate {
  const entry = parts.catalog.findAction(target.service, target.action)
  const schema = schemaOf(entry, target.endpoint)
  const { call, missing, params } = settle(parts, entry, schema, fillParams(schema, reading, given), reading, hit.live)
  const score = hit.score * usage(reading, params) * (missing.length > 0 ? MISSING_FACTOR : 1) * convenience(entry, call) * naming(entry, reading.intent) * platformFit(reading.intent, `${target.service} ${target.action} ${target.endpoint ?? ''}`)
  return { target: { service: target.service, action: target.action, endpoint: target.endpoint }, score, call, params, missing, live: hit.live }
}

type Settled = { readonly call: SuggestedCall | null; readonly params: Data; readonly missing: readonly Missing[] }

const MOST_REPAIRS = 12

/** Drops optional values that the action refuses and adds what its own rules demand, until it takes the call. */
function settle(parts: SuggestParts, entry: Entry, schema: JsonSchema, filled: Filled, reading: Reading, live: boolean): Settled {
  const { missing } = filled
  if (missing.length > 0) return { call: null, params: filled.params, missing }
  let params = withSubject(schema, filled.params, reading)
  const subject = textField(schema)
  if (subject !== undefined && !hasSubject(schema, params) && entry.action.price.kind !== 'free') return { call: null, params, missing: [subject] }
  for (let repair = 0; repair < MOST_REPAIRS; repair += 1) {
    const problem = problemOf(parts.validator, entry, params)
    if (problem === null) return { call: callOf(parts.validator, entry, params, live), params, missing: [] }
    const name = (problem.param ?? '').split(/[.[]/)[0] ?? ''
    if (params[name] !== undefined && name !== 'endpoint') {
      const { [name]: _, ...rest } = params
      params = rest
    } else {
      const text = textField(schema)
      if (text === undefined || params[text.name] !== undefined || reading.topic === '') return { call: null, params, missing: schema.properties?.[name] === undefined ? [] : [missingOf(name, schema)] }
      params = { ...params, [text.name]: textFor(text, reading) }
    }
    const again = fillMissing(schema, params)
    if (again.length > 0) return { call: null, params, missing: again }
  }
  return { call: null, params, missing: [] }
}

/** A call that takes free text and has nothing else to go by is about what the intent is about. */
function withSubject(schema: JsonSchema, params: Data, reading: Reading): Data {
  const text = hasSubject(schema, params) ? undefined : textField(schema)
  return text === undefined || reading.topic === '' ? params : { ...params, [text.name]: textFor(text, reading) }
}

const SUBJECTS = new Set(['named', 'text', 'title', 'role', 'city', 'place', 'person_part', 'latitude'])

function hasSubject(schema: JsonSchema, params: Data): boolean {
  return Object.keys(params).some((name) => name !== 'endpoint' && SUBJECTS.has(missingOf(name, schema).slot.kind))
}

function textFor({ schema }: Missing, { topic }: Reading): unknown {
  return schema.type === 'array' ? [topic] : topic
}

function fillMissing(schema: JsonSchema, params: Data): readonly Missing[] {
  return (schema.required ?? []).filter((name) => params[name] === undefined && schema.properties?.[name]?.default === undefined).map((name) => missingOf(name, schema))
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

export function callOf(validator: Validator, { service, name, action }: Entry, params: Data, live: boolean): SuggestedCall {
  const cost = toCentsRoundedUp(worstCase(action, validator.validate(action.input, params)))
  const waiting = live ? '' : ' It is not set up on this gateway; a test key reaches a simulation of it.'
  return { service: service.id, action: name, params, max_cost_cents: cost, why: `${summaryOf({ service, name, action }, params)}${waiting}` }
}

function summaryOf({ action }: Entry, params: Data): string {
  if (action.kind !== 'endpoint') return action.summary
  return action.endpoints.find(({ endpoint }) => endpoint === params['endpoint'])?.summary ?? action.summary
}

/** The schema of the call's body: of a passthrough, that of the endpoint alone. */
export function schemaOf({ action }: Entry, endpoint: string | null): JsonSchema {
  const schema = inputSchema(action)
  if (endpoint === null) return schema
  return schema.oneOf?.find(({ properties }) => properties?.['endpoint']?.const === endpoint) ?? schema
}

/** Between equals the cheaper one, rather an answer than a job to be polled, and nothing that takes no notice of the intent. */
function convenience({ action }: Entry, call: SuggestedCall | null): number {
  const price = 1 - Math.min(0.12, 0.004 * (call?.max_cost_cents ?? 0))
  const isBlind = call !== null && call.max_cost_cents > 0 && Object.keys(call.params).every((name) => name === 'endpoint')
  return price * (/^(?:start|launch)\b/i.test(action.summary) ? 0.85 : 1) * (isBlind ? 0.75 : 1)
}

/** How well a call uses what the intent names. */
function usage({ entities }: Reading, params: Data): number {
  const texts = textsOf(params)
  let factor = 1
  for (const kind of TELLING) {
    for (const value of entities.values[kind]?.slice(0, 1) ?? []) {
      if (texts.some((text) => isSame(text, value, kind))) factor *= USED_FACTOR
      else if (!texts.some((text) => isPartOf(text, value, kind))) factor *= texts.some((text) => text.includes(value)) ? UNUSED_BUT_SAID_FACTOR : UNUSED_FACTOR
    }
  }
  return factor
}

/** Also an id that was taken from an address. */
function isSame(text: string, value: string, kind: EntityKind): boolean {
  return text === value || (kind === 'domain' && text === `https://${value}/`) || (kind === 'url' && /^[\w-]{6,}$/.test(text) && value.includes(text))
}

/** The host of an address or of an e-mail address is some of it. */
function isPartOf(text: string, value: string, kind: EntityKind): boolean {
  if (kind === 'email') return text === value.split('@')[1]
  return kind === 'url' && text.includes('.') && URL.parse(value)?.hostname.endsWith(text) === true
}

/** An intent that says the action's own name means it: "list files", "crawl". */
function naming({ service, name }: Entry, intent: string): number {
  const said = new Set(tokenize(intent))
  // "Page" or "search" in a name is no more than what everybody says.
  const words = tokenize(name.split(/[-_]/).filter((word) => !GENERIC.has(word) && word !== 'search').join(' '))
  const share = words.filter((word) => said.has(word)).length / Math.max(1, words.length)
  return 1 + NAMED_BONUS * share + (tokenize(service.id).every((word) => said.has(word)) ? NAMED_BONUS / 2 : 0)
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}
