import type { FastifyRequest } from 'fastify'
import { listAccounts } from '../../../../auth/members/list-accounts.ts'
import { readPageSession, type Visitor } from '../../../../auth/records/browser-session.ts'
import { noteBrowser } from '../../../../auth/records/signed-in-browsers.ts'
import { listOwners } from '../../../../auth/records/list-owners.ts'
import { nameAuthor } from '../../../../db/author.ts'
import type { Database } from '../../../../db/database.ts'
import { isAddressAllowed } from '../../../../keys/policy/require-address.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { publicId } from '../../../../lib/ids.ts'
import { requireRole } from '../../guards/requires.ts'
import type { PageCookie } from './page-cookie.ts'

/**
 * Finds the signed-in visitor by the cookie of the request; null for a stranger, and for the session of a
 * key at an address that the key does not allow. Throws AppError role_not_allowed.
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
    if (visitor === null || !isAddressAllowed(visitor.caller, request.ip)) return null
    await requireRole(request, visitor, () => listOwners(database, visitor.caller.accountId))
    nameAuthor(nameOf(visitor))
    const { member } = visitor.caller
    if (member === undefined) return visitor
    const [accounts] = await Promise.all([
      listAccounts(database, member.personId),
      noteBrowser({ database, now }, token, request.headers['user-agent']),
    ])
    return { ...visitor, accounts }
  }
}

/** The visitor in the audit log. Not the email address, which an erased account must not keep. */
function nameOf({ caller: { keyId, member } }: Visitor): string {
  return member === undefined
    ? `browser with key ${publicId('key', keyId)}`
    : `member ${publicId('member', member.personId)}`
}

/** `?mode=test` shows holders their test credit. */
function modeOf({ query }: FastifyRequest): 'live' | 'test' {
  return (query as { mode?: unknown } | undefined)?.mode === 'test' ? 'test' : 'live'
}
