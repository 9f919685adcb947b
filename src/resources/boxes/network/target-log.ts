/** Logs the hosts that boxes connect to, without paths, headers and bodies. */
import type { ProxiedTarget } from '../../../upstream/guard-proxy.ts'

const MOST_TARGETS = 100
const LONGEST_HOST = 255

export type NetworkLog = { info(fields: object, message: string): void }
export type TargetLog = {
  add(target: ProxiedTarget): void
  /** Logs the number of requests. */
  end(): void
}

/** Logs each host and port once, at most 100 of a box. `fields` identify the box. */
export function createTargetLog(logger: NetworkLog, fields: object): TargetLog {
  const seen = new Set<string>()
  const requests = { allowed: 0, failed: 0 }
  return {
    add({ hostname, port, failure }) {
      const result = failure === null ? 'allowed' : 'failed'
      requests[result] += 1
      const host = `${hostname.slice(0, LONGEST_HOST)}:${port}`
      const target = `${host} ${result}`
      if (seen.size >= MOST_TARGETS || seen.has(target)) return
      seen.add(target)
      logger.info({ ...fields, host, result }, 'a box connects to a host')
    },
    end() {
      if (requests.allowed + requests.failed > 0)
        logger.info({ ...fields, ...requests }, 'a box with connections has ended')
    },
  }
}
