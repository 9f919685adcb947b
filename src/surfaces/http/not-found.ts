import type { FastifyInstance } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import { notFoundPage } from './html/not-found-page.ts'
import type { KnownRoutes } from './known-routes.ts'
import { loadAssets } from './routes/public/assets.ts'
import { HTML_TYPE } from './routes/public/documents.ts'

/** What is answered where no route is: 405 when only the method is wrong, a page for people, an error for programs. */
export async function notFound(app: FastifyInstance, { routes, publicUrl }: { readonly routes: KnownRoutes; readonly publicUrl: string }): Promise<void> {
  const page = notFoundPage({ publicUrl, version: (await loadAssets()).version })
  app.setNotFoundHandler((request, reply) => {
    const allowed = routes.methodsOf(request.url)
    if (allowed.length > 0) {
      reply.header('allow', allowed.join(', '))
      throw new AppError('method_not_allowed', `This address takes ${allowed.join(', ')}, not ${request.method}.`)
    }
    if (request.headers.accept?.includes('text/html') === true) return reply.code(404).type(HTML_TYPE).send(page)
    throw new AppError('not_found', 'There is nothing at this address.')
  })
}
