/**
 * A defined action with its types erased, so that the same code serves every action. Functions take
 * validated input. Records create actions with the functions in `define.ts`.
 */
import type { TSchema } from '../../lib/schema.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import type { Micros } from '../../lib/money.ts'
import type { FileField } from './file-field.ts'
import type { MediaModels } from './media-model.ts'
import type { Merchant } from './merchant.ts'
import type { Data, Failed, Measured, Outcome } from './outcome.ts'
import type { Returns } from './returns.ts'
import type { Billing, Margin, Price, PriceTerms } from './tariff.ts'
import type { Reply, Vendor, VendorLimits, WireRequest } from './wire.ts'
import type { AddressCheck } from '../validate/web-address.ts'

export type ActionBase = {
  /** The name for people, such as "Read web pages". */
  readonly title: string
  readonly summary: string
  readonly description: string | undefined
  readonly keywords: readonly string[]
  readonly input: TSchema
  readonly example: Data
  /** The operator's maximum of parameters. Steps of multi-source actions above it are lowered. */
  readonly countCaps?: Readonly<Record<string, number>>
  /** Parameters of the example that come from an earlier call; the caller replaces them. */
  readonly exampleNeeds: readonly string[]
  readonly price: Price<Data>
  /** The price of one input: an exceptional price, or `price`. */
  readonly priceFor: (input: Data) => Price<Data>
  /** Some inputs have another price than `price`. */
  readonly hasExceptions: boolean
  /** The operator's terms that made `price`, and the action as recorded. */
  readonly terms?: PriceTerms
  readonly unpriced?: Action
  /** The margin on what a vendor or merchant charged. */
  readonly margin?: Margin
  /** Announced prices. Each action differs in its price only. */
  readonly upcoming?: readonly { readonly fromMs: number; readonly action: Action }[]
  /** The minimum charge of a useful call, if the price does not state it. */
  readonly leastCharge: Micros | undefined
  readonly priceSource: string | undefined
  readonly billing: Billing
  readonly timeoutMs: number
  /** 202 when the result comes later. */
  readonly answerStatus: 200 | 202
  readonly untrustedContent: boolean
  /** Fields of the answer that contain files. The gateway stores these files for the account. */
  readonly fileFields: readonly FileField[]
  /** The gateway stores the answer, which contains its `transaction_id`. */
  readonly isReplayable: boolean
  /** A repeated request buys, sends or starts something again. */
  readonly isOrder: boolean
  /** Without `checkAddress`, addresses in the input are not checked. */
  readonly check: (input: Data, checkAddress?: AddressCheck) => void
}

/** The requests to one vendor and the interpretation of its reply. */
export type Source = {
  readonly request: (input: Data, held?: Micros) => WireRequest
  readonly followUps?: readonly ((reply: Reply, input: Data, held?: Micros) => WireRequest | null)[]
  readonly reply: TSchema
  readonly outcome: (reply: Reply, input: Data) => Outcome
}

/** `when` runs before `check`, on any input that fits the schema. Both may throw AppError. */
export type DirectSource = Source & { readonly when: (input: Data) => boolean }

export type OpenSource = Source & {
  readonly vendor: Vendor
  /** Rejects input that this source does not support. Runs before the hold. Throws AppError. */
  readonly check?: (input: Data) => void
  readonly demands?: Demands
}

/** Required by a source but not by the vendor. Published while this source serves the action. */
export type Demands = {
  /** At least one of these parameters is required. */
  readonly oneOf: readonly string[]
  /** The same rule as a sentence. */
  readonly words: string
}

export type MerchantSource = Source & {
  readonly at: Merchant
  readonly sells: (input: Data) => boolean
}

/** The proxies that an in-house reader needs. */
export type ProxyNeed = 'any' | 'datacenter' | 'residential'

export type CallAction = ActionBase &
  Source & {
    readonly kind: 'call'
    readonly paidTime: PaidTime | undefined
    readonly merchant: MerchantSource | undefined
    readonly openSource: OpenSource | undefined
    readonly ownership: Ownership | undefined
    readonly inHouse: string | undefined
    readonly inHouseNeedsModel?: true | undefined
    readonly inHousePart?: string | undefined
    readonly inHouseNeedsProxy?: ProxyNeed | undefined
    readonly inHouseCheck?: ((input: Data, checkAddress: AddressCheck) => void) | undefined
    readonly isOnlyInHouse?: ((input: Data) => boolean) | undefined
    readonly isInHouseForCallsOnly?: true | undefined
    /** Limits of this action, instead of the vendor's general limits. */
    readonly limits: VendorLimits | undefined
  }

export type JobAction = ActionBase & {
  readonly kind: 'job'
  /** For inputs that the vendor answers immediately. Such a call is not a job. */
  readonly directly: DirectSource | undefined
  readonly measure: Measure | undefined
  readonly inHouse: JobInHouse | undefined
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
    /** Fetches the result of a finished job from a separate address; `outcome` reads that reply. */
    readonly result?: (reference: string) => WireRequest
  }
  readonly reply: TSchema
  readonly outcome: (reply: Reply, input: Data) => Outcome
}

/** The part of a job action that this machine performs, such as its own models. */
export type JobInHouse = {
  /** The word in IN_HOUSE that enables it. */
  readonly part: string
  /** All handlers, each with an example for gateways without the vendor's key. In order of preference. */
  readonly examples: Readonly<Record<string, Data>>
  /** The handler that alone performs this input; undefined for input of the vendor. Takes any input that fits the schema and may throw AppError. */
  readonly handlerFor: (input: Data) => string | undefined
}

/**
 * Requests sent before a launch to find out a value that decides the price, such as the length of a
 * file. Input that needs more than the hold fails here, at no cost. The requests are repeatable.
 */
export type Measure<I = Data> = {
  /** Empty for input that needs no measuring. */
  readonly requests: (input: I) => readonly WireRequest[]
  readonly reply: TSchema
  /** Takes the replies in the order of the requests. */
  readonly measured: (replies: readonly Reply[], input: I) => Measured | Failed
}

/** Whether some input of the action runs as a job. */
export function canBeJob(action: Action): boolean {
  return action.kind === 'job' || (action.kind === 'local' && action.running !== undefined)
}

/** Whether the vendor runs this input as a job. */
export function isLaunched(action: Action, input: Data): boolean {
  return action.kind === 'job' && action.directly?.when(input) !== true
}

export type EndpointAction = ActionBase &
  Source & {
    readonly kind: 'endpoint'
    readonly merchant: MerchantSource | undefined
    readonly endpoints: readonly EndpointEntry[]
    readonly groups: EndpointGroups
    /** The entry that the input names. Always defined for validated input. */
    readonly entryFor: (input: Data) => EndpointEntry | undefined
  }

/** Patterns of paths with the name of their group. */
export type EndpointGroups = readonly (readonly [path: RegExp, group: string])[]

/** Meters a compute session by open time or, with `use`, by usage up to the listed price. */
export type SessionMeter = {
  /** Price units that an open machine uses in one hour. */
  readonly unitsPerHour: number
  readonly use?: UseRates
}

/** Prices of one busy CPU hour and of one used gigabyte hour of memory. */
export type UseRates = { readonly cpuHour: Micros; readonly gigabyteHour: Micros }

export type LocalAction = ActionBase & {
  readonly kind: 'local'
  readonly handler: string
  readonly uses: readonly string[]
  /** The actions of `uses` that may serve this input. At least one must be live. */
  readonly needs: (input: Data) => readonly string[]
  /** Set for a durable job: a call submits it, `core/result` returns it, `timeoutMs` limits it. */
  readonly running: 'deep' | 'unlimited' | undefined
  /** The handler calls the service's own vendor, so the action needs the operator's vendor key. */
  readonly atVendor: boolean
  /** Set when the action opens a compute session. The call is free; the session is metered. */
  readonly meter: SessionMeter | undefined
}

export type Action = CallAction | JobAction | EndpointAction | LocalAction

/** The meter of the compute session that the action opens, if it opens one. */
export function meterOf(action: Action): SessionMeter | undefined {
  return action.kind === 'local' ? action.meter : undefined
}

/**
 * The step that an action performs on a session with prepaid minutes. A merchant sells the minutes
 * itself. Under the operator's vendor key the gateway sells them and calls the vendor differently.
 */
export type PaidTime = 'open' | 'extend' | 'inspect' | 'release'

export function paidTimeOf(action: Action): PaidTime | undefined {
  return action.kind === 'call' ? action.paidTime : undefined
}

export type Service = {
  readonly id: string
  readonly title: string
  readonly category: string
  readonly vendor: Vendor | undefined
  readonly actions: Readonly<Record<string, Action>>
  /** The shape of the answers, by action and by path of a passthrough. */
  readonly returns?: Returns
  /** Set by a service that offers media models. */
  readonly models?: MediaModels
}

/**
 * Separates the accounts at a vendor, where all of them share the operator's key. A call reaches
 * searches, crawls and reports of its own account only; any other id counts as unknown.
 */
export type Ownership<I = Data> = {
  /** The vendor's id of the object that the call created. */
  readonly createdId?: (reply: Reply) => string | undefined
  /** The object belongs to the account permanently, instead of for three months. */
  readonly isPermanent?: true
  /**
   * The name that the input gives to a permanent object. If another account has taken it, the call
   * fails before a vendor is called or paid.
   */
  readonly chosenName?: (input: I) => string | undefined
  /** The in-house handler itself rejects names that are taken. */
  readonly inHouseChecksNames?: true
  /** The id that the input refers to. The call fails unless the account created it. */
  readonly targetId?: (input: I) => string | undefined
  /** The code of that failure; unknown_job by default. */
  readonly unknownCode?: ErrorCode
  /** Removes the objects of other accounts from a listing of everything under the key. */
  readonly filterList?: (reply: Reply, isOwn: (id: string) => boolean) => Reply
}

export type Progress =
  | { readonly kind: 'pending' }
  | { readonly kind: 'finished' }
  | { readonly kind: 'failed'; readonly message: string }

/** One upstream path of a passthrough service. `{name}` stands for the parameter of that name. */
export type EndpointEntry = {
  readonly endpoint: string
  readonly method: 'GET' | 'POST'
  readonly summary: string
  readonly params: readonly EndpointParam[]
  /** At least one of these parameters is required. */
  readonly oneOf?: readonly string[]
  /** The vendor's documentation is incomplete: unlisted parameters are passed through. */
  readonly isOpen?: boolean
  readonly price?: Micros
  /** The minimum charge of a useful call, if `price` is a cap. */
  readonly leastCharge?: Micros
  /** Parameters of a call that succeeds, also with the simulated vendor. */
  readonly example?: Data
  /** The vendor of this path, if it is not the service's own. It has a label. */
  readonly vendor?: Vendor
  /** A free public source that serves this path while no vendor key is set. */
  readonly openSource?: OpenSource
  /** The handler that does this path's job in-house. */
  readonly inHouse?: string
  /** Rejects input that the handler does not support, like the `check` of an open source. */
  readonly inHouseCheck?: ((input: Data, checkAddress: AddressCheck) => void) | undefined
}

export type EndpointParam = {
  readonly name: string
  readonly required: boolean
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  readonly description?: string
  /** JSON Schema keywords such as enum, pattern, default and minimum. */
  readonly limits?: Readonly<Record<string, unknown>>
}
