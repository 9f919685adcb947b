import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import { notFoundPage } from './html/not-found-page.ts'
import type { KnownRoutes } from './record-routes.ts'
import { renderChatError } from '../router/render-chat-error.ts'
import { loadAssets } from './routes/public/assets.ts'
import { HTML_TYPE } from './routes/public/documents.ts'

/** Also where clients of chat-completions land that were given another base address. */
const OF_THE_ROUTER = /^\/api\/llm(\/|$|\?)|\/chat\/completions\/?(\?|$)/

const SERVICE_ALONE = /^\/api\/run\/[^/?]+\/?(\?|$)/

/** What is answered where no route is: 405 when only the method is wrong, a page for people, an error for programs in the form that they know. */
export async function notFound(
  app: FastifyInstance,
  { routes, publicUrl }: { readonly routes: KnownRoutes; readonly publicUrl: string },
): Promise<void> {
  const page = notFoundPage({ publicUrl, version: (await loadAssets()).version })
  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const allowed = routes.methodsOf(request.url)
    const isOfRouter = OF_THE_ROUTER.test(request.url)
    if (allowed.length > 0) {
      reply.header('allow', allowed.join(', '))
      const error = new AppError(
        'method_not_allowed',
        `This address takes ${allowed.join(', ')}, not ${request.method}.`,
      )
      if (isOfRouter) return renderChatError(error, request, reply)
      throw error
    }
    if (isOfRouter)
      return renderChatError(nothingOfTheRouter(request.url, publicUrl), request, reply)
    if (request.headers.accept?.includes('text/html') === true)
      return reply.code(404).type(HTML_TYPE).send(page)
    if (SERVICE_ALONE.test(request.url))
      throw new AppError('not_found', 'This address names a service, but none of its actions.', {
        fix: 'Call /api/run/{service}/{action}. GET /api/run lists the actions of each service.',
      })
    throw new AppError('not_found', 'There is nothing at this address.')
  }
  app.setNotFoundHandler(answer)
  // Before the body is read: anybody may send one here, and nobody looks at it.
  app.addHook('onRequest', answer)
}

/** What clients of the wire may be set to send besides chat-completions, several by default, and where the same is had. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  responses:
    'Set the client to chat-completions: .chat(model) in the AI SDK, setOpenAIAPI("chat_completions") in the Agents SDK, useResponsesApi: false in LangChain.',
  messages: 'Claude models in the Messages form are the action llmnative-a/messages of /api/run.',
  completions: 'Send the prompt as a message of the user to chat/completions.',
  embeddings: 'Embeddings are the action llmnative-b/embeddings of /api/run.',
  images: 'Pictures are the action media/generate of /api/run.',
  audio: 'Speech and music are the action media/generate of /api/run.',
}

/** All of it stands in the message too where the base address is right: most clients show nothing else. */
function nothingOfTheRouter(url: string, publicUrl: string): AppError {
  const name = /^\/api\/llm\/v1\/([a-z_]{1,30})/.exec(url)?.[1]
  const takes = 'It takes chat/completions, models and pricing.'
  if (name === undefined)
    return new AppError(
      'not_found',
      `There is nothing at this address; the base address for clients is ${publicUrl}/api/llm/v1.`,
      { fix: takes },
    )
  const elsewhere = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined
  const fix = elsewhere === undefined ? takes : `${takes} ${elsewhere}`
  return new AppError('not_found', `This router has no "${name}". ${fix}`, { fix })
}
