/** Builds the request of an own action from its input, and reads the input back for the simulator. */
import { AppError } from '../../errors/app-error.ts'
import { isFields, type Fields } from '../../lib/json-fields.ts'
import { joinPointer, partsOf, readPointer } from '../../lib/json-pointer.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Data } from '../vocabulary/outcome.ts'
import type { QueryValue, WireRequest } from '../vocabulary/wire.ts'
import type { OwnRequest } from './own-file.ts'

export const STYLES = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const

/** A place that takes a value of the input. `style` and `explode` are those of OpenAPI parameters. */
export type From = {
  readonly from: string
  readonly style?: (typeof STYLES)[number]
  readonly explode?: boolean
}

const DELIMITERS = { form: ',', spaceDelimited: ' ', pipeDelimited: '|', deepObject: ',' } as const
const PLACEHOLDER = /\{(\w+)\}/g

export function isFrom(value: unknown): value is From {
  return isFields(value) && typeof value['from'] === 'string'
}

/** A reference in a body has no style, so an object with more members is content. */
export function isBodyFrom(value: unknown): value is From {
  return isFrom(value) && Object.keys(value).length === 1
}

export function placeholdersOf(path: string): string[] {
  return [...path.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
}

/** The parameters that the request names, with the pointers of the file that name them. */
export function namedParams({ path, query, headers, form, body }: OwnRequest): Map<string, string> {
  const named = new Map(placeholdersOf(path).map((name) => [name, '/path']))
  const add = (value: unknown, at: string): void => {
    if (isFrom(value)) named.set(partsOf(value.from)[0] ?? '', joinPointer(at, 'from'))
    else if (typeof value === 'object' && value !== null)
      for (const [name, part] of Object.entries(value)) add(part, joinPointer(at, name))
  }
  for (const [place, value] of Object.entries({ query, headers, form, body }))
    add(value, `/${place}`)
  return named
}

/** Where the parameters go that the request does not name. Null if they go nowhere. */
export function restPlace({ method, query, body, form }: OwnRequest): 'query' | 'body' | null {
  if (method === 'GET' || method === 'DELETE') return query === undefined ? 'query' : null
  return body === undefined && form === undefined ? 'body' : null
}

/** Throws AppError invalid_params for a value that its place cannot take. */
export function buildRequest(spec: OwnRequest, input: Data): WireRequest {
  const { method, path, query = {}, headers, form, body, tool } = spec
  const named = namedParams(spec)
  // The whole input is `{"from": ""}`.
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !named.has(name)))
  const place = restPlace(spec)
  const asked = [
    ...Object.entries(query).flatMap(([name, value]) => queryParts(name, value, input)),
    ...(place === 'query'
      ? Object.keys(rest).flatMap((name) =>
          queryParts(name, { from: joinPointer('', name) }, input),
        )
      : []),
  ]
  const json = place === 'body' ? rest : body === null ? undefined : fillBody(body, input)
  return {
    method,
    path: fillPath(path, input),
    ...(asked.length === 0 ? {} : { query: Object.fromEntries(asked) }),
    ...(tool !== undefined
      ? { rpc: 'tools/call' as const, json: { name: tool, arguments: json ?? {} } }
      : json === undefined
        ? {}
        : { json }),
    ...(form === undefined ? {} : { form: textsOf(form, input, false) }),
    ...(headers === undefined ? {} : { headers: textsOf(headers, input, true) }),
  }
}

function fillPath(path: string, input: Data): string {
  return path.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = scalarText(input[name], name)
    // A URL parser would remove these parts, and the request would reach another path.
    if (value === '' || /^\.+$/.test(value)) throw unfit(name, 'cannot be a part of a URL')
    return encodeURIComponent(value)
  })
}

function queryParts(name: string, source: unknown, input: Data): [string, QueryValue][] {
  if (!isFrom(source)) return [[name, source as QueryValue]]
  const { from, style = 'form', explode = style === 'form' } = source
  const value = readPointer(input, from)
  const [param = ''] = partsOf(from)
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) {
    const items = value.map((item) => scalarText(item, param))
    return [[name, explode ? items : items.join(DELIMITERS[style])]]
  }
  if (!isFields(value)) return [[name, scalarText(value, param)]]
  const members = Object.entries(value).map(
    ([key, part]) => [key, scalarText(part, param)] as const,
  )
  if (style === 'deepObject') return members.map(([key, part]) => [`${name}[${key}]`, part])
  return explode
    ? members.map(([key, part]) => [key, part])
    : [[name, members.flat().join(DELIMITERS[style])]]
}

function textsOf(places: Fields, input: Data, isHeader: boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(places).flatMap(([name, source]): [string, string][] => {
      const value = isFrom(source) ? readPointer(input, source.from) : source
      if (value === undefined || value === null) return []
      const param = isFrom(source) ? (partsOf(source.from)[0] ?? '') : name
      const text = scalarText(value, param)
      if (isHeader && /[^\x20-\x7e]/.test(text))
        throw unfit(param, 'must be plain ASCII on one line')
      return [[name, text]]
    }),
  )
}

/** Members and items without a value are left out. */
function fillBody(template: unknown, input: Data): unknown {
  if (isBodyFrom(template)) return readPointer(input, template.from)
  if (Array.isArray(template))
    return template.map((item) => fillBody(item, input)).filter((item) => item !== undefined)
  if (!isFields(template)) return template
  return Object.fromEntries(
    Object.entries(template)
      .map(([name, part]) => [name, fillBody(part, input)] as const)
      .filter(([, value]) => value !== undefined),
  )
}

function scalarText(value: unknown, param: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw unfit(param, 'contains a list or an object that the API cannot take there')
}

function unfit(param: string, problem: string): AppError {
  return new AppError('invalid_params', `"${param}" ${problem}.`, {
    param,
    fix: `Send another value of "${param}".`,
  })
}

export type SentRequest = {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Whether a request has the values of `wanted` in the places of these parameters. */
export function hasValues(spec: OwnRequest, sent: SentRequest, wanted: Data): boolean {
  const built = buildRequest(spec, { ...fillersOf(spec), ...wanted })
  const without = buildRequest(spec, fillersOf(spec))
  const path = [built.path, without.path].map((text) => text.split('/'))
  const parts = sent.path.split('/')
  return (
    parts.length === path[0]?.length &&
    path[0].every(
      (part, index) => part === path[1]?.[index] || sameText(part, parts[index] ?? ''),
    ) &&
    Object.entries(built.query ?? {}).every(
      ([name, value]) =>
        isEqual(value, without.query?.[name]) ||
        (Array.isArray(value) ? value : [value]).map(String).join('\n') ===
          sent.query.getAll(name).join('\n'),
    ) &&
    Object.entries(built.headers ?? {}).every(
      ([name, value]) =>
        value === without.headers?.[name] || sent.headers[name.toLowerCase()] === value,
    ) &&
    hasParts(built.json ?? built.form, without.json ?? without.form, sent.body)
  )
}

/** A value that no file uses, for placeholders of the path that `wanted` does not name. */
function fillersOf({ path }: OwnRequest): Data {
  return Object.fromEntries(placeholdersOf(path).map((name) => [name, '-']))
}

function hasParts(built: unknown, without: unknown, sent: unknown): boolean {
  if (isEqual(built, without)) return true
  if (isFields(built))
    return Object.entries(built).every(([name, part]) =>
      hasParts(
        part,
        isFields(without) ? without[name] : undefined,
        readPointer(sent, joinPointer('', name)),
      ),
    )
  return isEqual(built, sent)
}

function sameText(one: string, other: string): boolean {
  try {
    return decodeURIComponent(one) === decodeURIComponent(other)
  } catch {
    return false
  }
}

function isEqual(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other)
}
