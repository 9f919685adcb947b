import type { FastifyInstance } from 'fastify'

export const RESOURCE_PATH = '/mcp'
const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** The address of the metadata, for the challenge of a 401. */
export function metadataUrl(publicUrl: string): string {
  return `${publicUrl}${METADATA_PATH}${RESOURCE_PATH}`
}

/**
 * Serves the metadata of RFC 9728. It names no authorization server, because clients send a key of
 * the gateway as their bearer token.
 */
export async function protectedResourceRoutes(
  app: FastifyInstance,
  { publicUrl }: { readonly publicUrl: string },
): Promise<void> {
  const metadata = {
    resource: `${publicUrl}${RESOURCE_PATH}`,
    resource_name: 'Tollgate',
    bearer_methods_supported: ['header'],
    resource_documentation: `${publicUrl}/guide`,
  }
  for (const path of [METADATA_PATH, `${METADATA_PATH}${RESOURCE_PATH}`]) {
    app.get(path, (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=300')
        .header('access-control-allow-origin', '*')
        .send(metadata),
    )
  }
}
