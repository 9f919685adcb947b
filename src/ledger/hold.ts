import type { Id } from '../lib/ids.ts'
import type { Micros } from '../lib/money.ts'
import type { Surface } from '../lib/surface.ts'

/** A hold outlives its call by this much, so the sweep never releases one that is being settled. */
export const HOLD_GRACE_MS = 60_000

export type HoldKind = 'call' | 'job' | 'llm' | 'session'

/** A claim on an idempotency key, made in the same step as the hold. */
export type Claim = {
  readonly accountId: Id
  readonly route: string
  readonly idempotencyKey: string
  /** SHA-256 of the request body, in hexadecimal. */
  readonly fingerprint: string
  /** Also accepted when a request repeats this one: the fingerprint that versions before 0.1.0 stored. */
  readonly formerFingerprint?: string
  readonly expiresMs: number
}

/** Descriptive fields of a call, which its transaction shows. */
export type CallAttributes = {
  readonly service: string
  readonly action: string
  readonly externalId: string | null
  readonly app?: CallingApp | undefined
  /** The id of the action's price rule. */
  readonly priceId?: string | undefined
  /** Where the call arrived, unless its kind implies it. */
  readonly surface?: Surface | undefined
}

/** The app that made the call, as it names itself. Not empty. */
export type CallingApp = { readonly httpReferer: string | null; readonly title: string | null }

/**
 * The `attributes` column of a hold: the fields in the order of `call_attributes.sql`. An array,
 * because parsing an object made a single call 5% slower.
 */
export function attributesJson(call: CallAttributes): string {
  const { service, action, externalId, app, priceId, surface } = call
  const [httpReferer, title] = [app?.httpReferer ?? null, app?.title ?? null]
  if (surface !== undefined)
    return JSON.stringify([
      service,
      action,
      externalId,
      httpReferer,
      title,
      priceId ?? null,
      surface,
    ])
  if (priceId !== undefined)
    return JSON.stringify([service, action, externalId, httpReferer, title, priceId])
  return JSON.stringify(
    app === undefined
      ? [service, action, externalId]
      : [service, action, externalId, httpReferer, title],
  )
}

export type HoldRequest = CallAttributes & {
  /**
   * The call's id: a version 7 UUID. It becomes the transaction's id, so one call is charged at
   * most once.
   */
  readonly id: Id
  readonly walletId: number
  /** The key's budget. Null for calls without a key. */
  readonly budgetId: Id | null
  /**
   * The budgets above it, the topmost first. The database knows them, too: naming them only makes
   * the hold and its resolution faster.
   */
  readonly ancestorIds?: readonly Id[]
  readonly amount: Micros
  /**
   * Unix milliseconds, later than the call's own deadline. After it a sweep can release the hold.
   */
  readonly deadlineMs: number
  readonly kind: HoldKind
  readonly claim: Claim | null
}

/** How a call waits while calls in progress hold the money that it needs. */
export type HoldWait = {
  /** Milliseconds; 0 refuses the call immediately. */
  readonly ms: number
  /** The caller did not choose the time. Then no call waits for jobs and sessions. */
  readonly isDefault?: boolean
  /** Calls `listener` when the caller disconnects, which ends the wait. */
  readonly onGone?: (listener: () => void) => void
}

/** Credit held in a wallet and a budget. Resolved exactly once. */
export type Hold = HoldRequest & { readonly opened: true }

export type Resolution = {
  /** The amount is optional, and makes the resolution faster. */
  readonly hold: Pick<Hold, 'id' | 'walletId' | 'budgetId' | 'ancestorIds' | 'kind'> & {
    readonly amount?: Micros
  }
  readonly charge: Micros
  readonly latencyMs: number
  /** Set when the call failed: the hold is released and the transaction shows why. */
  readonly errorCode: string | null
  /** Receipt lines as JSON text. Null if the transaction's own fields contain everything. */
  readonly hops: string | null
  /** Stored for replay. Null frees the idempotency key. Undefined if the call claimed none. */
  readonly answer?: { readonly status: number; readonly body: string } | null
}

export type HoldVerdict =
  | 'opened'
  | 'credit_short'
  | 'limit_reached'
  | 'paused'
  | 'closed'
  | 'expired'
  | 'repeated'
export type ResolutionVerdict = 'resolved' | 'gone'

/** A wallet after the commit of an operation. */
export type WalletState = { readonly balance: Micros; readonly held: Micros }
