import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import { pageHeaders } from './page-headers.ts'
import { notFoundPage } from './html/pages/not-found-page.ts'
import type { KnownRoutes } from './record-routes.ts'
import { renderChatError } from '../router/render-chat-error.ts'
import { loadAssets } from './routes/public/assets.ts'
import { HTML_TYPE } from './routes/public/documents.ts'

/** Includes the paths of chat-completions clients with a wrong base address. */
const OF_THE_ROUTER = /^\/api\/llm(\/|$|\?)|\/chat\/completions\/?(\?|$)/

const SERVICE_ALONE = /^\/api\/run\/[^/?]+\/?(\?|$)/

/** Answers addresses without a route: 405 for a wrong method, a page for browsers, otherwise a 404 error. */
export async function notFound(
  app: FastifyInstance,
  { routes, publicUrl }: { readonly routes: KnownRoutes; readonly publicUrl: string },
): Promise<void> {
  await app.register(helmet, pageHeaders(publicUrl))
  const page = notFoundPage({ publicUrl, version: (await loadAssets()).version })
  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const allowed = routes.methodsOf(request.url)
    const isOfRouter = OF_THE_ROUTER.test(request.url)
    if (allowed.length > 0) {
      reply.header('allow', allowed.join(', '))
      const error = new AppError(
        'method_not_allowed',
        `This address accepts ${allowed.join(', ')}, not ${request.method}.`,
      )
      if (isOfRouter) return renderChatError(error, request, reply)
      throw error
    }
    if (isOfRouter) return renderChatError(routerNotFound(request.url, publicUrl), request, reply)
    if (request.headers.accept?.includes('text/html') === true)
      return reply.code(404).type(HTML_TYPE).send(page)
    if (SERVICE_ALONE.test(request.url))
      throw new AppError('not_found', 'This address names a service without an action.', {
        fix: 'Call /api/run/{service}/{action}. GET /api/run lists the actions of each service.',
      })
    throw new AppError('not_found', 'Nothing exists at this address.')
  }
  app.setNotFoundHandler(answer)
  // Answers before it reads the body, which is not needed.
  app.addHook('onRequest', answer)
}

/** Other OpenAI APIs, several of them the default of a client, and their replacement here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  images: 'Use images/generations. To edit images, run the action media/generate.',
  audio:
    'Use audio/speech. No action transcribes or translates speech: send the sound as an "input_audio" part to chat/completions, with a model whose input_modalities have audio. For music, run the action media/generate.',
}

/** Repeats the advice in the message, because most clients show only the message. */
function routerNotFound(url: string, publicUrl: string): AppError {
  const name = /^\/api\/llm\/v1\/([a-z_]{1,30})/.exec(url)?.[1]
  const paths =
    'The router has chat/completions, completions, messages, responses, embeddings, images/generations, audio/speech, models and pricing.'
  if (name === undefined)
    return new AppError(
      'not_found',
      `Nothing exists at this address. The base address for clients is ${publicUrl}/api/llm/v1.`,
      { fix: paths },
    )
  const elsewhere = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined
  const fix = elsewhere === undefined ? paths : `${paths} ${elsewhere}`
  return new AppError('not_found', `The router has no "${name}". ${fix}`, { fix })
}
