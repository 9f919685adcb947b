/**
 * The vocabulary of the catalog. A service is data: one record per action states its input, price, billing rule,
 * wire request and outcome, and everything published about the action (index, descriptor, OpenAPI, discovery,
 * catalog page) is derived from the record that also executes it. Files in `services/` do no I/O and read no
 * clock and no environment.
 *
 * Input is parsed strictly, a vendor's reply leniently: unknown fields of a reply travel on unchanged.
 */
import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import { invariant } from '../../errors/app-error.ts'
import type {
  ActionBase,
  CallAction,
  Demands,
  EndpointAction,
  EndpointEntry,
  JobAction,
  LocalAction,
  Measure,
  MerchantSource,
  OpenSource,
  Ownership,
  PaidTime,
  Progress,
  Service,
  SessionMeter,
  Source,
} from './action.ts'
import type { Micros } from '../../lib/money.ts'
import type { KeptField } from './kept-field.ts'
import type { Merchant } from './merchant.ts'
import type { Data, Outcome } from './outcome.ts'
import {
  type Billing,
  type BudgetPrice,
  chargedOnResult,
  chargedPerUnit,
  flat,
  type Price,
} from './tariff.ts'
import {
  get,
  post,
  type QueryValue,
  type Reply,
  type Vendor,
  type VendorLimits,
  type WireRequest,
} from './wire.ts'
import { anyAddress, type AddressCheck } from '../validate/web-address.ts'

export { isLaunched, meterOf, paidTimeOf } from './action.ts'
export type {
  Action,
  ActionBase,
  CallAction,
  EndpointAction,
  EndpointEntry,
  EndpointParam,
  JobAction,
  LocalAction,
  Measure,
  MerchantSource,
  OpenSource,
  Ownership,
  Progress,
  Service,
  Source,
} from './action.ts'

type Described<I> = {
  /** One sentence: what the caller gets. */
  readonly summary: string
  readonly description?: string
  /** Words that people use for this and that stand nowhere else in the record; for discovery. */
  readonly keywords?: readonly string[]
  /** A valid input; fields with defaults may be left out, as a caller would, but for those that decide the price. */
  readonly example: Partial<I>
  /** Parameters that stand in the example for what an earlier call answered, which their descriptions name. What `ownership` asks for is known to be such. */
  readonly exampleNeeds?: readonly (keyof I & string)[]
  readonly price: Price<I>
  /** The price of inputs for which `price` is not the rule. */
  readonly exceptionalPrice?: (input: I) => Price<I> | undefined
  /** The least that a useful call is charged, where the price alone does not say it: below a cap, within a budget, by an exception. */
  readonly leastCharge?: Micros
  /** Where the price comes from, with its date. */
  readonly priceSource?: string
  readonly billing?: Billing
  readonly timeoutMs: number
  /** 202 where the answer says that something was accepted which comes later; 200 when left out. */
  readonly answerStatus?: 200 | 202
  /** The answer carries text that strangers wrote: it is marked so that agents do not obey it. */
  readonly untrustedContent?: boolean
  /** Fields of the answer that hold files: kept among the account's files before the call is settled, and linked from there. */
  readonly keeps?: readonly KeptField[]
  /** Answers are kept for as long as results of jobs, and carry `transaction_id`, by which they can be read again. */
  readonly isReplayable?: true
  /** Rules between fields that a schema cannot say. Throws AppError; runs before any hold. */
  readonly check?: (input: I, checkAddress: AddressCheck) => void
}

/** How one vendor is asked, and what its answer means. */
type SourceSpec<I, R extends TSchema> = {
  /** `held` is the most that the call may cost, for a vendor that is told it or names its price first; in a step of a composite it is undefined. */
  readonly request: (input: I, held?: Micros) => WireRequest
  /** Further requests, each made of the answer before it; null: there is nothing more to ask. May throw AppError. */
  readonly further?: readonly ((reply: Reply, input: I, held?: Micros) => WireRequest | null)[]
  /** The least that the outcome needs of the last reply's body. An answer without it is an upstream failure. */
  readonly reply: R
  readonly outcome: (reply: Reply<Static<R>>, input: I) => Outcome
}

/** A free public source that does an action's job: asked when the operator set no key of the action's own vendor. */
type OpenSourceSpec<I, R extends TSchema> = SourceSpec<I, R> & {
  readonly vendor: Vendor
  /** What it cannot do of what the action takes. Throws AppError; judged before any hold, where it is the source that will be asked. */
  readonly check?: (input: I) => void
  readonly demands?: Demands
}

/** A merchant that sells what the action does. What is left out is as the action's own vendor has it. */
type MerchantSpec<I> = {
  readonly at: Merchant
  /** Whether it sells what this input asks for; everything when left out. */
  readonly sells?: (input: I) => boolean
  readonly request?: (input: I) => WireRequest
  readonly further?: Source['further']
  readonly reply?: TSchema
  readonly outcome?: (reply: Reply, input: I) => Outcome
}

type CallSpec<S extends TObject, R extends TSchema, O extends TSchema> = Described<Static<S>> &
  SourceSpec<Static<S>, R> & {
    readonly input: S
    readonly paidTime?: PaidTime
    /** Paid for each call from the operator's wallet; the caller is charged what the merchant was paid, the price is the cap. */
    readonly merchant?: MerchantSpec<Static<S>>
    readonly openSource?: OpenSourceSpec<Static<S>, O>
    readonly ownership?: Ownership<Static<S>>
    /** Name of the in-house lane's handler, where the gateway truly does the job itself. */
    readonly inHouse?: string
    /** Where the vendor limits this action by itself. */
    readonly limits?: VendorLimits
  }

type JobSpec<
  S extends TObject,
  L extends TSchema,
  R extends TSchema,
  D extends TSchema,
> = Described<Static<S>> & {
  readonly input: S
  /** For inputs that the vendor answers at once, in place of all that is said about jobs. */
  readonly directly?: SourceSpec<Static<S>, D> & { readonly when: (input: Static<S>) => boolean }
  readonly measure?: Measure<Static<S>>
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
    /** Whether what was delivered so far is all that this input may pay for: the vendor is then told to stop. */
    readonly isEnough?: (reply: Reply<Static<R>>, input: Static<S>) => boolean
    readonly stop?: (reference: string) => WireRequest
    /** Asked once it has finished, where the vendor keeps what came of it in a place of its own; the outcome reads that reply. */
    readonly result?: (reference: string) => WireRequest
  }
  readonly reply: R
  readonly outcome: (reply: Reply<Static<R>>, input: Static<S>) => Outcome
}

type EndpointSpec<R extends TSchema> = Described<Data> & {
  readonly endpoints: readonly EndpointEntry[]
  readonly merchant?: MerchantSpec<Data>
  readonly reply: R
  readonly outcome: (reply: Reply<Static<R>>, input: Data) => Outcome
  /** The vendor's wire, where it is not the path itself with its parameters as query or JSON. */
  readonly request?: (entry: EndpointEntry, parameters: Data, held?: Micros) => WireRequest
  readonly further?: Source['further']
}

type LocalSpec<S extends TObject> = Described<Static<S>> & {
  readonly input: S
  /** Name of the handler that `start` hands in. */
  readonly handler: string
  /** Actions that it may invoke, as "service/action": it is live when one of them is. */
  readonly uses?: readonly string[]
  /** Those that may serve this input, at least one of which must be live; all of `uses` when left out. */
  readonly needs?: (input: Static<S>) => readonly string[]
  /** The service's own vendor does it, through the handler. */
  readonly atVendor?: true
}

type LocalJobSpec<S extends TObject> = Omit<LocalSpec<S>, 'price'> & {
  readonly price: BudgetPrice<Static<S>>
  /** Deep jobs count towards the few that an account may have running. */
  readonly running: 'deep' | 'unlimited'
}

export function defineService(
  service: Omit<Service, 'vendor'> & { readonly vendor?: Vendor },
): Service {
  return { ...service, vendor: service.vendor }
}

/** An object schema that takes no field beyond those named. */
export function params<P extends TProperties>(
  properties: P,
  options: Readonly<Record<string, unknown>> = {},
): TObject<P> {
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
    exampleNeeds: erased.exampleNeeds ?? [],
    price: erased.price,
    priceFor: (input) => erased.exceptionalPrice?.(input) ?? erased.price,
    leastCharge: erased.leastCharge,
    priceSource: erased.priceSource,
    billing:
      erased.billing ??
      (erased.price.kind === 'flat' || erased.price.kind === 'computed'
        ? chargedOnResult
        : chargedPerUnit),
    timeoutMs: erased.timeoutMs,
    answerStatus: erased.answerStatus ?? 200,
    untrustedContent: erased.untrustedContent ?? false,
    keeps: erased.keeps ?? [],
    isReplayable: erased.isReplayable ?? false,
    check: (input, checkAddress = anyAddress) => erased.check?.(input, checkAddress),
  }
}

/** One request, one answer. */
export function call<S extends TObject, R extends TSchema, O extends TSchema = TSchema>(
  spec: CallSpec<S, R, O>,
): CallAction {
  const erased = spec as unknown as CallAction
  const { example, ownership } = erased
  const asked = ownership?.asksFor?.(example)
  const needs =
    asked === undefined
      ? spec.exampleNeeds
      : [
          ...(spec.exampleNeeds ?? []),
          ...Object.keys(example).filter((name) => example[name] === asked),
        ]
  return {
    kind: 'call',
    ...describe(spec),
    exampleNeeds: needs ?? [],
    ...sourceOf(erased),
    input: spec.input,
    paidTime: spec.paidTime,
    merchant: merchantOf(spec.merchant, erased),
    openSource: erased.openSource,
    ownership,
    inHouse: spec.inHouse,
    limits: spec.limits,
  }
}

function sourceOf({ request, further, reply, outcome }: Source): Source {
  return { request, reply, outcome, ...(further === undefined ? {} : { further }) }
}

function merchantOf<I>(spec: MerchantSpec<I> | undefined, own: Source): MerchantSource | undefined {
  if (spec === undefined) return undefined
  const {
    at,
    sells = () => true,
    request,
    further,
    reply = own.reply,
    outcome = own.outcome,
  } = spec as unknown as MerchantSpec<Data>
  // Requests that follow belong to the one before them.
  const next = request === undefined ? (further ?? own.further) : further
  return {
    at,
    sells,
    request: request ?? own.request,
    reply,
    outcome,
    ...(next === undefined ? {} : { further: next }),
  }
}

/** A free public source of an endpoint, with its types erased. Its requests take the parameters beside `endpoint`, and `endpoint` itself. */
export function openSource<R extends TSchema>(spec: OpenSourceSpec<Data, R>): OpenSource {
  const erased = spec as unknown as OpenSource
  return {
    ...sourceOf(erased),
    vendor: spec.vendor,
    ...(erased.check === undefined ? {} : { check: erased.check }),
  }
}

/** Launch once, then one poll at a time until the vendor is finished. */
export function job<
  S extends TObject,
  L extends TSchema,
  R extends TSchema,
  D extends TSchema = TSchema,
>(spec: JobSpec<S, L, R, D>): JobAction {
  const erased = spec as unknown as JobAction
  return {
    kind: 'job',
    ...describe(spec),
    input: spec.input,
    directly: erased.directly,
    measure: erased.measure,
    launch: erased.launch,
    poll: erased.poll,
    reply: spec.reply,
    outcome: erased.outcome,
  }
}

/** Passthrough over a listed set of upstream paths: `endpoint` names the path, its own parameters stand beside it. */
export function endpoint<R extends TSchema>(spec: EndpointSpec<R>): EndpointAction {
  const byPath = new Map(spec.endpoints.map((entry) => [entry.endpoint, entry]))
  const erased = spec as unknown as EndpointAction
  const requestAs =
    (make: (entry: EndpointEntry, parameters: Data, held?: Micros) => WireRequest) =>
    ({ endpoint: path, ...rest }: Data, held?: Micros): WireRequest => {
      const entry = byPath.get(String(path))
      invariant(entry !== undefined, `${String(path)} is a listed endpoint`)
      return make(entry, rest, held)
    }
  return {
    kind: 'endpoint',
    ...describe(spec),
    input: endpointInput(spec.endpoints),
    endpoints: spec.endpoints,
    // Merchants sell the paths as they are listed.
    merchant: merchantOf(spec.merchant, {
      request: requestAs(pathRequest),
      reply: spec.reply,
      outcome: erased.outcome,
    }),
    reply: spec.reply,
    entryFor: ({ endpoint: path }) => byPath.get(String(path)),
    // The price of the endpoint that the input names; the action's own where the endpoint has none.
    priceFor: ({ endpoint: path }) => endpointPrice(spec.price, byPath.get(String(path))),
    outcome: erased.outcome,
    request: requestAs(spec.request ?? pathRequest),
    ...(spec.further === undefined ? {} : { further: spec.further }),
  }
}

/** The path itself: parameters that it names are filled in, the others become the query or the JSON body. */
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

/** An action that the gateway does itself, with a handler that `start` hands in. */
export function local<S extends TObject>(spec: LocalSpec<S>): LocalAction {
  const { uses = [], needs = () => uses } = spec as unknown as LocalSpec<TObject>
  return {
    kind: 'local',
    ...describe(spec),
    input: spec.input,
    handler: spec.handler,
    uses,
    needs,
    running: undefined,
    atVendor: spec.atVendor ?? false,
    meter: undefined,
  }
}

/** The same, as a durable job: its budget is held at submit and a worker does the work. */
export function localJob<S extends TObject>(spec: LocalJobSpec<S>): LocalAction {
  return { ...local(spec), running: spec.running }
}

/** An action that opens a compute session at the service's vendor. */
export function opensSession<S extends TObject>(
  spec: Omit<LocalSpec<S>, 'handler' | 'uses' | 'needs' | 'atVendor'> & {
    readonly meter: SessionMeter
  },
): LocalAction {
  return { ...local({ ...spec, handler: 'sessions.open', atVendor: true }), meter: spec.meter }
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

function endpointInput(entries: readonly EndpointEntry[]): TSchema {
  const branch = (entry: EndpointEntry) => ({
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
  })
  // `discriminator` lets the validator pick the branch by path, so that a mistake is told for that endpoint alone.
  return Type.Unsafe<Data>({
    type: 'object',
    required: ['endpoint'],
    discriminator: { propertyName: 'endpoint' },
    oneOf: entries.map(branch),
  })
}
