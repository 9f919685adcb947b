import type { FastifyReply, FastifyRequest } from 'fastify'
import { readPageSession } from '../../../../auth/records/browser-session.ts'
import { listOwners } from '../../../../auth/records/list-owners.ts'
import type { Database } from '../../../../db/database.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Authenticator } from '../../../../keys/authenticate.ts'
import { requireAddress } from '../../../../keys/policy/require-address.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { requireRole } from '../../guards/requires.ts'
import { requireCaller } from '../../guards/require-caller.ts'
import { isFromOwnPage } from '../visitor/own-form.ts'
import { pageCookie } from '../visitor/page-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The session token, if a session and not a key authenticated the caller. */
    sessionToken?: string
  }
}

export type KeyOrSessionDeps = {
  readonly authenticator: Pick<Authenticator, 'authenticate'>
  readonly database: Database
  readonly now: Clock
  readonly publicUrl: string
}

/**
 * Creates a hook that accepts a key or a browser session, for addresses that spend nothing. The session
 * of a holder acts as the live primary key. An Authorization header takes precedence, even an invalid
 * one. Throws AppError invalid_token, role_not_allowed, or foreign_host for a request from a page of another
 * site.
 */
export function requireKeyOrSession({ authenticator, database, now, publicUrl }: KeyOrSessionDeps) {
  const requireKey = requireCaller(authenticator)
  const cookie = pageCookie(publicUrl)

  const refusal = (message: string): AppError =>
    new AppError('invalid_token', message, {
      fix: 'Send the header "Authorization: Bearer <API_KEY>", or sign in at /sign-in with this browser.',
    })

  async function readSession(request: FastifyRequest): Promise<void> {
    const token = cookie.read(request)
    if (token === null) throw refusal('This address requires a key or a signed-in browser.')
    if (!isFromOwnPage(request, publicUrl))
      throw new AppError(
        'foreign_host',
        'Pages of other sites cannot use the session of this browser.',
        {
          fix: 'Send the request from a page of this gateway, or with a key in the Authorization header.',
        },
      )
    const visitor = await readPageSession({ database, now }, token)
    if (visitor === null) throw refusal('The session of this browser has expired.')
    requireAddress(visitor.caller, request)
    await requireRole(request, visitor, () => listOwners(database, visitor.caller.accountId))
    request.caller = visitor.caller
    request.sessionToken = token
  }

  return function findCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ): void {
    if (request.headers.authorization !== undefined) {
      requireKey(request, reply, done)
      return
    }
    readSession(request).then(
      () => done(),
      (error: Error) => {
        if (error instanceof AppError && error.code === 'invalid_token')
          reply.header('www-authenticate', 'Bearer')
        done(error)
      },
    )
  }
}
