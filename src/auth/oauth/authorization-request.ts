import { AppError } from '../../errors/app-error.ts'
import type { Id } from '../../lib/ids.ts'
import { resourceOf } from './authorization-server.ts'
import { documentUrlOf, type Client } from './client.ts'
import type { ClientDocuments } from './client-documents.ts'
import type { OAuthDeps } from './oauth-deps.ts'
import { OAuthError } from './oauth-error.ts'
import { isCodeChallenge } from './pkce.ts'
import { isRegisteredRedirect } from './redirect-uri.ts'
import { findRegistration } from './registrations.ts'
import { actionsOfScope } from './scope.ts'

/** The valid request of a client for access. */
export type AuthorizationRequest = {
  readonly clientId: string
  readonly redirectUri: string
  readonly state: string | null
  readonly codeChallenge: string
  readonly resource: string
  /** The requested actions as patterns; null: every action. */
  readonly allow: readonly string[] | null
}

/** `refused`: the error that the client receives at its redirect URI. */
export type ReadRequest =
  | { readonly client: Client; readonly request: AuthorizationRequest }
  | {
      readonly refused: OAuthError
      readonly redirectUri: string
      readonly state: string | null
    }

type Deps = Pick<OAuthDeps, 'database' | 'now' | 'publicUrl'> & {
  readonly documents: ClientDocuments
  /** The account of the signed-in person. */
  readonly account: Id
}

/**
 * Reads the query of an authorization request. Throws AppError bad_request, which the person sees, as
 * long as the client or its redirect URI is unknown: an unchecked URI must not be redirected to.
 */
export async function readAuthorizationRequest(
  deps: Deps,
  query: URLSearchParams,
): Promise<ReadRequest> {
  const client = await findClient(deps, onlyValue(query, 'client_id'))
  const redirectUri = onlyValue(query, 'redirect_uri')
  if (!isRegisteredRedirect(client.redirectUris, redirectUri))
    throw refusedRequest('This address is not a redirect URI of the client.')
  const states = query.getAll('state')
  const state = states[0] ?? null
  try {
    if (states.length > 1) throw new OAuthError('invalid_request', '"state" is repeated.')
    return {
      client,
      request: { ...readRest(deps, query), clientId: client.id, redirectUri, state },
    }
  } catch (error) {
    if (error instanceof OAuthError) return { refused: error, redirectUri, state }
    throw error
  }
}

/** Throws AppError bad_request, or the error of fetching the metadata. */
async function findClient(deps: Deps, id: string): Promise<Client> {
  const url = documentUrlOf(id)
  try {
    const client =
      url === null ? await findRegistration(deps, id) : await deps.documents.read(url, deps.account)
    if (client !== null) return client
  } catch (error) {
    if (error instanceof OAuthError) throw refusedRequest(error.message)
    if (error instanceof AppError && error.code !== 'overloaded')
      throw refusedRequest(`The metadata of the client could not be read: ${error.message}`)
    throw error
  }
  throw refusedRequest('The client is unknown, or its registration has expired.')
}

function readRest(
  { publicUrl }: Pick<OAuthDeps, 'publicUrl'>,
  query: URLSearchParams,
): Pick<AuthorizationRequest, 'codeChallenge' | 'resource' | 'allow'> {
  const one = (name: string): string | null => {
    const values = query.getAll(name)
    if (values.length > 1) throw new OAuthError('invalid_request', `"${name}" is repeated.`)
    return values[0] ?? null
  }
  if (one('response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', '"response_type" must be "code".')
  if ((one('response_mode') ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', '"response_mode" must be "query".')
  const codeChallenge = one('code_challenge') ?? ''
  if (one('code_challenge_method') !== 'S256' || !isCodeChallenge(codeChallenge))
    throw new OAuthError(
      'invalid_request',
      'PKCE is required: send "code_challenge" with "code_challenge_method=S256".',
    )
  return {
    codeChallenge,
    resource: readResource(query.getAll('resource'), publicUrl),
    allow: actionsOfScope(one('scope')),
  }
}

/**
 * The resource of a request (RFC 8707). Older clients name none. Throws OAuthError invalid_target for
 * any other resource.
 */
export function readResource(named: readonly string[], publicUrl: string): string {
  const resource = resourceOf(publicUrl)
  const other = named.find((one) => one !== resource && one !== `${resource}/`)
  if (other === undefined) return resource
  throw new OAuthError('invalid_target', `"resource" must be "${resource}".`)
}

function onlyValue(query: URLSearchParams, name: string): string {
  const [value = '', ...others] = query.getAll(name)
  if (value !== '' && others.length === 0) return value
  throw refusedRequest(`The parameter "${name}" is ${value === '' ? 'missing' : 'repeated'}.`)
}

function refusedRequest(message: string): AppError {
  return new AppError('bad_request', message, {
    fix: 'Start again in the app that you want to connect. If the problem persists, report it to the maker of the app.',
  })
}
