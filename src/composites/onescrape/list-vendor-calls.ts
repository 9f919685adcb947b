import type { PageHop, PageTask } from './page-row.ts'

/** The vendor calls of some pages. The batch that starts every page counts as one call. */
export function listVendorCalls(tasks: readonly Pick<PageTask, 'hops'>[]) {
  const shares = tasks.flatMap(({ hops }) => hops.slice(0, 1))
  const batch = shares.find(({ ok }) => ok) ?? shares[0]
  return [
    ...(batch === undefined ? [] : [batch]),
    ...tasks.flatMap(({ hops }) => hops.slice(1)),
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
