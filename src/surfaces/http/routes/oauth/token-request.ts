import { readResource } from '../../../../auth/oauth/authorization-request.ts'
import type { CodeExchange } from '../../../../auth/oauth/codes.ts'
import { OAuthError } from '../../../../auth/oauth/oauth-error.ts'
import type { Refresh } from '../../../../auth/oauth/refresh.ts'
import type { Revocation } from '../../../../auth/oauth/revoke.ts'

/** A request to the token endpoint. */
export type TokenRequest =
  | ({ readonly grant: 'authorization_code' } & CodeExchange)
  | ({ readonly grant: 'refresh_token' } & Refresh)

const LONGEST_CLIENT_ID = 500

/** Reads the form of a token request. Throws OAuthError invalid_request, unsupported_grant_type or invalid_target. */
export function readTokenRequest(form: URLSearchParams, publicUrl: string): TokenRequest {
  const grant = required(form, 'grant_type')
  const resource = readResource(form.getAll('resource'), publicUrl)
  if (grant === 'authorization_code')
    return {
      grant,
      code: required(form, 'code'),
      clientId: clientIdIn(form),
      redirectUri: required(form, 'redirect_uri'),
      codeVerifier: required(form, 'code_verifier'),
      resource,
    }
  if (grant === 'refresh_token')
    return {
      grant,
      refreshToken: required(form, 'refresh_token'),
      clientId: clientIdIn(form),
      scope: optional(form, 'scope'),
    }
  throw new OAuthError(
    'unsupported_grant_type',
    '"grant_type" must be "authorization_code" or "refresh_token".',
  )
}

/** Reads the form of a revocation. Throws OAuthError invalid_request. */
export function readRevocation(form: URLSearchParams): Revocation {
  return { token: required(form, 'token'), clientId: optional(form, 'client_id') }
}

function clientIdIn(form: URLSearchParams): string {
  const id = required(form, 'client_id')
  if (id.length > LONGEST_CLIENT_ID)
    throw new OAuthError('invalid_client', 'The client id is too long.')
  return id
}

function required(form: URLSearchParams, name: string): string {
  const value = optional(form, name)
  if (value === null) throw new OAuthError('invalid_request', `"${name}" is missing.`)
  return value
}

/** Null if absent or empty. */
function optional(form: URLSearchParams, name: string): string | null {
  const values = form.getAll(name)
  if (values.length > 1) throw new OAuthError('invalid_request', `"${name}" is repeated.`)
  return values[0] === undefined || values[0] === '' ? null : values[0]
}
