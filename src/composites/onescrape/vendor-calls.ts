import type { Climb, PageHop } from './page-row.ts'

/** The vendor calls of some climbs, as summaries: the batch that all begin with is one call, whatever the number of its pages. */
export function vendorCalls(climbs: readonly Pick<Climb, 'hops'>[]) {
  const shares = climbs.flatMap(({ hops }) => hops.slice(0, 1))
  const batch = shares.find(({ ok }) => ok) ?? shares[0]
  return [
    ...(batch === undefined ? [] : [batch]),
    ...climbs.flatMap(({ hops }) => hops.slice(1)),
  ].map(callOf)
}

export function callOf({ provider, action, ok, latency_ms, stealth, skipped }: PageHop) {
  return {
    service: provider,
    action,
    ok,
    latency_ms,
    ...(stealth === undefined ? {} : { stealth }),
    ...(skipped === undefined ? {} : { skipped }),
  }
}
