/** The endpoints of the authorization server that programs request. People see `consent-routes.ts`. */
import type { FastifyInstance } from 'fastify'
import { Attempts, type AttemptLimits } from '../../../../auth/attempts.ts'
import { offersOAuth, serverMetadata } from '../../../../auth/oauth/authorization-server.ts'
import { exchangeCode } from '../../../../auth/oauth/codes.ts'
import type { OAuthDeps } from '../../../../auth/oauth/oauth-deps.ts'
import { REFRESH_LIMITS, refreshTokens } from '../../../../auth/oauth/refresh.ts'
import { REGISTRATION_LIMITS, registerClient } from '../../../../auth/oauth/registrations.ts'
import { revokeToken } from '../../../../auth/oauth/revoke.ts'
import { answerPreflights } from '../../answer-preflights.ts'
import { allowAnyPage, allowPages } from '../../../mcp/allow-pages.ts'
import { nameAuthors } from '../audit/name-authors.ts'
import { renderOAuthError } from './render-oauth-error.ts'
import { readRevocation, readTokenRequest } from './token-request.ts'

const METADATA_PATH = '/.well-known/oauth-authorization-server'
const BODY_LIMIT_BYTES = 8192

/** A hosted client sends the requests of all its users from few networks. */
const TOKEN_LIMITS = {
  fromAddress: 3_000,
  windowMs: 15 * 60_000,
} as const satisfies AttemptLimits

/** Registers the endpoints, unless clients cannot sign in at this gateway's address. */
export async function oauthRoutes(app: FastifyInstance, deps: OAuthDeps): Promise<void> {
  const { now, publicUrl } = deps
  if (!offersOAuth(publicUrl)) return
  const metadata = serverMetadata(publicUrl)
  // Some clients insert the path of the resource, which older revisions of MCP prescribed.
  for (const path of [METADATA_PATH, `${METADATA_PATH}/mcp`]) {
    app.get(path, { onRequest: allowAnyPage }, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=300').send(metadata),
    )
    answerPreflights(app, path, { method: 'GET', allow: allowAnyPage })
  }
  app.setErrorHandler(renderOAuthError)
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(body as string)),
  )
  nameAuthors(app)
  const allow = allowPages(publicUrl)
  for (const name of ['register', 'token', 'revoke'])
    answerPreflights(app, `/oauth/${name}`, { method: 'POST', allow })
  const options = { bodyLimit: BODY_LIMIT_BYTES, onRequest: allow }
  const registrations = new Attempts(REGISTRATION_LIMITS, now)
  const requests = new Attempts(TOKEN_LIMITS, now)
  const refreshes = new Attempts(REFRESH_LIMITS, now)

  app.post('/oauth/register', options, async ({ body, ip }, reply) => {
    registrations.count({ address: ip })
    const { id, name, redirectUris } = await registerClient(deps, body)
    return reply
      .code(201)
      .header('cache-control', 'no-store')
      .send({
        client_id: id,
        client_id_issued_at: Math.floor(now() / 1000),
        client_name: name,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      })
  })

  app.post('/oauth/token', options, async ({ body, ip }, reply) => {
    requests.count({ address: ip })
    const sent = readTokenRequest(formOf(body), publicUrl)
    const answer =
      sent.grant === 'authorization_code'
        ? await exchangeCode(deps, sent)
        : await refreshTokens(deps, refreshes, sent)
    return reply.header('cache-control', 'no-store').header('pragma', 'no-cache').send(answer)
  })

  app.post('/oauth/revoke', options, async ({ body, ip }, reply) => {
    requests.count({ address: ip })
    await revokeToken(deps, readRevocation(formOf(body)))
    return reply.code(200).header('cache-control', 'no-store').send()
  })
}

/** The fields of a form. A body of another type has none, so its first field is missing. */
function formOf(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}
