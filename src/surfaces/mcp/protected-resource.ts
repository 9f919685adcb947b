import type { FastifyInstance } from 'fastify'
import { EVERY_ACTION, offersOAuth, resourceOf } from '../../auth/oauth/authorization-server.ts'
import { answerPreflights } from '../http/answer-preflights.ts'
import { allowAnyPage, allowPages } from './allow-pages.ts'
import { checkHosts } from './allowed-hosts.ts'

export const RESOURCE_PATH = '/mcp'
const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** The parameters of the challenge of a 401: the metadata, and the scope to request. */
export function challengeOf(publicUrl: string): readonly string[] {
  return [
    `resource_metadata="${publicUrl}${METADATA_PATH}${RESOURCE_PATH}"`,
    ...(offersOAuth(publicUrl) ? [`scope="${EVERY_ACTION}"`] : []),
  ]
}

/**
 * Serves the metadata of RFC 9728. Clients send a key of the gateway or an access token, which this
 * gateway itself issues.
 */
export async function protectedResourceRoutes(
  app: FastifyInstance,
  { publicUrl }: { readonly publicUrl: string },
): Promise<void> {
  const metadata = {
    resource: resourceOf(publicUrl),
    resource_name: 'Tollgate',
    ...(offersOAuth(publicUrl)
      ? { authorization_servers: [publicUrl], scopes_supported: [EVERY_ACTION] }
      : {}),
    bearer_methods_supported: ['header'],
    resource_documentation: `${publicUrl}/guide`,
  }
  for (const path of [METADATA_PATH, `${METADATA_PATH}${RESOURCE_PATH}`]) {
    app.get(path, { onRequest: allowAnyPage }, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=300').send(metadata),
    )
    answerPreflights(app, path, { method: 'GET', allow: allowAnyPage })
  }
}

/** Answers preflights of the resource, which carry no key. */
export async function preflightRoutes(
  app: FastifyInstance,
  { publicUrl }: { readonly publicUrl: string },
): Promise<void> {
  app.addHook('onRequest', checkHosts(publicUrl))
  answerPreflights(app, RESOURCE_PATH, { method: 'POST', allow: allowPages(publicUrl) })
}
