import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../errors/app-error.ts'
import type { Authenticator } from '../../../keys/authenticate.ts'
import type { Caller } from '../../../keys/caller.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls. Set by `requireCaller`, so only on routes behind it. */
    caller: Caller
  }
}

/** A hook that lets only requests with a key in use pass. `facts` are added to the challenge of a refusal. Throws AppError invalid_token. */
export function requireCaller(
  authenticator: Pick<Authenticator, 'authenticate'>,
  facts: readonly string[] = [],
) {
  const challenge = (more: readonly string[]): string =>
    ['Bearer', [...more, ...facts].join(', ')].join(' ').trim()
  // With callbacks, because this runs before every call: a key that is remembered costs no promise of its own.
  return function authenticateRequest(
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ): void {
    const secret = bearerSecret(request)
    if (secret === null) {
      reply.header('www-authenticate', challenge([]))
      done(noKeyIn(request.headers.authorization))
      return
    }
    authenticator.authenticate(secret).then(
      (caller) => {
        request.caller = caller
        done()
      },
      (error: Error) => {
        if (error instanceof AppError && error.code === 'invalid_token')
          reply.header('www-authenticate', challenge(['error="invalid_token"']))
        done(error)
      },
    )
  }
}

function noKeyIn(header: string | undefined): AppError {
  if (header === undefined) return new AppError('invalid_token', 'This address needs a key.')
  if (header.trim().toLowerCase() !== 'bearer')
    return new AppError(
      'invalid_token',
      'The Authorization header does not read "Bearer <API_KEY>".',
    )
  return new AppError('invalid_token', 'The Authorization header holds no key after "Bearer".', {
    fix: 'Check that the variable that the key comes from is set where the call is made.',
  })
}

const BEARER = /^Bearer +([^\s]+) *$/i

/** The secret that the request carries, or null. */
export function bearerSecret(request: FastifyRequest): string | null {
  return BEARER.exec(request.headers.authorization ?? '')?.[1] ?? null
}
