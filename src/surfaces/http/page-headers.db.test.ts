import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { createFakeBrowsers } from '../../../test/harness/fake-browsers.ts'
import { openOAuthBed } from './routes/oauth/testing/oauth-bed.ts'

const urls = new Set<string>(['/nowhere', '/inboxes', '/cassettes', '/nowhere/at/all?x=1', '/%'])
function noteRoutes(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    // Streams and long polls have no page.
    if ([method].flat().includes('GET') && !/stream|live$|events|^\/api\//.test(url))
      urls.add(url.replaceAll(/:[A-Za-z_]+|\*/g, 'x'))
  })
}

diagnostics.subscribe('fastify.initialization', noteRoutes)
const bed = await openOAuthBed({ browsers: createFakeBrowsers().own })
diagnostics.unsubscribe('fastify.initialization', noteRoutes)

it('every HTML response has a Content-Security-Policy, errors included', async () => {
  const without: string[] = []
  let pages = 0
  for (const cookie of [undefined, bed.cookie])
    for (const url of urls) {
      const reply = await bed.app.inject({
        url,
        headers: {
          accept: 'text/html',
          host: 'gate.example',
          'sec-fetch-site': 'same-origin',
          ...(cookie === undefined ? {} : { cookie }),
        },
      })
      if (!String(reply.headers['content-type']).startsWith('text/html')) continue
      pages += 1
      const policy = String(reply.headers['content-security-policy'])
      if (!/default-src 'self'.*frame-ancestors 'none'/.test(policy)) without.push(url)
    }
  assert.deepEqual(without, [])
  assert.ok(pages > 40, `${pages} pages`)
})
