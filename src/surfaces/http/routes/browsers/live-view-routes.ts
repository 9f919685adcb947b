import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownerOf } from '../../../../keys/caller.ts'
import type { BrowserDeps } from '../../../../resources/browsers/browser-deps.ts'
import { FRAME_STREAM_TYPE } from '../../../../resources/browsers/in-house/view/frame-stream.ts'
import { requireWatchable, watchBrowser } from '../../../../resources/browsers/watch-browser.ts'
import { whileAllowed } from '../../guards/while-allowed.ts'
import { requires } from '../../guards/requires.ts'

export type LiveViewDeps = {
  readonly browsers: BrowserDeps
  /** Reads the caller of a request again. Rejects when the key or the session has ended. */
  readonly authenticate: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

/** The image of a browser session, for its owner. Requires `requireKeyOrSession`. */
export function liveViewRoutes(
  app: FastifyInstance,
  { browsers, authenticate }: LiveViewDeps,
): void {
  const open = new Set<Readable>()
  app.addHook('preClose', async () => {
    for (const stream of open) stream.destroy()
  })

  app.get<{ Params: { session: string } }>(
    '/api/v1/browsers/:session/live',
    requires('calls.view'),
    async (request, reply) => {
      const { session } = request.params
      const watched = () => ({ owner: ownerOf(request.caller), session })
      reply.header('cache-control', 'no-store, no-transform').type(FRAME_STREAM_TYPE)
      // Fastify would read the stream of a HEAD request until the session ends.
      if (request.method === 'HEAD') {
        await requireWatchable(browsers, watched())
        return reply.send('')
      }
      const stream = await watchBrowser(browsers, watched())
      // The key may be revoked, and the member removed, while the image is open.
      const leave = whileAllowed(
        () => authenticate(request, reply).then(() => requireWatchable(browsers, watched())),
        () => stream.destroy(),
      )
      open.add(stream)
      stream.once('close', () => {
        open.delete(stream)
        leave()
      })
      return reply.header('x-accel-buffering', 'no').send(stream)
    },
  )
}
