import type { FastifyRequest } from 'fastify'
import { readPageSession, type Visitor } from '../../../../auth/records/browser-session.ts'
import type { Database } from '../../../../db/database.ts'
import { isAddressAllowed } from '../../../../keys/policy/require-address.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { PageCookie } from './page-cookie.ts'

/**
 * Finds the signed-in visitor by the cookie of the request; null for a stranger, and for the session of a
 * key at an address that the key does not allow.
 */
export type FindVisitor = (request: FastifyRequest) => Promise<Visitor | null>

export function createFindVisitor({
  database,
  now,
  cookie,
}: {
  readonly database: Database
  readonly now: Clock
  readonly cookie: PageCookie
}): FindVisitor {
  return async (request) => {
    const token = cookie.read(request)
    if (token === null) return null
    const visitor = await readPageSession({ database, now }, token, modeOf(request))
    return visitor !== null && isAddressAllowed(visitor.caller, request.ip) ? visitor : null
  }
}

/** `?mode=test` shows holders their test credit. */
function modeOf({ query }: FastifyRequest): 'live' | 'test' {
  return (query as { mode?: unknown } | undefined)?.mode === 'test' ? 'test' : 'live'
}
