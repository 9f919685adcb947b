import type { Logger } from 'pino'
import type { KeepSettings } from '../../db/keep-postgres.ts'

/** The restarts of the built-in PostgreSQL in the log. It is tried every second: the same failure is told once. */
export function tellRestarts(
  logger: Pick<Logger, 'error'>,
): Pick<KeepSettings, 'onLost' | 'onFailure'> {
  const told = new Set<string>()
  return {
    onLost() {
      told.clear()
      logger.error('the built-in PostgreSQL ended; it is started again')
    },
    onFailure(error) {
      const reason = error instanceof Error ? error.message : String(error)
      // The server's own words have the time and the id of a process, which are others at each attempt.
      const failure = reason.replaceAll(/\d+/g, '')
      if (!told.has(failure))
        logger.error({ reason }, 'the built-in PostgreSQL could not be started again')
      told.add(failure)
    },
  }
}
