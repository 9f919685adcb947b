import { AppError } from '../../../errors/app-error.ts'
import type { Authenticator } from '../../../keys/authenticate.ts'
import type { Caller } from '../../../keys/caller.ts'
import { withRejectedCaller } from '../../../keys/rejected-caller.ts'
import { requireAddress } from '../../../keys/policy/require-address.ts'
import type { RouteReply, RouteRequest } from '../route-objects.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireCaller`, so only on routes behind it. */
    caller: Caller
  }
}

/**
 * Creates a hook that authenticates the key of a request. Throws AppError invalid_token, key_expired or
 * ip_not_allowed. `facts` are further parameters of the `WWW-Authenticate` challenge. Only with `resource` does
 * the hook accept the access tokens of OAuth clients, those of that resource.
 */
export function requireCaller(
  authenticator: Pick<Authenticator, 'authenticate'>,
  facts: readonly string[] = [],
  resource?: string,
) {
  const challenge = (more: readonly string[]): string =>
    ['Bearer', [...more, ...facts].join(', ')].join(' ').trim()
  // The hook uses callbacks, because Fastify allocates further promises for an async hook on every call.
  return function authenticateRequest(
    request: RouteRequest,
    reply: RouteReply,
    done: (error?: Error) => void,
  ): void {
    const secret = bearerSecret(request)
    if (secret === null) {
      reply.header('www-authenticate', challenge([]))
      done(missingKeyError(request.headers.authorization))
      return
    }
    authenticator.authenticate(secret, resource).then(
      (caller) => {
        try {
          requireAddress(caller, request)
          request.caller = caller
        } catch (error) {
          if (error instanceof AppError) withRejectedCaller(error, caller)
          done(error as Error)
          return
        }
        done()
      },
      (error: Error) => {
        if (error instanceof AppError && error.spec.status === 401)
          reply.header('www-authenticate', challenge(['error="invalid_token"']))
        done(error)
      },
    )
  }
}

function missingKeyError(header: string | undefined): AppError {
  if (header === undefined)
    return new AppError('invalid_token', 'This address requires an API key.')
  if (header.trim().toLowerCase() !== 'bearer')
    return new AppError('invalid_token', 'The Authorization header is not "Bearer <API_KEY>".')
  return new AppError('invalid_token', 'The Authorization header has no key after "Bearer".', {
    fix: 'Check that the variable with the key is set where the call is made.',
  })
}

const BEARER = /^Bearer +([^\s]+) *$/i

// Clients of Anthropic's API send their key in this header.
const KEY_HEADER = 'x-api-key'
const ROUTER_ADDRESS = '/api/llm/'

/** The bearer secret of the request, or null. Requests to the router may send it as `x-api-key`. */
export function bearerSecret({
  headers,
  url,
}: Pick<RouteRequest, 'headers' | 'url'>): string | null {
  const { authorization } = headers
  if (authorization !== undefined || !url.startsWith(ROUTER_ADDRESS))
    return BEARER.exec(authorization ?? '')?.[1] ?? null
  const key = headers[KEY_HEADER]
  return typeof key === 'string' && key !== '' ? key.trim() : null
}
