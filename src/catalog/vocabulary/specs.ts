/** The typed form of each kind of action, as a record writes it. */
import type { Static, TObject, TSchema } from '../../lib/schema.ts'
import type { Micros } from '../../lib/money.ts'
import type { AddressCheck } from '../validate/web-address.ts'
import type {
  Demands,
  EndpointEntry,
  EndpointGroups,
  JobInHouse,
  Measure,
  Ownership,
  PaidTime,
  Progress,
  SessionMeter,
  Source,
} from './action.ts'
import type { Ended } from './fields.ts'
import type { FileField } from './file-field.ts'
import type { Merchant } from './merchant.ts'
import type { Data, Outcome } from './outcome.ts'
import type { ProxyNeed } from './action.ts'
import type { Billing, BudgetPrice, Price } from './tariff.ts'
import type { Reply, Vendor, VendorLimits, WireRequest } from './wire.ts'

/** The part that all kinds of action share. `I` is the validated input. */
export type Described<I> = {
  /** The name for people, in a few words. Made from the summary by default. */
  readonly title?: string
  /** One sentence: the result that the caller gets. */
  readonly summary: string
  readonly description?: string
  /** Search words for discovery that appear nowhere else in the record. */
  readonly keywords?: readonly string[]
  /** A valid input. It may omit fields with a default unless they decide the price. */
  readonly example: Partial<I>
  /** Parameters of the example that come from an earlier call. Ids in `ownership` need no entry. */
  readonly exampleNeeds?: readonly (keyof I & string)[]
  readonly price: Price<I>
  /** The price of inputs to which `price` does not apply. */
  readonly exceptionalPrice?: (input: I) => Price<I> | undefined
  /** The minimum charge of a useful call, if a cap, a budget or an exception hides it. */
  readonly leastCharge?: Micros
  /** The source of the price, with its date. */
  readonly priceSource?: string
  readonly billing?: Billing
  readonly timeoutMs: number
  /** 202 when the result comes later; 200 by default. */
  readonly answerStatus?: 200 | 202
  /** The answer contains text by third parties. It is marked so that agents do not obey it. */
  readonly untrustedContent?: boolean
  /** Fields of the answer that contain files. The gateway stores them and returns links. */
  readonly fileFields?: readonly FileField[]
  /** The gateway stores the answer as long as a job's result, readable by its `transaction_id`. */
  readonly isReplayable?: true
  /**
   * A repeated request buys, sends or starts something again. If the vendor's answer is lost, the
   * call fails with `order_unknown` instead of a retryable error. Implied for jobs and for actions
   * with a `createdId`.
   */
  readonly isOrder?: true
  /** Rules between fields that a schema cannot express. Runs before the hold. Throws AppError. */
  readonly check?: (input: I, checkAddress: AddressCheck) => void
}

/** The requests to one vendor and the interpretation of its reply. */
export type SourceSpec<I, R extends TSchema> = {
  /** `held` is the most that the call may cost; undefined in a step of a multi-source action. */
  readonly request: (input: I, held?: Micros) => WireRequest
  /** Requests that follow, each made from the reply before it. Null ends them. May throw AppError. */
  readonly followUps?: readonly ((reply: Reply, input: I, held?: Micros) => WireRequest | null)[]
  /** The fields of the last reply that `outcome` needs. A reply without them is a vendor failure. */
  readonly reply: R
  readonly outcome: (reply: Reply<Static<R>>, input: I) => Outcome
}

/** A free public source that serves an action while its vendor's key is not set. */
export type OpenSourceSpec<I, R extends TSchema> = SourceSpec<I, R> & {
  readonly vendor: Vendor
  /** Rejects input that this source does not support. Runs before the hold. Throws AppError. */
  readonly check?: (input: I) => void
  readonly demands?: Demands
}

/** A merchant that sells the same action. Omitted fields are those of the action itself. */
export type MerchantSpec<I> = {
  readonly at: Merchant
  /** Whether the merchant supports this input; true by default. */
  readonly sells?: (input: I) => boolean
  readonly request?: (input: I) => WireRequest
  readonly followUps?: Source['followUps']
  readonly reply?: TSchema
  readonly outcome?: (reply: Reply, input: I) => Outcome
}

export type CallSpec<S extends TObject, R extends TSchema, O extends TSchema> = Described<
  Static<S>
> &
  SourceSpec<Static<S>, R> & {
    readonly input: S
    readonly paidTime?: PaidTime
    /** Paid per call from the operator's wallet. The caller pays the same, up to the price. */
    readonly merchant?: MerchantSpec<Static<S>>
    readonly openSource?: OpenSourceSpec<Static<S>, O>
    readonly ownership?: Ownership<Static<S>>
    /** The handler of the in-house lane, if the gateway does the job itself. */
    readonly inHouse?: string
    /** The handler needs a language model of the router. */
    readonly inHouseNeedsModel?: true
    /** The word in IN_HOUSE that enables the handler. */
    readonly inHousePart?: string
    /** The kind of the operator's proxies that the handler needs. */
    readonly inHouseNeedsProxy?: ProxyNeed
    /** Rejects input that the handler does not support. Runs before the hold. Throws AppError. */
    readonly inHouseCheck?: (input: Static<S>) => void
    /** Input that only the in-house handler supports, so that it serves it even with a vendor key. */
    readonly isOnlyInHouse?: (input: Static<S>) => boolean
    /**
     * The in-house lane serves calls, but no steps of multi-source actions: these try the same reader
     * under another name.
     */
    readonly isInHouseForCallsOnly?: true
    /** Limits of this action, instead of the vendor's general limits. */
    readonly limits?: VendorLimits
  }

export type JobSpec<
  S extends TObject,
  L extends TSchema,
  R extends TSchema,
  D extends TSchema,
> = Described<Static<S>> & {
  readonly input: S
  /** For inputs that the vendor answers immediately. Replaces the job. */
  readonly directly?: SourceSpec<Static<S>, D> & { readonly when: (input: Static<S>) => boolean }
  readonly measure?: Measure<Static<S>>
  /** The input that this machine performs instead of the vendor. */
  readonly inHouse?: JobInHouse
  readonly launch: {
    readonly request: (input: Static<S>) => WireRequest
    readonly reply: L
    /** The vendor's id of the job. */
    readonly reference: (reply: Reply<Static<L>>) => string
  }
  readonly poll: {
    readonly request: (reference: string) => WireRequest
    readonly progress: (reply: Reply<Static<R>>) => Progress
    readonly everySeconds: number
    readonly giveUpAfterSeconds: number
    /** Whether the results so far use up the hold. If so, the gateway sends `stop`. */
    readonly isEnough?: (reply: Reply<Static<R>>, input: Static<S>) => boolean
    readonly stop?: (reference: string) => WireRequest
    /** Fetches the result of a finished job from a separate address; `outcome` reads that reply. */
    readonly result?: (reference: string) => WireRequest
  }
  readonly reply: R
  readonly outcome: (reply: Reply<Static<R>>, input: Static<S>) => Outcome
}

export type EndpointSpec<R extends TSchema> = Described<Data> & {
  readonly endpoints: readonly EndpointEntry[]
  /** Paths that the vendor removed. */
  readonly ended?: Ended
  /** Groups of the paths for people: the first pattern that a path matches names its group. */
  readonly groups?: EndpointGroups
  readonly merchant?: MerchantSpec<Data>
  readonly reply: R
  readonly outcome: (reply: Reply<Static<R>>, input: Data) => Outcome
  /** By default the request is the path with its parameters as query or JSON. */
  readonly request?: (entry: EndpointEntry, parameters: Data, held?: Micros) => WireRequest
  readonly followUps?: Source['followUps']
}

export type LocalSpec<S extends TObject> = Described<Static<S>> & {
  readonly input: S
  /** The name of the handler. `src/app/wiring/handlers.ts` provides it. */
  readonly handler: string
  /** Actions that the handler may invoke, as "service/action". At least one must be live. */
  readonly uses?: readonly string[]
  /** The actions that may serve this input. At least one must be live. All of `uses` by default. */
  readonly needs?: (input: Static<S>) => readonly string[]
  /** The handler calls the service's own vendor. */
  readonly atVendor?: true
}

export type LocalJobSpec<S extends TObject> = Omit<LocalSpec<S>, 'price'> & {
  readonly price: BudgetPrice<Static<S>>
  /** An account may run only a few deep jobs at the same time. */
  readonly running: 'deep' | 'unlimited'
}

export type SessionSpec<S extends TObject> = Omit<
  LocalSpec<S>,
  'handler' | 'uses' | 'needs' | 'atVendor'
> & { readonly meter: SessionMeter }
