/** /sitemap.xml: the public pages for search engines. */
import { toXml } from '../../../../lib/escapes.ts'
import type { Published } from '../../../../catalog/published/catalog-index.ts'
import { endpointPath } from '../../html/pages/catalog/endpoint-paths.ts'

export const XML_TYPE = 'application/xml; charset=utf-8'

const FIXED_PATHS = [
  '/',
  '/catalog',
  '/models',
  '/pricing',
  '/playground',
  '/status',
  '/docs',
] as const

/** `further`: paths of pages that do not come from the catalog. */
export function siteMap({ services, publicUrl }: Published, further: readonly string[]): string {
  const paths = services.flatMap(({ id, actions }) =>
    Object.entries(actions).flatMap(([name, action]) => [
      `/catalog/${id}/${name}`,
      ...(action.kind === 'endpoint'
        ? action.endpoints.map(({ endpoint }) => endpointPath(id, name, endpoint))
        : []),
    ]),
  )
  const urls = [...FIXED_PATHS, ...further, ...paths].map(
    (path) => `<url><loc>${toXml(`${publicUrl}${path}`)}</loc></url>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('')}</urlset>
`
}

const ROBOTS = `User-agent: *
Disallow: /api/
Disallow: /search.json
Disallow: /docs/search?
Disallow: /docs/search.json
Disallow: /playground/
Disallow: /sign-in
Disallow: /welcome
Disallow: /invitations
Disallow: /balance
Disallow: /calls
Disallow: /credit
Disallow: /keys
Disallow: /webhooks
Disallow: /team
Disallow: /changes
Disallow: /account
Disallow: /operate
Disallow: /oauth/`

export function robotsTxt({ publicUrl }: Published): string {
  return `${ROBOTS}
Sitemap: ${publicUrl}/sitemap.xml
`
}
