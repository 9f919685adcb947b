/** Builds the open sources of passthrough paths in a line or two. */
import { Type, type TSchema } from '../../lib/schema.ts'
import { AppError, invariant } from '../../errors/app-error.ts'
import { isFields } from '../../lib/json-fields.ts'
import { cents } from '../../lib/money.ts'
import {
  openSource,
  type Action,
  type EndpointEntry,
  type EndpointParam,
  type OpenSource,
} from '../../catalog/vocabulary/define.ts'
import { paramsOf } from '../../catalog/endpoints/read-endpoints.ts'
import { empty, failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { dropUndefined } from './fields.ts'
import { found } from './records.ts'
import { asText, field, isErrorAlone } from '../../catalog/answers/vendor-failure.ts'
import type { QueryValue, Reply, Vendor, WireRequest } from '../../catalog/vocabulary/wire.ts'

type Answer = (reply: Reply, input: Data) => Outcome

const DEFAULT_ROWS = 50

/**
 * A path with an open source. `parameters` is a compact list as in
 * catalog/endpoints/read-endpoints.ts.
 */
export function openPath(
  endpoint: string,
  price: string,
  summary: string,
  parameters: string,
  example: Data,
  source: OpenSource,
): EndpointEntry {
  return {
    endpoint,
    method: 'GET',
    summary,
    params: paramsOf(parameters),
    price: cents(price),
    example,
    openSource: source,
  }
}

const jsonReply = Type.Union([Type.Object({}), Type.Array(Type.Unknown())])
/** For replies that are not JSON. Their `outcome` distinguishes data from an error page. */
export const anyReply = Type.Unknown()

export function publicSource(
  vendor: Vendor,
  request: (input: Data) => WireRequest,
  outcome: Answer,
  followUps: OpenSource['followUps'] = [],
  reply: TSchema = jsonReply,
): OpenSource {
  return openSource({
    vendor,
    request,
    outcome: (answer, input) => (isErrorAlone(answer) ? unreadableReply() : outcome(answer, input)),
    reply,
    ...(followUps.length === 0 ? {} : { followUps }),
  })
}

/** Sends the requests of another action and reads its answers, with the same parameter names. */
export function sourceLike(action: Action | undefined, vendor: Vendor): OpenSource {
  invariant(action?.kind === 'call', 'only a call can share its source with a path')
  const { request, followUps = [], reply, outcome } = action.openSource ?? action
  const own = (input: Data): Data =>
    Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'endpoint'))
  return openSource({
    vendor,
    reply,
    check: (input) => {
      action.check(own(input))
      action.openSource?.check?.(own(input))
    },
    request: (input) => request(own(input)),
    outcome: (answer, input) => outcome(answer, own(input)),
    ...(followUps.length === 0
      ? {}
      : {
          followUps: followUps.map(
            (next) => (answer: Reply, input: Data) => next(answer, own(input)),
          ),
        }),
  })
}

/** A path that does the same as another action, under the parameter rules of that action. */
export function pathLike(
  action: Action | undefined,
  vendor: Vendor,
  [endpoint, price, summary, parameters, example]: readonly [
    endpoint: string,
    price: string,
    summary: string,
    parameters: string,
    example: Data,
  ],
): EndpointEntry {
  invariant(action?.kind === 'call', 'only a call can share its source with a path')
  const path = openPath(endpoint, price, summary, parameters, example, sourceLike(action, vendor))
  return {
    ...path,
    params: path.params.map((param) => ({ ...param, ...schemaRules(action.input, param.name) })),
  }
}

/** The rules of a field's schema. A field of several types keeps the rules of the compact list. */
function schemaRules(input: TSchema, name: string): Pick<EndpointParam, 'description' | 'limits'> {
  const { type, description, anyOf, ...limits } = (field(field(input, 'properties'), name) ??
    {}) as Readonly<Record<string, unknown>>
  if (anyOf !== undefined) return {}
  invariant(
    type !== undefined || limits['enum'] !== undefined,
    `${name} is a parameter of the action too`,
  )
  return { ...(typeof description === 'string' ? { description } : {}), limits }
}

/** Renames parameters for a source: "asset>symbol" passes asset as symbol. */
export function renameParams(source: OpenSource, names: string): OpenSource {
  const renamed = (input: Data): Data => ({ ...input, ...dropUndefined(pickQuery(input, names)) })
  return {
    ...source,
    ...(source.check === undefined ? {} : { check: (input) => source.check?.(renamed(input)) }),
    request: (input) => source.request(renamed(input)),
    outcome: (reply, input) => source.outcome(reply, renamed(input)),
    ...(source.followUps === undefined
      ? {}
      : {
          followUps: source.followUps.map(
            (next) => (reply: Reply, input: Data) => next(reply, renamed(input)),
          ),
        }),
  }
}

/** Adds a rule to those of a source. */
export function withCheck(rule: (input: Data) => void, source: OpenSource): OpenSource {
  return {
    ...source,
    check: (input) => {
      rule(input)
      source.check?.(input)
    },
  }
}

/**
 * Restricts a source to the parameters in the compact list, and to the values in brackets. Others
 * are rejected, because an answer without them would answer another question.
 */
export function withParams(names: string, source: OpenSource): OpenSource {
  const known = new Map(
    paramsOf(names).map(({ name, limits }) => [
      name,
      limits?.['enum'] as readonly unknown[] | undefined,
    ]),
  )
  const reject = (param: string, words: string): never => {
    throw new AppError(
      'upstream_not_configured',
      `Without its vendor this gateway ${words}. Nothing was charged.`,
      {
        param,
        fix: `Remove "${param}", or ask the operator of this gateway to configure the vendor.`,
      },
    )
  }
  return withCheck((input) => {
    for (const [name, value] of Object.entries(input)) {
      const values = known.get(name)
      if (name !== 'endpoint' && !known.has(name)) reject(name, `does not support "${name}" here`)
      if (values?.includes(asText(value).toLowerCase()) === false)
        reject(
          name,
          `supports only ${values.map((one) => `"${String(one)}"`).join(', ')} as "${name}"`,
        )
    }
  }, source)
}

/** Selects parameters for a query. "q>search" sends q as search. */
export function pickQuery(input: Data, names: string): Record<string, QueryValue> {
  return Object.fromEntries(
    names.split(' ').map((pair) => {
      const [name = '', sentAs = name] = pair.split('>')
      return [sentAs, input[name] as QueryValue]
    }),
  )
}

/**
 * Returns the body unchanged. It is a hit if the list at the path ("message.items") contains
 * anything.
 */
export function rowsAt(path: string): Answer {
  const names = path.split('.')
  return ({ body }) => {
    const rows = names.reduce(field, body)
    if (!isFields(body)) return unreadableReply()
    return found(body, [rows])
  }
}

/** Returns the body unchanged. It is a hit if it is an object that contains anything. */
export const wholeBody: Answer = ({ body }) =>
  isFields(body) ? found(body, [body]) : unreadableReply()

type Select = {
  readonly at?: string
  readonly keep?: (row: unknown, input: Data) => boolean
  readonly shape?: (row: unknown) => unknown
  /** Sorts by this field in descending order; in the source's order by default. */ readonly by?: string
}

/**
 * Filters a complete list with `keep`. Returns up to `limit` rows after `offset` under `results`.
 */
export function selectRows({
  at,
  keep = () => true,
  shape = (row) => row,
  by,
}: Select = {}): Answer {
  return ({ body }, input) => {
    const list = at === undefined ? body : at.split('.').reduce(field, body)
    if (!Array.isArray(list))
      return list === undefined || list === null
        ? empty({ total: 0, results: [] })
        : unreadableReply()
    const matches = sortRows(
      (list as unknown[]).filter((row) => keep(row, input)),
      by,
    )
    const results = pageRows(matches, input, DEFAULT_ROWS).map(shape)
    return found({ total: matches.length, results }, results)
  }
}

/** Rows without the number come last. */
function sortRows(rows: readonly unknown[], by: string | undefined): readonly unknown[] {
  if (by === undefined) return rows
  const sizeOf = (row: unknown) => Number(asText(field(row, by)) || Number.NEGATIVE_INFINITY)
  return rows.toSorted((one, other) =>
    sizeOf(other) > sizeOf(one) ? 1 : sizeOf(other) < sizeOf(one) ? -1 : 0,
  )
}

/**
 * The page of a list that `limit` and `offset` of the input select. Without a limit, it has `most`
 * rows.
 */
export function pageRows(
  rows: readonly unknown[],
  { limit, offset }: Data,
  most = rows.length,
): readonly unknown[] {
  const start = typeof offset === 'number' && offset > 0 ? offset : 0
  return rows.slice(start, start + (typeof limit === 'number' && limit >= 1 ? limit : most))
}

/**
 * Whether a field of the row contains the words of a parameter. True if the parameter is missing.
 */
export function fieldContains(row: unknown, name: string, expected: unknown): boolean {
  if (expected === undefined) return true
  const value = field(row, name)
  const text = Array.isArray(value) ? value.map(asText).join(' ') : value
  return typeof text === 'string' && text.toLowerCase().includes(asText(expected).toLowerCase())
}

/** Like `holds`, for words separated by commas, one of which must match. */
export function fieldContainsAny(row: unknown, name: string, expected: unknown): boolean {
  return (
    expected === undefined ||
    asText(expected)
      .split(',')
      .some((words) => words.trim() !== '' && fieldContains(row, name, words.trim()))
  )
}

const UNREADABLE = 'The source returned an unknown format. Nothing was charged.'

export function unreadableReply(): Outcome {
  return failed('upstream_error', UNREADABLE)
}

/**
 * The rows of a reference file from which the next request is made: a list, or the values of an
 * object.
 */
export function referenceRows(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null) throw new AppError('upstream_error', UNREADABLE)
  return Array.isArray(body) ? body : Object.values(body)
}
