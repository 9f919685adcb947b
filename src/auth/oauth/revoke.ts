import { nameAuthor } from '../../db/author.ts'
import { hashSecret, modeOfSecret } from '../../keys/format.ts'
import type { Id } from '../../lib/ids.ts'
import { endGrant } from './end-grant.ts'
import type { OAuthDeps } from './oauth-deps.ts'
import { OAuthError } from './oauth-error.ts'
import { parseRefreshToken } from './refresh-token.ts'

/** `clientId`: null if the request names none. */
export type Revocation = { readonly token: string; readonly clientId: string | null }

type Found = { readonly id: Id; readonly client_id: string }

/**
 * Ends the grant of an access token or refresh token (RFC 7009). An unknown token has no effect. A
 * key that is no access token is unknown here. Throws OAuthError invalid_client for another client.
 */
export async function revokeToken(deps: OAuthDeps, { token, clientId }: Revocation): Promise<void> {
  const grant = await findGrant(deps, token)
  if (grant === null) return
  if (clientId !== null && clientId !== grant.client_id)
    throw new OAuthError('invalid_client', 'The token was issued to another client.')
  nameAuthor(`client ${grant.client_id}`)
  await endGrant(deps, grant.id)
}

async function findGrant({ database }: OAuthDeps, token: string): Promise<Found | null> {
  const refresh = parseRefreshToken(token)
  if (refresh === null && modeOfSecret(token) === null) return null
  const { rows } = await (refresh === null
    ? database.query<Found>(
        'select id, client_id from keys where (secret_hash = $1 or former_secret_hash = $1) and client_id is not null',
        [Buffer.from(hashSecret(token), 'hex')],
      )
    : database.query<Found>(
        'select id, client_id from keys join oauth_grants on key_id = keys.id where family_hash = $1 and client_id is not null',
        [refresh.familyHash],
      ))
  return rows[0] ?? null
}
