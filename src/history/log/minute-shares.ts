import { firstIdWith, type Id } from '../../lib/ids.ts'
import type { LoggedCall, OmittedCalls } from './logged-call.ts'

/** Rows that a key gets in each minute and process. */
export const ROWS_PER_KEY = 120
/** Rows that the keys of a wallet share. Each key gets its first rows also beyond them. */
export const ROWS_PER_WALLET = 360
export const FIRST_ROWS = 5
// Keys of a wallet with a share of their own in a minute. The others have one together.
const MOST_KEYS = 50
// Kinds of calls that are counted separately in a minute.
const KINDS_PER_KEY = 20
const KINDS_PER_WALLET = 100
// Wallets with a logged call in one minute.
const MOST_WALLETS = 20_000
const LONGEST_NAME = 200

const MINUTE_MS = 60_000
// Counts of the current minute are written this often, and before each read in this process.
const COUNTS_EVERY_MS = 10_000
const OTHER_KEYS = ''

type Kind = { readonly call: Omit<OmittedCalls, 'count'>; count: number; taken: number }
type KeyShare = { rows: number; first: Id; readonly kinds: Map<string, Kind> }
type Share = { rows: number; kinds: number; readonly keys: Map<Id | null, KeyShare> }

/**
 * Bounds the rows of each key, wallet and minute, so that a flood of rejected calls fills neither the
 * disk nor the log of other keys and accounts. It counts the calls beyond the bound by key and kind.
 */
export class MinuteShares {
  #minute: number
  #takenMs: number
  #shares = new Map<number, Share>()
  /** Counts of the minute before, which are not taken yet. */
  #ended: OmittedCalls[] = []

  constructor(nowMs: number) {
    this.#minute = minuteOf(nowMs)
    this.#takenMs = nowMs
  }

  /**
   * Whether the call gets a row; without `hasRoom` none does. Otherwise it is counted, or `booked`,
   * because its transaction counts it. `lost` if even that has no capacity.
   */
  admit(
    call: LoggedCall,
    { nowMs, hasRoom }: { readonly nowMs: number; readonly hasRoom: boolean },
  ): 'row' | 'counted' | 'booked' | 'lost' {
    this.#endMinute(nowMs)
    const share = this.#shareOf(call.walletId)
    if (share === undefined) return call.hasTransaction ? 'booked' : 'lost'
    const { name, ofKey } = keyShareOf(share, call)
    if (call.id < ofKey.first) ofKey.first = call.id
    const isAmongFirst = ofKey.rows < FIRST_ROWS
    if (hasRoom && (isAmongFirst || (ofKey.rows < ROWS_PER_KEY && share.rows < ROWS_PER_WALLET))) {
      ofKey.rows += 1
      share.rows += 1
      return 'row'
    }
    if (call.hasTransaction) return 'booked'
    kindOf(
      share,
      ofKey,
      name === OTHER_KEYS ? { ...call, keyId: null, externalId: null } : call,
    ).count += 1
    return 'counted'
  }

  /** The counts that changed since the last time. With `isRead` also those that are not due yet. */
  take(nowMs: number, isRead: boolean): readonly OmittedCalls[] {
    this.#endMinute(nowMs)
    const isDue = isRead || nowMs - this.#takenMs >= COUNTS_EVERY_MS
    if (isDue) this.#takenMs = nowMs
    return [...this.#ended.splice(0), ...(isDue ? this.#takeChanged() : [])]
  }

  #endMinute(nowMs: number): void {
    const minute = minuteOf(nowMs)
    if (minute === this.#minute) return
    this.#ended.push(...this.#takeChanged())
    this.#minute = minute
    this.#shares = new Map()
  }

  #takeChanged(): readonly OmittedCalls[] {
    return [...this.#shares.values()]
      .filter(({ kinds }) => kinds > 0)
      .flatMap(({ keys }) => [...keys.values()].flatMap(takeChanged))
  }

  #shareOf(walletId: number): Share | undefined {
    const known = this.#shares.get(walletId)
    if (known !== undefined || this.#shares.size >= MOST_WALLETS) return known
    const share = { rows: 0, kinds: 0, keys: new Map() }
    this.#shares.set(walletId, share)
    return share
  }
}

function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS)
}

function keyShareOf(
  { keys }: Share,
  { keyId, id }: LoggedCall,
): { readonly name: Id | null; readonly ofKey: KeyShare } {
  const name = keys.has(keyId) || keys.size < MOST_KEYS ? keyId : OTHER_KEYS
  const ofKey = keys.get(name) ?? { rows: 0, first: id, kinds: new Map<string, Kind>() }
  keys.set(name, ofKey)
  return { name, ofKey }
}

/** The kind of a call. Beyond the bound, kinds of one surface and status class are counted together. */
function kindOf(share: Share, { kinds, first }: KeyShare, call: LoggedCall): Kind {
  const { walletId, keyId, externalId, surface, httpStatus } = call
  const [service, action] = [shortened(call.service), shortened(call.action)]
  const code = call.error?.code ?? null
  const name = JSON.stringify([surface, httpStatus, code, service, action])
  const known = kinds.get(name)
  if (known !== undefined) return known
  const hasOwn = kinds.size < KINDS_PER_KEY && share.kinds < KINDS_PER_WALLET
  const firstOfClass = Math.floor(httpStatus / 100) * 100
  const nameOfClass = `${surface} ${firstOfClass}`
  const kind = (hasOwn ? undefined : kinds.get(nameOfClass)) ?? {
    call: {
      // Sorts below the rows that it continues, and stays the same while the count grows.
      id: firstIdWith(first, hasOwn ? name : nameOfClass),
      walletId,
      keyId,
      externalId,
      surface,
      ...(hasOwn
        ? { service, action, code, httpStatus }
        : { service: null, action: null, code: null, httpStatus: firstOfClass }),
    },
    count: 0,
    taken: 0,
  }
  if (!kinds.has(hasOwn ? name : nameOfClass)) share.kinds += 1
  kinds.set(hasOwn ? name : nameOfClass, kind)
  return kind
}

function shortened(name: string | null): string | null {
  return name === null ? null : name.slice(0, LONGEST_NAME)
}

function takeChanged({ kinds }: KeyShare): readonly OmittedCalls[] {
  const changed = [...kinds.values()].filter(({ count, taken }) => count > taken)
  for (const kind of changed) kind.taken = kind.count
  return changed.map(({ call, count }) => ({ ...call, count }))
}
