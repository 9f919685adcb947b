import type { Clock } from '../../lib/clock.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import type { MailRoute } from '../shared/mail-hosts.ts'

/** `private`: the records belong to a private network, so the gateway does not show them. */
export type KnownRoute = MailRoute | { readonly kind: 'private'; readonly servers: readonly [] }

/** Facts about the email of domains, for all accounts. */
export type DomainFacts = {
  route(domain: string, find: () => Promise<KnownRoute>): Promise<KnownRoute>
  /** Whether the servers accept every address; undefined if unknown. */
  acceptsAll(domain: string): boolean | undefined
  noteAcceptsAll(domain: string, acceptsAll: boolean): void
}

const MAX_DOMAINS = 10_000
const ROUTE_MS = 10 * 60_000
const ACCEPTS_ALL_MS = 60 * 60_000

type Known<Value> = { readonly value: Value; readonly untilMs: number }

export function createDomainFacts(now: Clock): DomainFacts {
  const routes = new RecentMap<string, Known<KnownRoute>>(MAX_DOMAINS)
  const acceptances = new RecentMap<string, Known<boolean>>(MAX_DOMAINS)
  const current = <Value>(known: Known<Value> | undefined): Value | undefined =>
    known !== undefined && known.untilMs > now() ? known.value : undefined
  return {
    async route(domain, find) {
      const known = current(routes.get(domain))
      if (known !== undefined) return known
      const value = await find()
      routes.set(domain, { value, untilMs: now() + ROUTE_MS })
      return value
    },
    acceptsAll: (domain) => current(acceptances.get(domain)),
    noteAcceptsAll: (domain, value) =>
      acceptances.set(domain, { value, untilMs: now() + ACCEPTS_ALL_MS }),
  }
}
