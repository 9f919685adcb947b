import type { Clock } from '../../lib/clock.ts'
import { RecentMap } from '../../lib/recent-map.ts'

/** Recent yields of each reader by host. The next page of a host starts with the better reader. */
export type DomainMemory = {
  /** Loads the readings of other processes for these hosts. Never fails; without a store this process's own readings count. */
  prepare(hosts: readonly string[]): Promise<void>
  /** Sorts `providers` by yield, the best first. Ties keep their order. */
  rank<Provider extends string>(host: string, providers: readonly Provider[]): Provider[]
  /** `pageYield` is 0 (a wall) to 1. */
  record(host: string, provider: string, pageYield: number): void
}

export type HostYield = {
  readonly host: string
  readonly provider: string
  readonly yield: number
}

/** Shares readings between processes. Also averages with NEWEST_WEIGHT. */
export type YieldStore = {
  load(hosts: readonly string[]): Promise<readonly HostYield[]>
  /** Stores one reading in the background. Never fails. */
  record(reading: HostYield): void
}

// About 200 bytes a host. The least recently used host goes first.
const MOST_HOSTS = 20_000
/** The delay until readings of other processes arrive here. */
const FRESH_MS = 30_000
/** Ranks an untried reader between one that works on the host and one that does not. */
export const UNKNOWN_YIELD = 0.5
/** High enough to notice within a few pages that a site changed its defences. */
export const NEWEST_WEIGHT = 0.4

type HostEntry = { readonly yields: Map<string, number>; loadedMs: number }

/** Without a store the memory is local to the process. */
export function createDomainMemory(shared?: {
  readonly store: YieldStore
  readonly now: Clock
}): DomainMemory {
  const hosts = new RecentMap<string, HostEntry>(MOST_HOSTS)

  function entryOf(host: string): HostEntry {
    const entry = hosts.get(host) ?? { yields: new Map<string, number>(), loadedMs: -Infinity }
    hosts.set(host, entry)
    return entry
  }

  return {
    async prepare(names) {
      if (shared === undefined) return
      const nowMs = shared.now()
      const stale = [...new Set(names)].filter((host) => nowMs - entryOf(host).loadedMs >= FRESH_MS)
      if (stale.length === 0) return
      const rows = await shared.store.load(stale).catch(() => null)
      if (rows === null) return
      for (const host of stale) entryOf(host).loadedMs = nowMs
      for (const row of rows) entryOf(row.host).yields.set(row.provider, row.yield)
    },
    rank(host, providers) {
      const yields = hosts.get(host)?.yields
      if (yields === undefined) return [...providers]
      const score = (provider: string): number => yields.get(provider) ?? UNKNOWN_YIELD
      return [...providers].sort((a, b) => score(b) - score(a))
    },
    record(host, provider, pageYield) {
      const { yields } = entryOf(host)
      const before = yields.get(provider) ?? UNKNOWN_YIELD
      yields.set(provider, before + NEWEST_WEIGHT * (pageYield - before))
      shared?.store.record({ host, provider, yield: pageYield })
    },
  }
}
