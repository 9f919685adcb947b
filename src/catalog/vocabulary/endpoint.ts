/** Passthrough actions: a list of upstream paths, each with its own parameters and price. */
import { Type, type TSchema } from '../../lib/schema.ts'
import { invariant } from '../../errors/app-error.ts'
import type { Micros } from '../../lib/money.ts'
import type { EndpointAction, EndpointEntry } from './action.ts'
import type { Ended } from './fields.ts'
import { describe, toMerchantSource } from './erase-types.ts'
import type { Data } from './outcome.ts'
import type { EndpointSpec } from './specs.ts'
import { flat, type Price } from './tariff.ts'
import { get, post, type QueryValue, type WireRequest } from './wire.ts'

/** The input names the path in `endpoint`, next to the parameters of that path. */
export function endpoint<R extends TSchema>(spec: EndpointSpec<R>): EndpointAction {
  const byPath = new Map(spec.endpoints.map((entry) => [entry.endpoint, entry]))
  const erased = spec as unknown as EndpointAction
  const requestWith =
    (toRequest: (entry: EndpointEntry, parameters: Data, held?: Micros) => WireRequest) =>
    ({ endpoint: path, ...rest }: Data, held?: Micros): WireRequest => {
      const entry = byPath.get(String(path))
      invariant(entry !== undefined, `${String(path)} is a listed endpoint`)
      return toRequest(entry, rest, held)
    }
  return {
    kind: 'endpoint',
    ...describe(spec),
    input: endpointInput(spec.endpoints, spec.ended),
    endpoints: spec.endpoints,
    groups: spec.groups ?? [],
    // A merchant sells each path as listed, not in the form of `spec.request`.
    merchant: toMerchantSource(spec.merchant, {
      request: requestWith(pathRequest),
      reply: spec.reply,
      outcome: erased.outcome,
    }),
    reply: spec.reply,
    entryFor: ({ endpoint: path }) => byPath.get(String(path)),
    priceFor: ({ endpoint: path }) => endpointPrice(spec.price, byPath.get(String(path))),
    outcome: erased.outcome,
    request: requestWith(spec.request ?? pathRequest),
    ...(spec.followUps === undefined ? {} : { followUps: spec.followUps }),
  }
}

/** Fills in the parameters that the path names. The others become the query or the JSON body. */
export function pathRequest(
  { endpoint: path, method }: EndpointEntry,
  parameters: Data,
): WireRequest {
  const rest = { ...parameters }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  return method === 'POST' ? post(filled, rest) : get(filled, rest as Record<string, QueryValue>)
}

function endpointPrice(listed: Price<Data>, entry: EndpointEntry | undefined): Price<Data> {
  if (entry?.price === undefined) return listed
  return listed.kind === 'actual' ? { kind: 'actual', cap: entry.price } : flat(entry.price)
}

const ENDPOINT_PARAM_TYPES = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  array: { type: 'array', items: { type: ['string', 'number'] } },
  object: { type: 'object' },
} as const

function endpointInput(entries: readonly EndpointEntry[], ended: Ended = {}): TSchema {
  // With `discriminator` the validator picks the branch by path and reports errors of that branch.
  return Type.Unsafe<Data>({
    type: 'object',
    required: ['endpoint'],
    discriminator: { propertyName: 'endpoint' },
    oneOf: entries.map(endpointBranch),
    ended,
  })
}

function endpointBranch(entry: EndpointEntry): object {
  return {
    type: 'object',
    title: entry.summary,
    additionalProperties: entry.isOpen === true ? { type: ['string', 'number', 'boolean'] } : false,
    required: [
      'endpoint',
      ...entry.params.filter(({ required }) => required).map(({ name }) => name),
    ],
    properties: {
      endpoint: { const: entry.endpoint },
      ...Object.fromEntries(
        entry.params.map(({ name, type, description, limits }) => [
          name,
          {
            ...ENDPOINT_PARAM_TYPES[type],
            ...limits,
            ...(description === undefined ? {} : { description }),
          },
        ]),
      ),
    },
    ...(entry.oneOf === undefined
      ? {}
      : { anyOf: entry.oneOf.map((name) => ({ required: [name] })) }),
  }
}
