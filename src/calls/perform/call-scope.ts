import type { Catalog, Entry } from '../../catalog/index.ts'
import type { Validator } from '../../catalog/validate/validate.ts'
import type { AddressCheck } from '../../catalog/validate/web-address.ts'
import type { StoreOutput } from '../../catalog/vocabulary/file-field.ts'
import type {
  Hop,
  HopReceipt,
  InHouseHandler,
  Invocation,
  LocalHandler,
} from '../../catalog/vocabulary/handlers.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { Database } from '../../db/database.ts'
import { ownerOf, type Caller } from '../../keys/caller.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Deadline } from '../../lib/deadline.ts'
import type { Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import type { Owner } from '../../lib/owner.ts'
import type { Cancellation } from './cancellation.ts'
import type { ReplyCache } from '../../upstream/reply-cache.ts'
import type { Wallet } from '../../upstream/pay/purchase.ts'
import type { Lanes } from '../lanes/lanes.ts'

export type PerformDeps = {
  readonly catalog: Catalog
  readonly validator: Validator
  readonly lanes: Lanes
  readonly inHouse: ReadonlyMap<string, InHouseHandler>
  readonly local: ReadonlyMap<string, LocalHandler>
  readonly now: Clock
  readonly database: Database
  readonly replyCache: ReplyCache
  /** The operator's wallet. Without it the gateway pays no merchant. */
  readonly wallet?: Wallet
  /** Pays on test networks, for test keys. */
  readonly testWallet?: Wallet
  /** Rejects addresses that callers may not read. Without it every address is allowed. */
  readonly checkAddress?: AddressCheck
  /** Stores the files of an answer. Without it the answer contains what the vendor sent. */
  readonly storeOutput?: StoreOutput
}

/** Runs the steps of a multi-source action. */
export type StepMaker = {
  /** `make` carries the step out with the given key for the vendor. */
  once(entry: Entry, input: Data, make: (vendorKey: Id) => Promise<Invocation>): Promise<Invocation>
  /** Runs the steps of a step that is a multi-source action itself. */
  readonly inner: StepMaker
}

/** The parts of a call that its steps share. */
export type CallScope = {
  readonly owner: Owner
  readonly deadline: Deadline
  /** The amount held for the call; undefined for a step, whose price the whole action covers. */
  readonly held?: Micros | undefined
  /** The call that a step belongs to. Left out if it is `vendorKey`. */
  readonly callId?: Id
  /** The id of the request at the vendor: the id of the call or of its step. A vendor that supports it executes a repeated request once. */
  readonly vendorKey: Id
  /** Until the first vendor request, the caller can cancel. */
  readonly cancellation?: Cancellation | undefined
  /** Receipt lines of the steps, in the order in which they ended. */
  readonly hops: Hop[]
  /** Receipts of merchants that this call or step paid. */
  readonly receipts?: HopReceipt[]
  /** Set in a job, whose steps outlive the process. */
  readonly steps?: StepMaker
}

export function scopeFor(
  {
    id,
    caller,
    cancellation,
  }: { readonly id: Id; readonly caller: Caller; readonly cancellation?: Cancellation },
  deadline: Deadline,
  hops: Hop[],
): CallScope {
  return { owner: ownerOf(caller), deadline, vendorKey: id, hops, cancellation }
}

/** An action to carry out, for a call or for one of its steps. */
export type Work = {
  readonly deps: PerformDeps
  readonly scope: CallScope
  readonly entry: Entry
  readonly input: Data
}
