import { setTimeout as delay } from 'node:timers/promises'

export type Host = { readonly host: string; readonly port: number }

/** Which of the hosts of a DATABASE_URL new connections go to: the one that takes writes. */
export type Route = {
  pick(): Promise<Host>
  /** Whether another host may be picked after this one was forgotten. */
  readonly hasChoice: boolean
  /** A connection to it failed, fell silent or takes no writes: the next one looks for it again. */
  forget(): void
}

// A host that is gone without a word keeps nobody from the next.
const NEXT_HOST_AFTER_MS = 300

/** Asks the hosts in their order; the first that takes writes is used until it is forgotten. `probe` throws for any other. */
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
      // The last one's reason, which is a standby's more often than that of a host that is away.
      throw (
        failures.findLast((failure) => failure !== undefined) ??
        new Error('No host of the database takes writes.')
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
