import { parsePublicId } from '../../lib/ids.ts'
import { createMeteredSessions } from '../../resources/sessions/metered-sessions.ts'
import type { SessionDeps } from '../../resources/sessions/session-deps.ts'
import type { SessionDriver, SessionDrivers } from '../../resources/sessions/session-driver.ts'
import { createSimulatedSessions } from '../../resources/sessions/simulated-sessions.ts'

/** The drivers behind session tools: sessions opened by create_session, and for test keys also those that need no opening. */
export function sessionDrivers(sessions: SessionDeps): SessionDrivers {
  const simulated = createSimulatedSessions()
  const metered = createMeteredSessions(sessions)
  const driverOf = (sessionId: string): SessionDriver =>
    parsePublicId('session', sessionId) === null ? simulated : metered
  return {
    live: metered,
    test: {
      execute: (owner, sessionId, work, signal) =>
        driverOf(sessionId).execute(owner, sessionId, work, signal),
      serviceOf: (owner, sessionId) => driverOf(sessionId).serviceOf(owner, sessionId),
      close: (owner, sessionId) => driverOf(sessionId).close(owner, sessionId),
    },
  }
}
