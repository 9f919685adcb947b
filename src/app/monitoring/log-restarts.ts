import type { Logger } from 'pino'
import type { SupervisorDeps } from '../../db/supervise-postgres.ts'

/** Logs restarts of the built-in PostgreSQL. It is tried every second; the same failure is logged once. */
export function logRestarts(
  logger: Pick<Logger, 'error'>,
): Pick<SupervisorDeps, 'onLost' | 'onFailure'> {
  const logged = new Set<string>()
  return {
    onLost() {
      logged.clear()
      logger.error('the built-in PostgreSQL ended; restarting it')
    },
    onFailure(error) {
      const reason = error instanceof Error ? error.message : String(error)
      // The server's own message has a time and a process id, which differ at each attempt.
      const failure = reason.replaceAll(/\d+/g, '')
      if (!logged.has(failure))
        logger.error({ reason }, 'the built-in PostgreSQL could not be restarted')
      logged.add(failure)
    },
  }
}
