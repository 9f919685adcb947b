import { nameOfProxy, type EgressProxy } from '../../upstream/proxies/egress-proxy.ts'
import { findProxyProblem } from '../../upstream/proxies/try-proxy.ts'

/** The proxies with their kinds, such as "de, us-residential". */
export function listProxies(proxies: readonly EgressProxy[]): string {
  return [...new Set(proxies.map(nameOfProxy))].join(', ')
}

/** The problem of the first proxy that accepts no connections, null if all do. */
export async function findBrokenProxy(proxies: readonly EgressProxy[]): Promise<string | null> {
  const problems = await Promise.all(proxies.map(findProxyProblem))
  return problems.find((problem) => problem !== null) ?? null
}
