import type { FastifyReply, FastifyRequest } from 'fastify'
import { readPageSession, type Visitor } from '../../../../auth/records/browser-session.ts'
import { listOwners } from '../../../../auth/records/list-owners.ts'
import type { Database } from '../../../../db/database.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Caller } from '../../../../keys/caller.ts'
import { findPrimaryCaller } from '../../../../keys/find-caller.ts'
import { isExpired } from '../../../../keys/policy/expiry.ts'
import { requireAddress } from '../../../../keys/policy/require-address.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { Mode } from '../../../../lib/mode.ts'
import { requireRole } from '../../guards/requires.ts'
import { isFromOwnPage } from '../visitor/own-form.ts'
import { pageCookie } from '../visitor/page-cookie.ts'

export type PlayerDeps = {
  readonly database: Database
  readonly now: Clock
  readonly publicUrl: string
}

/**
 * Creates a hook that accepts the session of this browser for calls of one mode, from own pages only.
 * A person acts as the primary key of that mode, and a session of the live primary key also as that of
 * the test mode. Any other key acts as itself, in its own mode. Throws AppError invalid_token, foreign_host, role_not_allowed,
 * action_not_allowed or ip_not_allowed.
 */
export function requirePlayer({ database, now, publicUrl }: PlayerDeps, mode: Mode) {
  const cookie = pageCookie(publicUrl)

  async function readPlayer(request: FastifyRequest): Promise<void> {
    const token = cookie.read(request)
    if (token === null) throw signedOut('This browser is not signed in.')
    if (!isFromOwnPage(request, publicUrl))
      throw new AppError('foreign_host', 'Pages of other sites cannot run calls here.', {
        fix: 'Run the call on a page of this gateway, or send it to /api/run with a key.',
      })
    const visitor = await readPageSession({ database, now }, token, mode)
    if (visitor === null) throw signedOut('The session of this browser has expired.')
    requireAddress(visitor.caller, request)
    await requireRole(request, visitor, () => listOwners(database, visitor.caller.accountId))
    request.caller = await callerOf(visitor)
    request.sessionToken = token
  }

  async function callerOf({ caller }: Visitor): Promise<Caller> {
    if (caller.mode === mode) return caller
    // A test key never spends live credit.
    const primary =
      caller.primary && mode === 'test'
        ? await findPrimaryCaller(database, caller.accountId, mode)
        : null
    if (primary === null || isExpired(primary, now())) throw otherMode(mode)
    return primary
  }

  return function findPlayer(
    request: FastifyRequest,
    _reply: FastifyReply,
    done: (error?: Error) => void,
  ): void {
    readPlayer(request).then(() => done(), done)
  }
}

function signedOut(message: string): AppError {
  return new AppError('invalid_token', message, { fix: 'Sign in at /sign-in, then run it again.' })
}

function otherMode(mode: Mode): AppError {
  const other = mode === 'test' ? 'live' : 'test'
  return new AppError(
    'action_not_allowed',
    `This browser is signed in with a ${other} key, which runs no ${mode} calls.`,
    { fix: `Sign in with a ${mode} key or as an owner or developer of the account.` },
  )
}
