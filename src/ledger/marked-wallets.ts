import { RecentMap } from '../lib/recent-map.ts'

/** Half of the time after which the chore that counts transactions deletes a mark. */
const MARKED_MS = 30_000
const MOST_WALLETS = 50_000

/**
 * The wallets that commits of this process marked as uncounted not long ago, so that the next ones
 * need not (migrations/0035-uncounted-wallets.sql). Times are monotonic, in milliseconds.
 */
export class MarkedWallets {
  readonly #markedAt = new RecentMap<number, number>(MOST_WALLETS)

  /** Those of `walletIds` without a mark, each once. */
  without(walletIds: Iterable<number>, nowMs: number): readonly number[] {
    const missing = new Set<number>()
    for (const id of walletIds) {
      const markedAt = this.#markedAt.get(id)
      if (markedAt === undefined || nowMs - markedAt >= MARKED_MS) missing.add(id)
    }
    return [...missing]
  }

  /** After a commit that began at `sinceMs`. */
  add(walletIds: readonly number[], sinceMs: number): void {
    for (const id of walletIds) this.#markedAt.set(id, sinceMs)
  }
}
