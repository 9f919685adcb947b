import type { Id } from '../../lib/ids.ts'
import type { LoggedCall, OmittedCalls } from './logged-call.ts'

/** Rows that a wallet gets in each minute and process. */
export const ROWS_PER_MINUTE = 120
// Keys and errors of a wallet that are counted separately in a minute.
const MOST_COUNTS = 20
// Wallets with a logged call in one minute.
const MOST_WALLETS = 20_000

const MINUTE_MS = 60_000

type Count = { keyId: Id | null; code: string | null; httpStatus: number; count: number }
type Share = { rows: number; readonly counts: Map<string, Count> }

/**
 * Bounds the rows of each wallet and minute, so that a flood of rejected calls fills neither the disk
 * nor the log of other accounts. It counts the calls beyond the bound by key and error.
 */
export class MinuteShares {
  #minute: number
  #shares = new Map<number, Share>()

  constructor(nowMs: number) {
    this.#minute = minuteOf(nowMs)
  }

  /** Whether the call gets a row. Otherwise it is counted; `lost` if even that has no capacity. */
  admit(call: LoggedCall): 'row' | 'counted' | 'lost' {
    const share = this.#shares.get(call.walletId)
    if (share === undefined) {
      if (this.#shares.size >= MOST_WALLETS) return 'lost'
      this.#shares.set(call.walletId, { rows: 1, counts: new Map() })
      return 'row'
    }
    if (share.rows < ROWS_PER_MINUTE) {
      share.rows += 1
      return 'row'
    }
    count(share, call)
    return 'counted'
  }

  /** The counts of the minutes before `nowMs`. Each is returned once. `newId` creates their ids. */
  takeEnded(nowMs: number, newId: () => Id): readonly OmittedCalls[] {
    const minute = minuteOf(nowMs)
    if (minute === this.#minute) return []
    this.#minute = minute
    return this.takeAll(newId)
  }

  takeAll(newId: () => Id): readonly OmittedCalls[] {
    const omitted: OmittedCalls[] = []
    for (const [walletId, { counts }] of this.#shares)
      for (const one of counts.values()) omitted.push({ id: newId(), walletId, ...one })
    this.#shares = new Map()
    return omitted
  }
}

function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS)
}

function count({ counts }: Share, { keyId, error, httpStatus }: LoggedCall): void {
  const code = error?.code ?? null
  const name = `${keyId} ${code}`
  const isKnown = counts.has(name) || counts.size < MOST_COUNTS
  const known = counts.get(isKnown ? name : '')
  if (known !== undefined) known.count += 1
  else if (isKnown) counts.set(name, { keyId, code, httpStatus, count: 1 })
  else counts.set('', { keyId: null, code: null, httpStatus, count: 1 })
}
