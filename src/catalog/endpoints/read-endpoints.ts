/**
 * Reads the endpoints of a passthrough from a compact JSON form, since there are more than a
 * thousand. Parameters are words such as `name*:type=default(one|other)`: `*` marks a required one,
 * the default type is string, `objects` is a list of objects, and `clicks.range` is short for
 * `clicks.min` and `clicks.max`.
 */
import { wholeCents } from '../../lib/money.ts'
import type { EndpointEntry, EndpointParam } from '../vocabulary/define.ts'

export type CompactEndpoint = {
  readonly endpoint: string
  readonly summary: string
  readonly method?: string
  readonly query?: string
  /** Fields of a JSON object. Empty if the vendor requires an empty object. */
  readonly body?: string
  /** The parameter that is the whole body instead of a field of it. */
  readonly bodyIs?: string
  readonly oneOf?: readonly string[]
  readonly isOpen?: boolean
  /** Whole cents; the price of the action by default. */
  readonly cents?: number
}

const WORD = /^([\w.\-[\]]+)(\*)?(?::(\w+))?(?:=([^(]*))?(?:\((.*)\))?$/

/** Throws at start for a malformed row, because the files are part of the program. */
export function readEndpoints(rows: readonly CompactEndpoint[]): EndpointEntry[] {
  return rows.map(({ endpoint, summary, method, query = '', body = '', oneOf, isOpen, cents }) => ({
    endpoint,
    summary,
    method: method === 'POST' ? 'POST' : 'GET',
    params: [...paramsOf(query), ...paramsOf(body)],
    ...(oneOf === undefined ? {} : { oneOf }),
    ...(isOpen === undefined ? {} : { isOpen }),
    ...(cents === undefined ? {} : { price: wholeCents(cents) }),
  }))
}

/** Names of the parameters in a compact list. */
export function namesIn(list: string | undefined): string[] {
  return paramsOf(list ?? '').map(({ name }) => name)
}

/** The parameters of a compact list. */
export function paramsOf(list: string): EndpointParam[] {
  return list === '' ? [] : list.split(' ').flatMap(paramOf)
}

function paramOf(word: string): EndpointParam[] {
  const [, name = word, star, type, preset, values] = WORD.exec(word) ?? []
  const param: EndpointParam = {
    name,
    required: star !== undefined,
    type: typeOf(type),
    ...(preset === undefined ? {} : { description: `The vendor's default is ${preset}.` }),
    ...limitsOf(type, values),
  }
  if (!name.endsWith('.range')) return [param]
  const stem = name.slice(0, -'.range'.length)
  return [
    { ...param, name: `${stem}.min` },
    { ...param, name: `${stem}.max` },
  ]
}

function typeOf(type: string | undefined): EndpointParam['type'] {
  if (type === 'objects') return 'array'
  return type === 'integer' ||
    type === 'number' ||
    type === 'boolean' ||
    type === 'array' ||
    type === 'object'
    ? type
    : 'string'
}

function limitsOf(
  type: string | undefined,
  values: string | undefined,
): Pick<EndpointParam, 'limits'> {
  if (type === 'objects') return { limits: { items: { type: 'object' } } }
  return values === undefined ? {} : { limits: { enum: values.split('|') } }
}
