/**
 * The vocabulary of the catalog. A service is data: one record per action states its input, price, billing rule,
 * wire request and outcome, and everything published about the action (index, descriptor, OpenAPI, discovery,
 * catalog page) is derived from the record that also executes it. Files in `services/` do no I/O and read no
 * clock and no environment.
 *
 * Input is parsed strictly, a vendor's reply leniently: unknown fields of a reply travel on unchanged.
 */
import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import type { Micros } from '../lib/money.ts'
import type { Data, Outcome } from './outcome.ts'
import { type Billing, chargedOnResult, chargedPerUnit, flat, type Price } from './tariff.ts'
import { get, post, type QueryValue, type Reply, type Vendor, type WireRequest } from './wire.ts'

type Described<I> = {
  /** One sentence: what the caller gets. */
  readonly summary: string
  readonly description?: string
  /** Words that people use for this and that stand nowhere else in the record; for discovery. */
  readonly keywords?: readonly string[]
  /** A valid input; fields with defaults may be left out, as a caller would. */
  readonly example: Partial<I>
  readonly price: Price<I>
  /** Where the price comes from, with its date. */
  readonly priceSource?: string
  readonly billing?: Billing
  readonly timeoutMs: number
  /** The answer carries text that strangers wrote: it is marked so that agents do not obey it. */
  readonly untrustedContent?: boolean
  /** Rules between fields that a schema cannot say. Throws AppError; runs before any hold. */
  readonly check?: (input: I) => void
}

type CallSpec<S extends TObject, R extends TSchema> = Described<Static<S>> & {
  readonly input: S
  /** The least that the outcome needs of the reply's body. An answer without it is an upstream failure. */
  readonly reply: R
  readonly request: (input: Static<S>) => WireRequest
  readonly outcome: (reply: Reply<Static<R>>, input: Static<S>) => Outcome
  /** Name of the in-house lane's handler, where the gateway truly does the job itself. */
  readonly inHouse?: string
}

export type Progress = { readonly kind: 'pending' } | { readonly kind: 'finished' } | { readonly kind: 'failed'; readonly message: string }

type JobSpec<S extends TObject, L extends TSchema, R extends TSchema> = Described<Static<S>> & {
  readonly input: S
  readonly launch: {
    readonly request: (input: Static<S>) => WireRequest
    readonly reply: L
    /** The vendor's name for the job. */
    readonly reference: (reply: Reply<Static<L>>) => string
  }
  readonly poll: {
    readonly request: (reference: string) => WireRequest
    readonly progress: (reply: Reply<Static<R>>) => Progress
    readonly everySeconds: number
    readonly giveUpAfterSeconds: number
  }
  readonly reply: R
  readonly outcome: (reply: Reply<Static<R>>, input: Static<S>) => Outcome
}

/** One upstream path of a passthrough service, as data. */
export type EndpointEntry = {
  readonly endpoint: string
  readonly method: 'GET' | 'POST'
  readonly summary: string
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array'; readonly description?: string }[]
  readonly price?: Micros
}

type EndpointSpec<R extends TSchema> = Omit<Described<Data>, 'check'> & {
  readonly endpoints: readonly EndpointEntry[]
  readonly reply: R
  readonly outcome: (reply: Reply<Static<R>>, input: Data) => Outcome
}

type LocalSpec<S extends TObject> = Described<Static<S>> & {
  readonly input: S
  /** Name of the handler that `start` hands in. */
  readonly handler: string
  /** Actions that it may invoke, as "service/action": it is live when one of them is. */
  readonly uses?: readonly string[]
}

type LocalJobSpec<S extends TObject> = Omit<LocalSpec<S>, 'price'> & {
  readonly price: Extract<Price<Static<S>>, { kind: 'budget' }>
  /** Deep jobs count towards the few that an account may have running. */
  readonly running: 'deep' | 'unlimited'
}

/** An action with its types erased: functions take what validation has passed. */
export type ActionBase = {
  readonly summary: string
  readonly description: string | undefined
  readonly keywords: readonly string[]
  readonly input: TSchema
  readonly example: Data
  readonly price: Price<Data>
  readonly priceSource: string | undefined
  readonly billing: Billing
  readonly timeoutMs: number
  readonly untrustedContent: boolean
  readonly check: (input: Data) => void
}

export type CallAction = ActionBase & {
  readonly kind: 'call'
  readonly reply: TSchema
  readonly request: (input: Data) => WireRequest
  readonly outcome: (reply: Reply, input: Data) => Outcome
  readonly inHouse: string | undefined
}

export type JobAction = ActionBase & {
  readonly kind: 'job'
  readonly launch: { readonly request: (input: Data) => WireRequest; readonly reply: TSchema; readonly reference: (reply: Reply) => string }
  readonly poll: {
    readonly request: (reference: string) => WireRequest
    readonly progress: (reply: Reply) => Progress
    readonly everySeconds: number
    readonly giveUpAfterSeconds: number
  }
  readonly reply: TSchema
  readonly outcome: (reply: Reply, input: Data) => Outcome
}

export type EndpointAction = ActionBase & {
  readonly kind: 'endpoint'
  /** The price of the endpoint that the input names; the action's own where the endpoint has none. */
  readonly priceFor: (input: Data) => Price<Data>
  readonly endpoints: readonly EndpointEntry[]
  readonly reply: TSchema
  readonly request: (input: Data) => WireRequest
  readonly outcome: (reply: Reply, input: Data) => Outcome
}

export type LocalAction = ActionBase & {
  readonly kind: 'local'
  readonly handler: string
  readonly uses: readonly string[]
  /** Set when it runs as a durable job: a call submits, and `core/result` tells. `timeoutMs` is the job's deadline. */
  readonly running: 'deep' | 'unlimited' | undefined
}

export type Action = CallAction | JobAction | EndpointAction | LocalAction

export type Service = {
  readonly id: string
  readonly title: string
  readonly category: string
  readonly vendor: Vendor | undefined
  readonly actions: Readonly<Record<string, Action>>
}

export function defineService(service: Omit<Service, 'vendor'> & { readonly vendor?: Vendor }): Service {
  return { ...service, vendor: service.vendor }
}

/** An object schema that takes no field beyond those named. */
export function params<P extends TProperties>(properties: P, options: Readonly<Record<string, unknown>> = {}): TObject<P> {
  const schema = Type.Object(properties, { additionalProperties: false, ...options })
  // A field with a default may be left out by the caller and is there after validation: required in the type alone.
  const declared = (schema.required ?? []) as readonly string[]
  const required = declared.filter((name) => !Object.hasOwn(properties[name] ?? {}, 'default'))
  return Object.assign(schema, { required })
}

function describe<I>(spec: Described<I>): Omit<ActionBase, 'input'> {
  // The one place where types are erased: a validated input is an `I`, and only validated input gets here.
  const erased = spec as unknown as Described<Data>
  return {
    summary: erased.summary,
    description: erased.description,
    keywords: erased.keywords ?? [],
    example: erased.example,
    price: erased.price,
    priceSource: erased.priceSource,
    billing: erased.billing ?? (erased.price.kind === 'unit' || erased.price.kind === 'budget' ? chargedPerUnit : chargedOnResult),
    timeoutMs: erased.timeoutMs,
    untrustedContent: erased.untrustedContent ?? false,
    check: erased.check ?? (() => undefined),
  }
}

/** One request, one answer. */
export function call<S extends TObject, R extends TSchema>(spec: CallSpec<S, R>): CallAction {
  const erased = spec as unknown as CallAction
  return { kind: 'call', ...describe(spec), input: spec.input, reply: spec.reply, request: erased.request, outcome: erased.outcome, inHouse: spec.inHouse }
}

/** Launch once, then one poll at a time until the vendor is finished. */
export function job<S extends TObject, L extends TSchema, R extends TSchema>(spec: JobSpec<S, L, R>): JobAction {
  const erased = spec as unknown as JobAction
  return { kind: 'job', ...describe(spec), input: spec.input, launch: erased.launch, poll: erased.poll, reply: spec.reply, outcome: erased.outcome }
}

/** Passthrough over a listed set of upstream paths: `endpoint` names the path, its own parameters stand beside it. */
export function endpoint<R extends TSchema>(spec: EndpointSpec<R>): EndpointAction {
  const byPath = new Map(spec.endpoints.map((entry) => [entry.endpoint, entry]))
  const erased = spec as unknown as EndpointAction
  return {
    kind: 'endpoint',
    ...describe(spec),
    input: endpointInput(spec.endpoints),
    endpoints: spec.endpoints,
    reply: spec.reply,
    priceFor: ({ endpoint: path }) => endpointPrice(erased.price, byPath.get(String(path))),
    outcome: erased.outcome,
    request: ({ endpoint: path, ...rest }) => {
      const method = byPath.get(String(path))?.method ?? 'GET'
      return method === 'POST' ? post(String(path), rest) : get(String(path), rest as Record<string, QueryValue>)
    },
  }
}

/** An action that the gateway does itself, with a handler that `start` hands in. */
export function local<S extends TObject>(spec: LocalSpec<S>): LocalAction {
  return { kind: 'local', ...describe(spec), input: spec.input, handler: spec.handler, uses: spec.uses ?? [], running: undefined }
}

/** The same, as a durable job: its budget is held at submit and a worker does the work. */
export function localJob<S extends TObject>(spec: LocalJobSpec<S>): LocalAction {
  return { ...local(spec), running: spec.running }
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
} as const

function endpointInput(entries: readonly EndpointEntry[]): TSchema {
  const branch = (entry: EndpointEntry) => ({
    type: 'object',
    title: entry.summary,
    additionalProperties: false,
    required: ['endpoint', ...entry.params.filter(({ required }) => required).map(({ name }) => name)],
    properties: {
      endpoint: { const: entry.endpoint },
      ...Object.fromEntries(entry.params.map(({ name, type, description }) => [name, { ...ENDPOINT_PARAM_TYPES[type], ...(description === undefined ? {} : { description }) }])),
    },
  })
  // `discriminator` lets the validator pick the branch by path, so that a mistake is told for that endpoint alone.
  return Type.Unsafe<Data>({ type: 'object', required: ['endpoint'], discriminator: { propertyName: 'endpoint' }, oneOf: entries.map(branch) })
}
