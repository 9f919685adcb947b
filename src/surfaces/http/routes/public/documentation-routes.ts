/** /docs: the documentation as pages, as Markdown for programs, and its search. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Documentation, DocumentationPage } from '../../documentation/open-documentation.ts'
import { createSliced, type Steps } from '../../../../lib/background/sliced.ts'
import { documentationList } from '../../documentation/documentation-list.ts'
import { openDocumentationImages } from '../../documentation/documentation-images.ts'
import type { Site } from '../../html/layout/layout.ts'
import { docsHomePage } from '../../html/pages/docs-home-page.ts'
import { docsMissingPage, docsPage } from '../../html/pages/docs-page.ts'
import { docsSearchPage } from '../../html/pages/docs-search-page.ts'
import type { FindInDocs } from './find-in-docs.ts'
import { readQuery } from './read-query.ts'
import {
  HTML_TYPE,
  JSON_TYPE,
  lazyDocument,
  MARKDOWN_TYPE,
  PNG_TYPE,
  sendDocument,
  storeDocument,
  type StoredDocument,
} from './documents.ts'

type SearchRoute = { Querystring: { q?: string | string[] } }
type ImageRoute = { Params: { name: string } }
type PageRoute = { Params: { '*': string } }

export type DocumentationDeps = {
  readonly site: Site
  readonly documentation: Documentation
  readonly find: FindInDocs
}

export async function documentationRoutes(
  app: FastifyInstance,
  { site, documentation, find }: DocumentationDeps,
): Promise<void> {
  const readImage = await openDocumentationImages()
  const home = lazyDocument(() => page(docsHomePage(site, documentation)))
  const list = lazyDocument(() => storeDocument(documentationList(documentation), MARKDOWN_TYPE))
  const missing = lazyDocument(() =>
    storeDocument(docsMissingPage(site, documentation), HTML_TYPE, { status: 404 }),
  )
  // Bounded by the pages and images of the documentation.
  const rendered = new Map<string, StoredDocument | Promise<StoredDocument>>()
  const documentAt = (address: string): StoredDocument | Promise<StoredDocument> => {
    const known = rendered.get(address)
    if (known !== undefined) return known
    const steps = renderAt(site, documentation, address)
    if (steps === null) return missing()
    const rendering = createSliced(() => steps).inSlices()
    rendered.set(address, rendering)
    return rendering
  }
  const send = (address: string) => async (request: FastifyRequest, reply: FastifyReply) =>
    sendDocument(request, reply, await documentAt(address))

  app.get('/docs', (request, reply) => sendDocument(request, reply, home()))
  app.get('/docs.md', (request, reply) => sendDocument(request, reply, list()))
  app.get('/guide', send('getting-started'))
  app.get<SearchRoute>('/docs/search', async (request, reply) => {
    const query = readQuery(request.query.q)
    const view = { query, hits: await find(query, request.ip) }
    return sendDocument(
      request,
      reply,
      storeDocument(docsSearchPage(site, documentation, view), HTML_TYPE, { isSentOnce: true }),
    )
  })
  app.get<SearchRoute>('/docs/search.json', async (request, reply) => {
    const hits = await find(readQuery(request.query.q), request.ip)
    const body = JSON.stringify({ hits })
    return sendDocument(request, reply, storeDocument(body, JSON_TYPE, { isSentOnce: true }))
  })
  app.get<ImageRoute>('/docs/images/:name', async (request, reply) => {
    const { name } = request.params
    const known = rendered.get(`images/${name}`)
    const content = known === undefined ? await readImage(name) : null
    if (content === null) return sendDocument(request, reply, (await known) ?? missing())
    const document = storeDocument(content, PNG_TYPE)
    rendered.set(`images/${name}`, document)
    return sendDocument(request, reply, document)
  })
  app.get<PageRoute>('/docs/*', (request, reply) => send(request.params['*'])(request, reply))
}

/** The page, or with the ending .md its Markdown. Null: there is no such page. */
function renderAt(
  site: Site,
  documentation: Documentation,
  address: string,
): Steps<StoredDocument> | null {
  const known = documentation.find(address)
  if (known !== undefined) return renderPage(site, documentation, known)
  const plain = address.endsWith('.md') ? documentation.find(address.slice(0, -3)) : undefined
  return plain === undefined ? null : renderPlain(documentation, plain)
}

function* renderPage(
  site: Site,
  documentation: Documentation,
  known: DocumentationPage,
): Steps<StoredDocument> {
  const rendered = yield* documentation.render(known)
  yield
  return page(docsPage(site, documentation, { page: known, rendered }))
}

function* renderPlain(
  documentation: Documentation,
  plain: DocumentationPage,
): Steps<StoredDocument> {
  return storeDocument(yield* documentation.markdownOf(plain), MARKDOWN_TYPE)
}

function page(markup: string): StoredDocument {
  return storeDocument(markup, HTML_TYPE)
}
