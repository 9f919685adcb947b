import type { FastifyReply, FastifyRequest } from 'fastify'
import { readPageSession } from '../../../../auth/records/browser-session.ts'
import type { Database } from '../../../../db/database.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Authenticator } from '../../../../keys/authenticate.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { requireCaller } from '../../guards/require-caller.ts'
import { isFromOwnPage } from '../visitor/own-form.ts'
import { pageCookie } from '../visitor/page-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The token of the browser's session, where that is how the caller was found. */
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
 * Like `requireCaller`, and lets pass whoever is signed in to the pages too: for addresses that spend nothing. The holder
 * of an account acts as its live primary key. An Authorization header counts alone, also a wrong one. Throws AppError
 * invalid_token, or foreign_host for a page of another site, which must not use what the browser adds by itself.
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
    if (token === null) throw refusal('This address needs a key, or somebody who is signed in.')
    if (!isFromOwnPage(request, publicUrl))
      throw new AppError(
        'foreign_host',
        'Pages of other sites may not use the sign-in of this browser.',
        {
          fix: 'Send the request from a page of this gateway, or with a key in the Authorization header.',
        },
      )
    const visitor = await readPageSession({ database, now }, token)
    if (visitor === null) throw refusal('The sign-in of this browser has ended.')
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
