import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import { requires } from '../../guards/requires.ts'
import { serveBrowserSockets, type BrowserSocketDeps } from './browser-sockets.ts'

/** The addresses of in-house browser sessions. The token in the URL authorizes a request; no key is needed. */
export async function browserRoutes(app: FastifyInstance, deps: BrowserSocketDeps): Promise<void> {
  serveBrowserSockets(app, deps)
  app.get('/browsers/:session/cdp', requires('public'), async () => {
    throw new AppError(
      'bad_request',
      'This address serves the Chrome DevTools Protocol over WebSocket.',
      {
        fix: 'Pass the whole connectUrl to a client such as Playwright (connectOverCDP) or Puppeteer (browserWSEndpoint).',
      },
    )
  })
}
