import { setTimeout as delay } from 'node:timers/promises'

export type Host = { readonly host: string; readonly port: number }

/** Selects the host of a DATABASE_URL for new connections: the primary. */
export type Route = {
  pick(): Promise<Host>
  /** Whether there are several hosts. */
  readonly hasChoice: boolean
  /** Call it after a failed, silent or read-only connection. The next connection searches again. */
  forget(): void
}

// A silent host delays the next one by this long.
const NEXT_HOST_AFTER_MS = 300

/**
 * Probes the hosts in order. The first primary is used until `forget`. `probe` throws for other
 * hosts.
 */
export function createRoute(hosts: readonly Host[], probe: (host: Host) => Promise<void>): Route {
  let found: Promise<Host> | undefined

  async function find(): Promise<Host> {
    const [only] = hosts
    if (only !== undefined && hosts.length === 1) return only
    const stop = new AbortController()
    const failures: unknown[] = []
    try {
      return await Promise.any(
        hosts.map(async (host, place) => {
          await delay(place * NEXT_HOST_AFTER_MS, undefined, { signal: stop.signal })
          await probe(host).catch((error: unknown) => {
            failures[place] = error
            throw error
          })
          return host
        }),
      )
    } catch {
      // The last reason, which is more often a standby's than an unreachable host's.
      throw (
        failures.findLast((failure) => failure !== undefined) ??
        new Error('No host of the database accepts writes.')
      )
    } finally {
      stop.abort()
    }
  }

  return {
    hasChoice: hosts.length > 1,
    pick() {
      if (found !== undefined) return found
      const finding = find()
      found = finding
      finding.catch(() => {
        if (found === finding) found = undefined
      })
      return finding
    },
    forget: () => void (found = undefined),
  }
}
