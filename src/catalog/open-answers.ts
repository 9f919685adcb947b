/** Open sources of passthrough paths in a line or two: what most of them have in common. */
import { Type } from 'typebox'
import { invariant } from '../errors/app-error.ts'
import { cents } from '../lib/money.ts'
import { openSource, type Action, type EndpointEntry, type OpenSource } from './define.ts'
import { paramsOf } from './endpoints/read-endpoints.ts'
import { empty, failed, type Data, type Outcome } from './outcome.ts'
import { found } from './records.ts'
import { asText, field } from './vendor-failure.ts'
import type { QueryValue, Reply, Vendor, WireRequest } from './wire.ts'

type Answer = (reply: Reply, input: Data) => Outcome

const DEFAULT_ROWS = 50

/** A path that an open source answers. `parameters` is the compact list of endpoints/read-endpoints.ts. */
export function openPath(endpoint: string, price: string, summary: string, parameters: string, example: Data, source: OpenSource): EndpointEntry {
  return { endpoint, method: 'GET', summary, params: paramsOf(parameters), price: cents(price), example, openSource: source }
}

export function asked(vendor: Vendor, request: (input: Data) => WireRequest, outcome: Answer, further: OpenSource['further'] = []): OpenSource {
  return openSource({ vendor, request, outcome, reply: Type.Unknown(), ...(further.length === 0 ? {} : { further }) })
}

/** What another action asks and makes of the answer, under its own parameters' names. */
export function sameAs(action: Action | undefined, vendor: Vendor): OpenSource {
  invariant(action?.kind === 'call', 'only a call can be what another path does too')
  const { request, further = [], reply, outcome } = action.openSource ?? action
  const own = (input: Data): Data => Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'endpoint'))
  const checked = (input: Data) => {
    action.check(own(input))
    return request(own(input))
  }
  return openSource({
    vendor,
    reply,
    request: checked,
    outcome: (answer, input) => outcome(answer, own(input)),
    ...(further.length === 0 ? {} : { further: further.map((next) => (answer: Reply, input: Data) => next(answer, own(input))) }),
  })
}

/** A source that knows parameters under other names: "asset>symbol" hands asset on as symbol. */
export function under(source: OpenSource, names: string): OpenSource {
  const renamed = (input: Data): Data => ({ ...input, ...defined(picked(input, names)) })
  return {
    ...source,
    request: (input) => source.request(renamed(input)),
    outcome: (reply, input) => source.outcome(reply, renamed(input)),
    ...(source.further === undefined ? {} : { further: source.further.map((next) => (reply: Reply, input: Data) => next(reply, renamed(input))) }),
  }
}

/** The parameters of these names as a query; "q>search" sends q under the name search. */
export function picked(input: Data, names: string): Record<string, QueryValue> {
  return Object.fromEntries(
    names.split(' ').map((pair) => {
      const [name = '', sentAs = name] = pair.split('>')
      return [sentAs, input[name] as QueryValue]
    }),
  )
}

/** The body as it came, when the list at the path ("message.items") holds anything. */
export function rowsAt(path: string): Answer {
  const names = path.split('.')
  return ({ body }) => {
    const rows = names.reduce(field, body)
    if (!isObject(body)) return unreadable()
    return found(body, Array.isArray(rows) ? (rows as unknown[]) : isObject(rows) ? Object.keys(rows) : [])
  }
}

/** The body as it came, when it is an object that holds anything. */
export const wholeBody: Answer = ({ body }) => (isObject(body) ? found(body, Object.keys(body)) : unreadable())

type Select = { readonly at?: string; readonly keep?: (row: unknown, input: Data) => boolean; readonly shape?: (row: unknown) => unknown }

/** Rows of a list that the source hands out whole: those that `keep` wants, at most `limit` of them, under `results`. */
export function selected({ at, keep = () => true, shape = (row) => row }: Select = {}): Answer {
  return ({ body }, input) => {
    const list = at === undefined ? body : at.split('.').reduce(field, body)
    if (!Array.isArray(list)) return list === undefined || list === null ? empty({ total: 0, results: [] }) : unreadable()
    const kept = (list as unknown[]).filter((row) => keep(row, input))
    const results = kept.slice(0, typeof input['limit'] === 'number' && input['limit'] >= 1 ? input['limit'] : DEFAULT_ROWS).map(shape)
    return found({ total: kept.length, results }, results)
  }
}

/** Whether a field of the row holds the words of a parameter; a parameter that is left out holds of every row. */
export function holds(row: unknown, name: string, wanted: unknown): boolean {
  if (wanted === undefined) return true
  const value = field(row, name)
  const text = Array.isArray(value) ? value.map(asText).join(' ') : value
  return typeof text === 'string' && text.toLowerCase().includes(asText(wanted).toLowerCase())
}

function isObject(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Values without those that are undefined, so that others keep their default. */
export function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>
}

export function unreadable(): Outcome {
  return failed('upstream_error', 'The source answered in a form that this gateway does not know. Nothing was charged.')
}
