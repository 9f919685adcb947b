import { LRUCache } from 'lru-cache'

/** How well each reader did on a host lately, so that the next page of that host starts with the better one. */
export type DomainMemory = {
  /** `providers` with the best measured yield first; ties keep their order. */
  rank<Provider extends string>(host: string, providers: readonly Provider[]): Provider[]
  /** Yield 0 to 1 of one reading; 0 for a wall. */
  record(host: string, provider: string, pageYield: number): void
}

// Bounds memory: about 200 bytes a host. The hosts not met for longest are forgotten first.
const HOSTS_REMEMBERED = 20_000
// A reader that was never tried on a host ranks between one that reads it and one that does not.
const UNKNOWN_YIELD = 0.5
// The newest reading counts this much, so that a site that changes its defences is relearnt within a few pages.
const NEWEST_WEIGHT = 0.4

export function createDomainMemory(): DomainMemory {
  const hosts = new LRUCache<string, Map<string, number>>({ max: HOSTS_REMEMBERED })
  return {
    rank(host, providers) {
      const known = hosts.get(host)
      if (known === undefined) return [...providers]
      const score = (provider: string): number => known.get(provider) ?? UNKNOWN_YIELD
      return [...providers].sort((a, b) => score(b) - score(a))
    },
    record(host, provider, pageYield) {
      const known = hosts.get(host) ?? new Map<string, number>()
      const before = known.get(provider) ?? UNKNOWN_YIELD
      known.set(provider, before + NEWEST_WEIGHT * (pageYield - before))
      hosts.set(host, known)
    },
  }
}
