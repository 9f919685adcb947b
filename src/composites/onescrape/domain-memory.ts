import { LRUCache } from 'lru-cache'
import type { Clock } from '../../lib/clock.ts'

/** How well each reader did on a host lately, so that the next page of that host starts with the better one. */
export type DomainMemory = {
  /** Learns what other processes know of these hosts. Never fails: without an answer, what is known here counts. */
  prepare(hosts: readonly string[]): Promise<void>
  /** `providers` with the best measured yield first; ties keep their order. */
  rank<Provider extends string>(host: string, providers: readonly Provider[]): Provider[]
  /** Yield 0 to 1 of one reading; 0 for a wall. */
  record(host: string, provider: string, pageYield: number): void
}

export type KnownYield = {
  readonly host: string
  readonly provider: string
  readonly yield: number
}

/** Where all processes keep what they learn. It weighs what is new by NEWEST_WEIGHT too. */
export type YieldStore = {
  load(hosts: readonly string[]): Promise<readonly KnownYield[]>
  /** Takes one reading in; never fails and is not waited for. */
  record(reading: KnownYield): void
}

// Bounds memory: about 200 bytes a host. The hosts not met for longest are forgotten first.
const HOSTS_REMEMBERED = 20_000
/** What other processes learn shows here this late. */
const FRESH_MS = 30_000
/** A reader that was never tried on a host ranks between one that reads it and one that does not. */
export const UNKNOWN_YIELD = 0.5
/** The newest reading counts this much, so that a site that changes its defences is relearnt within a few pages. */
export const NEWEST_WEIGHT = 0.4

type KnownHost = { readonly yields: Map<string, number>; loadedMs: number }

/** Without a store the memory is this process's own. */
export function createDomainMemory(shared?: {
  readonly store: YieldStore
  readonly now: Clock
}): DomainMemory {
  const hosts = new LRUCache<string, KnownHost>({ max: HOSTS_REMEMBERED })

  function known(host: string): KnownHost {
    const entry = hosts.get(host) ?? { yields: new Map<string, number>(), loadedMs: -Infinity }
    hosts.set(host, entry)
    return entry
  }

  return {
    async prepare(names) {
      if (shared === undefined) return
      const nowMs = shared.now()
      const stale = [...new Set(names)].filter((host) => nowMs - known(host).loadedMs >= FRESH_MS)
      if (stale.length === 0) return
      const rows = await shared.store.load(stale).catch(() => null)
      if (rows === null) return
      for (const host of stale) known(host).loadedMs = nowMs
      for (const row of rows) known(row.host).yields.set(row.provider, row.yield)
    },
    rank(host, providers) {
      const yields = hosts.get(host)?.yields
      if (yields === undefined) return [...providers]
      const score = (provider: string): number => yields.get(provider) ?? UNKNOWN_YIELD
      return [...providers].sort((a, b) => score(b) - score(a))
    },
    record(host, provider, pageYield) {
      const { yields } = known(host)
      const before = yields.get(provider) ?? UNKNOWN_YIELD
      yields.set(provider, before + NEWEST_WEIGHT * (pageYield - before))
      shared?.store.record({ host, provider, yield: pageYield })
    },
  }
}
