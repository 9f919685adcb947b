/** The types that all stages of a call share. */
import type { CassetteUse } from '../cassettes/cassette.ts'
import type { Entry } from '../catalog/index.ts'
import type { Caller } from '../keys/caller.ts'
import type { CallingApp, HoldWait, WalletState } from '../ledger/hold.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Id } from '../lib/ids.ts'
import type { Micros } from '../lib/money.ts'
import type { Surface } from '../lib/surface.ts'
import type { OwnBrowsers } from '../resources/browsers/in-house/own-browsers.ts'
import type { StoredAnswer } from './idempotency/answers.ts'
import type { Cancellation } from './perform/cancellation.ts'
import type { PerformDeps } from './perform/call-scope.ts'
import type { LoopWatch } from './loops/loop-watch.ts'
import type { RequestEnd } from './perform/request-end.ts'
import type { PricedInput } from './quote/apply-max-cost.ts'
import type { CheckedInput } from './quote/read-input.ts'
import type { TallyDeps } from './tally-call.ts'

export type Calls = PerformDeps &
  TallyDeps & {
    readonly ledger: Ledger
    /** `runCall` uses the first way that takes a call. */
    readonly ways: readonly Way[]
    /** Without it no call gets advice about repetitions, and none is stopped. */
    readonly loops?: LoopWatch
    /** The browsers of this machine. Without them only a vendor opens browser sessions. */
    readonly browsers?: OwnBrowsers
  }

/** How one kind of call is held, carried out and charged. */
export type Way = {
  readonly takes: (call: Call) => boolean
  readonly run: (calls: Calls, call: Call) => Promise<CallAnswer>
}

/** How long a call waits for money that other calls hold. */
export type CallWait = HoldWait

/** An idempotency key with the fingerprints of its request, also the one of versions before 0.1.0. */
export type Idempotency = {
  readonly key: string
  readonly fingerprint: string
  readonly formerFingerprint?: string
}

export type CallRequest = {
  /** A version 7 UUID. The request, its hold and its transaction share it. */
  readonly id: Id
  readonly caller: Caller
  readonly service: string
  readonly action: string
  readonly body: unknown
  readonly idempotency: Idempotency | null
  /** Aborts when the caller leaves. A free call ends then. A paid call continues, and its answer is stored under its idempotency key. */
  readonly gone?: AbortSignal
  /** Ends a paid call until its first vendor request. Without it the call continues when the caller leaves. */
  readonly cancellation?: Cancellation
  /** When the caller stops waiting. No vendor request starts after it; one in flight continues. */
  readonly endsMs?: RequestEnd
  /** How long the call waits for money that other calls hold. By default it does not wait. */
  readonly wait?: CallWait
  /** The most characters of the answer, unless the body has `max_chars`. By default there is no limit. */
  readonly maxChars?: number
  /** The app that made the call, which the transaction shows. */
  readonly app?: CallingApp | undefined
  /** Where the call arrived. Undefined: the HTTP API, or for language models the router. */
  readonly surface?: Surface | undefined
  /** The cassette that replays or records the call. */
  readonly cassette?: CassetteUse | undefined
  /** The caller has no account and paid for this call alone. */
  readonly isSold?: boolean
}

/** A validated request at its price. */
export type Call = Quote & { readonly request: CallRequest; readonly entry: Entry }

/** The input as it is carried out, and the amount to hold for it. */
export type Quote = PricedInput &
  Pick<CheckedInput, 'maxCost' | 'webhookUrl' | 'maxChars' | 'confirmLoop'>

/** A successful answer, ready to be sent. */
export type CallAnswer = StoredAnswer & {
  readonly charged: Micros
  readonly wallet: WalletState | null
  readonly replayed: boolean
}
