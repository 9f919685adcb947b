/** The gateway as the authorization server of its own resource (RFC 8414, RFC 9728). */

/** The scope of every action. Patterns such as "core/*" are scopes of some. */
export const EVERY_ACTION = 'actions'

export const ACCESS_TOKEN_SECONDS = 3600

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The resource of the access tokens (RFC 8707): the address of the MCP server. */
export function resourceOf(publicUrl: string): string {
  return `${publicUrl}/mcp`
}

/**
 * Whether clients can sign in here. OAuth requires https, except on the machine itself. Elsewhere
 * the gateway accepts only keys, and advertises no authorization server.
 */
export function offersOAuth(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || LOOPBACK.has(hostname)
}

/** The metadata of RFC 8414. */
export function serverMetadata(publicUrl: string) {
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth/authorize`,
    token_endpoint: `${publicUrl}/oauth/token`,
    registration_endpoint: `${publicUrl}/oauth/register`,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    scopes_supported: [EVERY_ACTION],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${publicUrl}/guide`,
  }
}
