/** OAuth clients, and their metadata in a document (CIMD) or a registration (RFC 7591). */
import { OAuthError } from './oauth-error.ts'
import { LONGEST_REDIRECT_URI, redirectTargetOf } from './redirect-uri.ts'

/** `document`: the client id is the URL of its metadata, so its host is verified. */
export type Client = {
  readonly id: string
  readonly kind: 'document' | 'registered'
  /** The client's own text: not verified. */
  readonly name: string
  readonly redirectUris: readonly string[]
}

export type ClientMetadata = Pick<Client, 'name' | 'redirectUris'>

const MOST_REDIRECT_URIS = 10
const LONGEST_NAME = 80
const LONGEST_CLIENT_ID = 500
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i
const UNREADABLE = /[\p{C}\p{Zl}\p{Zp}]/gu

/**
 * The URL of a client id that is one; null for any other id. The rules are those of
 * draft-ietf-oauth-client-id-metadata-document: https, a path, and no other way to write the same URL.
 */
export function documentUrlOf(clientId: string): URL | null {
  if (clientId.length > LONGEST_CLIENT_ID || DOT_SEGMENT.test(clientId)) return null
  const url = URL.parse(clientId)
  if (url === null || url.protocol !== 'https:' || url.href !== clientId) return null
  const { username, password, hash, pathname } = url
  return username === '' && password === '' && hash === '' && pathname !== '/' ? url : null
}

/** The host of the client's metadata; null for a client that registered itself. */
export function hostOfClient(clientId: string): string | null {
  return documentUrlOf(clientId)?.host ?? null
}

/**
 * The metadata that matter here. Throws OAuthError invalid_client_metadata or invalid_redirect_uri.
 * `fallbackName` names a client without a name.
 */
export function readClientMetadata(document: unknown, fallbackName: string): ClientMetadata {
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new OAuthError('invalid_client_metadata', 'The client metadata is not a JSON object.')
  const {
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: grants,
    response_types: responses,
  } = document as Readonly<Record<string, unknown>>
  requireMember(grants, 'authorization_code', 'grant_types')
  requireMember(responses, 'code', 'response_types')
  return {
    name: readableName(typeof name === 'string' ? name : '') ?? fallbackName,
    redirectUris: readRedirectUris(redirectUris),
  }
}

function readRedirectUris(uris: unknown): readonly string[] {
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MOST_REDIRECT_URIS)
    throw new OAuthError(
      'invalid_redirect_uri',
      `"redirect_uris" must be a list of 1 to ${MOST_REDIRECT_URIS} URIs.`,
    )
  const wrong = uris.findIndex((uri) => typeof uri !== 'string' || redirectTargetOf(uri) === null)
  if (wrong !== -1)
    throw new OAuthError(
      'invalid_redirect_uri',
      `"redirect_uris[${wrong}]" must be an https URL, an http URL of a loopback address, or a URI of an app (com.example.app:/…), without fragment and of at most ${LONGEST_REDIRECT_URI} characters.`,
    )
  return uris as readonly string[]
}

function requireMember(list: unknown, member: string, field: string): void {
  if (list === undefined || (Array.isArray(list) && list.includes(member))) return
  throw new OAuthError('invalid_client_metadata', `"${field}" must contain "${member}".`)
}

/** Removes characters that hide or reorder text. Null if nothing remains. */
function readableName(text: string): string | null {
  const name = text.replaceAll(UNREADABLE, '').replaceAll(/\s+/g, ' ').trim()
  return name === '' ? null : [...name].slice(0, LONGEST_NAME).join('').trim()
}
