/**
 * What a record of the catalog is once it is defined: its types are erased, so that one piece of code serves every
 * action. Functions take what validation has passed. Records are written with the words of `define.ts`.
 */
import type { TSchema } from 'typebox'
import type { ErrorCode } from '../../errors/catalog.ts'
import type { Micros } from '../../lib/money.ts'
import type { KeptField } from './kept-field.ts'
import type { MediaModels } from './media-model.ts'
import type { Merchant } from './merchant.ts'
import type { Data, Failed, Measured, Outcome } from './outcome.ts'
import type { Billing, Price } from './tariff.ts'
import type { Reply, Vendor, VendorLimits, WireRequest } from './wire.ts'
import type { AddressCheck } from '../validate/web-address.ts'

export type ActionBase = {
  readonly summary: string
  readonly description: string | undefined
  readonly keywords: readonly string[]
  readonly input: TSchema
  readonly example: Data
  /** Parameters that stand in the example for what an earlier call answered: whoever copies it puts in their own. */
  readonly exampleNeeds: readonly string[]
  readonly price: Price<Data>
  /** The price of this very input: `price` but for the exceptions. */
  readonly priceFor: (input: Data) => Price<Data>
  /** The least that a useful call is charged, where the price alone does not say it. */
  readonly leastCharge: Micros | undefined
  readonly priceSource: string | undefined
  readonly billing: Billing
  readonly timeoutMs: number
  /** 202 where the answer says that something was accepted which comes later. */
  readonly answerStatus: 200 | 202
  readonly untrustedContent: boolean
  /** Fields of the answer that hold files, which are kept for the account. */
  readonly keeps: readonly KeptField[]
  /** Its answers are kept, and name the transaction by which they can be read again. */
  readonly isReplayable: boolean
  /** `checkAddress` left out: the addresses that the input names are not looked at. */
  readonly check: (input: Data, checkAddress?: AddressCheck) => void
}

/** How one vendor is asked, and what its answer means. */
export type Source = {
  readonly request: (input: Data, held?: Micros) => WireRequest
  readonly further?: readonly ((reply: Reply, input: Data, held?: Micros) => WireRequest | null)[]
  readonly reply: TSchema
  readonly outcome: (reply: Reply, input: Data) => Outcome
}

/** `when` is asked of any input that fits the schema, before `check`. May throw AppError, as `check` would. */
export type DirectSource = Source & { readonly when: (input: Data) => boolean }

export type OpenSource = Source & {
  readonly vendor: Vendor
  /** What it cannot do of what the action takes. Throws AppError; judged before any hold, where it is the source that will be asked. */
  readonly check?: (input: Data) => void
  readonly demands?: Demands
}

/** What a source demands that the action's own vendor does not: published while it is the one that answers. Its `check` refuses an input without. */
export type Demands = {
  /** Names of which at least one must be there. */
  readonly oneOf: readonly string[]
  /** The same as a sentence. */
  readonly words: string
}

export type MerchantSource = Source & {
  readonly at: Merchant
  readonly sells: (input: Data) => boolean
}

export type CallAction = ActionBase &
  Source & {
    readonly kind: 'call'
    readonly paidTime: PaidTime | undefined
    readonly merchant: MerchantSource | undefined
    readonly openSource: OpenSource | undefined
    readonly ownership: Ownership | undefined
    readonly inHouse: string | undefined
    /** What the vendor asks of this action, in place of its limits for all others. */
    readonly limits: VendorLimits | undefined
  }

export type JobAction = ActionBase & {
  readonly kind: 'job'
  /** Inputs that the vendor answers at once: those are calls like any other, and no jobs. */
  readonly directly: DirectSource | undefined
  readonly measure: Measure | undefined
  readonly launch: {
    readonly request: (input: Data) => WireRequest
    readonly reply: TSchema
    readonly reference: (reply: Reply) => string
  }
  readonly poll: {
    readonly request: (reference: string) => WireRequest
    readonly progress: (reply: Reply) => Progress
    readonly everySeconds: number
    readonly giveUpAfterSeconds: number
    readonly isEnough?: (reply: Reply, input: Data) => boolean
    readonly stop?: (reference: string) => WireRequest
    /** Asked once it has finished, where the vendor keeps what came of it in a place of its own; the outcome reads that reply. */
    readonly result?: (reference: string) => WireRequest
  }
  readonly reply: TSchema
  readonly outcome: (reply: Reply, input: Data) => Outcome
}

/**
 * Asked before a launch, about what decides the price and only the vendor can see, such as the length of a file: what is
 * more than was held for ends here, before it costs anything. The requests make nothing, so they may be repeated.
 */
export type Measure<I = Data> = {
  /** None for an input that needs no measuring. */
  readonly requests: (input: I) => readonly WireRequest[]
  readonly reply: TSchema
  /** What the replies, in the order of the requests, make of the input. */
  readonly measured: (replies: readonly Reply[], input: I) => Measured | Failed
}

/** Whether this input of the action is launched as a job of the vendor's. */
export function isLaunched(action: Action, input: Data): boolean {
  return action.kind === 'job' && action.directly?.when(input) !== true
}

export type EndpointAction = ActionBase &
  Source & {
    readonly kind: 'endpoint'
    readonly merchant: MerchantSource | undefined
    readonly endpoints: readonly EndpointEntry[]
    /** The entry that the input names; validation has seen that there is one. */
    readonly entryFor: (input: Data) => EndpointEntry | undefined
  }

/** How a compute session is metered: by the time that it is open or, with `use`, by what its programs use, whose most is the listed price. */
export type SessionMeter = {
  /** How many of what the price lists an open machine comes to in an hour. */
  readonly unitsAnHour: number
  readonly use?: UseRates
}

/** Prices of a CPU that is busy for an hour, and of a gigabyte of memory in use for one. */
export type UseRates = { readonly cpuHour: Micros; readonly gigabyteHour: Micros }

export type LocalAction = ActionBase & {
  readonly kind: 'local'
  readonly handler: string
  readonly uses: readonly string[]
  /** Of what it uses, what this input asks for: where none of that is live, nothing can be done with it. */
  readonly needs: (input: Data) => readonly string[]
  /** Set when it runs as a durable job: a call submits, and `core/result` tells. `timeoutMs` is the job's deadline. */
  readonly running: 'deep' | 'unlimited' | undefined
  /** The service's own vendor does it, through the handler: it is live where the operator has the vendor's key. */
  readonly atVendor: boolean
  /** It opens a compute session, which is held for and metered from then on: the call itself charges nothing. */
  readonly meter: SessionMeter | undefined
}

export type Action = CallAction | JobAction | EndpointAction | LocalAction

/** How the compute session is metered that the action opens; undefined for one that opens none. */
export function meterOf(action: Action): SessionMeter | undefined {
  return action.kind === 'local' ? action.meter : undefined
}

/**
 * What is done about a session whose minutes are paid in advance. With a key of the operator's its vendor sells no minutes:
 * the gateway does, and asks the vendor in a way of its own; the record tells how its merchant is asked.
 */
export type PaidTime = 'open' | 'extend' | 'tell' | 'release'

export function paidTimeOf(action: Action): PaidTime | undefined {
  return action.kind === 'call' ? action.paidTime : undefined
}

export type Service = {
  readonly id: string
  readonly title: string
  readonly category: string
  readonly vendor: Vendor | undefined
  readonly actions: Readonly<Record<string, Action>>
  /** Set by a service that offers media models. */
  readonly models?: MediaModels
}

/**
 * What a call has to do with things that live on at the vendor (a search, a crawl, a report), where all accounts share
 * the operator's key: each account sees its own alone, and anybody else's as if there were no such thing.
 */
export type Ownership<I = Data> = {
  /** The vendor's name of what this call made. */
  readonly makes?: (reply: Reply) => string | undefined
  /** It stays the account's for good, and not for three months as a job does. */
  readonly lasts?: true
  /** The name that this input gives to what it makes and that `lasts`: refused before anybody is asked or paid when another account has given it. */
  readonly names?: (input: I) => string | undefined
  /** The name that this input asks about; it is refused when the account did not make it. */
  readonly asksFor?: (input: I) => string | undefined
  /** The code of that refusal; unknown_job when left out. */
  readonly unknown?: ErrorCode
  /** The reply without what is not the account's own, for a call that asks for nothing by name and gets everything of the key. */
  readonly lists?: (reply: Reply, isOwn: (name: string) => boolean) => Reply
}

export type Progress =
  | { readonly kind: 'pending' }
  | { readonly kind: 'finished' }
  | { readonly kind: 'failed'; readonly message: string }

/** One upstream path of a passthrough service, as data. `{name}` in it stands for the parameter of that name. */
export type EndpointEntry = {
  readonly endpoint: string
  readonly method: 'GET' | 'POST'
  readonly summary: string
  readonly params: readonly EndpointParam[]
  /** Names of which at least one must be there. */
  readonly oneOf?: readonly string[]
  /** The vendor documents this path in part: parameters beyond those listed are handed on. */
  readonly isOpen?: boolean
  readonly price?: Micros
  /** The least that a useful call of this path is charged, where its price is a cap. */
  readonly leastCharge?: Micros
  /** Parameters of a call that works; the simulated vendor knows them. */
  readonly example?: Data
  /** The vendor of this path, where it is not the service's own. It has a label. */
  readonly vendor?: Vendor
  /** A free public source that answers this path when no vendor key is set. */
  readonly openSource?: OpenSource
  /** Name of the handler that does this path's job in-house. */
  readonly inHouse?: string
  /** What that handler cannot do of what the path takes, as an open source's `check` says it. */
  readonly inHouseCheck?: ((input: Data, checkAddress: AddressCheck) => void) | undefined
}

export type EndpointParam = {
  readonly name: string
  readonly required: boolean
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  readonly description?: string
  /** Further words of JSON Schema: enum, pattern, default, minimum, … */
  readonly limits?: Readonly<Record<string, unknown>>
}
