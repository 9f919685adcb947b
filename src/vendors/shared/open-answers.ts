/** Open sources of passthrough paths in a line or two: what most of them have in common. */
import { Type, type TSchema } from 'typebox'
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
import { found } from './records.ts'
import { asText, field, isErrorAlone } from '../../catalog/answers/vendor-failure.ts'
import type { QueryValue, Reply, Vendor, WireRequest } from '../../catalog/vocabulary/wire.ts'

type Answer = (reply: Reply, input: Data) => Outcome

const DEFAULT_ROWS = 50

/** A path that an open source answers. `parameters` is the compact list of endpoints/read-endpoints.ts. */
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

const inJson = Type.Union([Type.Object({}), Type.Array(Type.Unknown())])
/** For answers that are no JSON: their `outcome` tells them from the page of a source that is being repaired. */
export const inText = Type.Unknown()

export function asked(
  vendor: Vendor,
  request: (input: Data) => WireRequest,
  outcome: Answer,
  followUps: OpenSource['followUps'] = [],
  reply: TSchema = inJson,
): OpenSource {
  return openSource({
    vendor,
    request,
    outcome: (answer, input) => (isErrorAlone(answer) ? unreadable() : outcome(answer, input)),
    reply,
    ...(followUps.length === 0 ? {} : { followUps }),
  })
}

/** What another action asks and makes of the answer, under its own parameters' names. */
export function sameAs(action: Action | undefined, vendor: Vendor): OpenSource {
  invariant(action?.kind === 'call', 'only a call can be what another path does too')
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

/** A path that does what another action does: its parameters follow the rules of that action's. */
export function samePath(
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
  invariant(action?.kind === 'call', 'only a call can be what another path does too')
  const path = openPath(endpoint, price, summary, parameters, example, sameAs(action, vendor))
  return {
    ...path,
    params: path.params.map((param) => ({ ...param, ...rulesOf(action.input, param.name) })),
  }
}

/** What a field's schema says of it. One that takes values of several types keeps the rules of the compact list. */
function rulesOf(input: TSchema, name: string): Pick<EndpointParam, 'description' | 'limits'> {
  const { type, description, anyOf, ...limits } = (field(field(input, 'properties'), name) ??
    {}) as Readonly<Record<string, unknown>>
  if (anyOf !== undefined) return {}
  invariant(
    type !== undefined || limits['enum'] !== undefined,
    `${name} is a parameter of the action too`,
  )
  return { ...(typeof description === 'string' ? { description } : {}), limits }
}

/** A source that knows parameters under other names: "asset>symbol" hands asset on as symbol. */
export function under(source: OpenSource, names: string): OpenSource {
  const renamed = (input: Data): Data => ({ ...input, ...defined(picked(input, names)) })
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

/** A source with a rule beside those that it has. */
export function checked(rule: (input: Data) => void, source: OpenSource): OpenSource {
  return {
    ...source,
    check: (input) => {
      rule(input)
      source.check?.(input)
    },
  }
}

/**
 * A source that knows some of a path's parameters, named in the compact list, values in brackets being all that it
 * knows of one. Others are refused: what it would answer without them is the answer to another question.
 */
export function heeding(names: string, source: OpenSource): OpenSource {
  const known = new Map(
    paramsOf(names).map(({ name, limits }) => [
      name,
      limits?.['enum'] as readonly unknown[] | undefined,
    ]),
  )
  const refuse = (param: string, words: string): never => {
    throw new AppError(
      'upstream_not_configured',
      `Without the vendor this gateway ${words}. Nothing was charged.`,
      {
        param,
        fix: `Leave "${param}" out, or ask the operator of this gateway to set up the vendor.`,
      },
    )
  }
  return checked((input) => {
    for (const [name, value] of Object.entries(input)) {
      const values = known.get(name)
      if (name !== 'endpoint' && !known.has(name)) refuse(name, `cannot heed "${name}" here`)
      if (values?.includes(asText(value).toLowerCase()) === false)
        refuse(
          name,
          `knows ${values.map((one) => `"${String(one)}"`).join(', ')} alone as "${name}"`,
        )
    }
  }, source)
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
    if (!isFields(body)) return unreadable()
    return found(body, [rows])
  }
}

/** The body as it came, when it is an object that holds anything. */
export const wholeBody: Answer = ({ body }) => (isFields(body) ? found(body, [body]) : unreadable())

type Select = {
  readonly at?: string
  readonly keep?: (row: unknown, input: Data) => boolean
  readonly shape?: (row: unknown) => unknown
  /** The field whose largest numbers come first; left out: the source's own order. */ readonly by?: string
}

/** Rows of a list that the source hands out whole: those that `keep` wants, at most `limit` of them after `offset`, under `results`. */
export function selected({ at, keep = () => true, shape = (row) => row, by }: Select = {}): Answer {
  return ({ body }, input) => {
    const list = at === undefined ? body : at.split('.').reduce(field, body)
    if (!Array.isArray(list))
      return list === undefined || list === null ? empty({ total: 0, results: [] }) : unreadable()
    const kept = ordered(
      (list as unknown[]).filter((row) => keep(row, input)),
      by,
    )
    const results = paged(kept, input, DEFAULT_ROWS).map(shape)
    return found({ total: kept.length, results }, results)
  }
}

/** Rows without the number come last. */
function ordered(rows: readonly unknown[], by: string | undefined): readonly unknown[] {
  if (by === undefined) return rows
  const sizeOf = (row: unknown) => Number(asText(field(row, by)) || Number.NEGATIVE_INFINITY)
  return rows.toSorted((one, other) =>
    sizeOf(other) > sizeOf(one) ? 1 : sizeOf(other) < sizeOf(one) ? -1 : 0,
  )
}

/** The page of a list that `limit` and `offset` of the input name; without a limit the page has `most` rows. */
export function paged(
  rows: readonly unknown[],
  { limit, offset }: Data,
  most = rows.length,
): readonly unknown[] {
  const start = typeof offset === 'number' && offset > 0 ? offset : 0
  return rows.slice(start, start + (typeof limit === 'number' && limit >= 1 ? limit : most))
}

/** Whether a field of the row holds the words of a parameter; a parameter that is left out holds of every row. */
export function holds(row: unknown, name: string, wanted: unknown): boolean {
  if (wanted === undefined) return true
  const value = field(row, name)
  const text = Array.isArray(value) ? value.map(asText).join(' ') : value
  return typeof text === 'string' && text.toLowerCase().includes(asText(wanted).toLowerCase())
}

/** The same of words separated by commas, of which one will do. */
export function holdsAny(row: unknown, name: string, wanted: unknown): boolean {
  return (
    wanted === undefined ||
    asText(wanted)
      .split(',')
      .some((words) => words.trim() !== '' && holds(row, name, words.trim()))
  )
}

/** Values without those that are undefined, so that others keep their default. */
export function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<T>
}

const UNREADABLE =
  'The source answered in a form that this gateway does not know. Nothing was charged.'

export function unreadable(): Outcome {
  return failed('upstream_error', UNREADABLE)
}

/** The rows of a reference file that another request is made of: a list, or an object with a row under each of its names. */
export function rowsToGoOn(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null) throw new AppError('upstream_error', UNREADABLE)
  return Array.isArray(body) ? body : Object.values(body)
}
