import { LRUCache } from 'lru-cache'
import { AppError } from '../../errors/app-error.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'
import type { SessionDriver } from './session-driver.ts'
import { newMachine, simulate, type SimulatedMachine } from './simulated-shell.ts'

// A machine consists of a few short texts. The least used are dropped first and start empty when
// used again.
const MAX_MACHINES = 1_000
const SESSION_ID = /^ses_test_[0-9A-Za-z_-]{1,64}$/

/**
 * Sessions of test keys: any id that begins with "ses_test_" is a session, created on first use, in
 * the memory of this process.
 */
export function createSimulatedSessions(): SessionDriver {
  const machines = new LRUCache<string, SimulatedMachine | 'closed'>({ max: MAX_MACHINES })

  function nameOf(owner: Owner, sessionId: string): string {
    if (!SESSION_ID.test(sessionId))
      throw unknownSession(
        'Check the session_id; a closed or expired session is gone. With a test key, any id such as "ses_test_1" is a session, too.',
      )
    return `${owner.accountId} ${onlyMaker(owner) ?? ''} ${sessionId}`
  }

  return {
    async execute(owner, sessionId, work) {
      const name = nameOf(owner, sessionId)
      const known = machines.get(name)
      if (known === 'closed')
        throw unknownSession(
          'This session was closed. Use another id that begins with "ses_test_" to start another.',
        )
      const machine = known ?? newMachine()
      machines.set(name, machine)
      return { ...simulate(machine, work), closesAtMs: null, charged: 0n }
    },
    serviceOf: async () => null,
    async close(owner, sessionId) {
      machines.set(nameOf(owner, sessionId), 'closed')
      return { closesAtMs: null, charged: 0n }
    },
  }
}

function unknownSession(fix: string): AppError {
  return new AppError('unknown_session', undefined, { param: 'session_id', fix })
}
