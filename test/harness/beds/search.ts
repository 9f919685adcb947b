/** A gateway with the operator's search engine: the call path, a recorded SearXNG and a local website. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { grantCredit } from '../../../src/accounts/grant-credit.ts'
import { openSearch } from '../../../src/app/wiring/in-house/search.ts'
import { loadConfig } from '../../../src/app/settings/config.ts'
import { runCall } from '../../../src/calls/run.ts'
import type { InHouseHandler } from '../../../src/catalog/vocabulary/handlers.ts'
import {
  SEARCH_HANDLERS,
  searchHandlers,
  type SearchHandlerDeps,
} from '../../../src/composites/search/search-handlers.ts'
import { createSchemaChecker } from '../../../src/composites/extraction/schema-checker.ts'
import type { Caller } from '../../../src/keys/caller.ts'
import { cents } from '../../../src/lib/money.ts'
import { createPages } from '../../../src/reader/create-pages.ts'
import { createPlainDispatcher } from '../../../src/upstream/http1/plain-dispatcher.ts'
import { cleanUp } from '../clean-up.ts'
import { startSearxng, type SearxngServer } from '../vendors/searxng-server.ts'
import { openCallBed, type CallBed } from './calls.ts'

export type SearchBed = CallBed & {
  readonly searxng: SearxngServer
  /** Pages of the local website by path. */
  readonly pages: Map<string, string>
  readonly site: string
  /** A call with a live key. Rejects with its error. */
  run(
    action: string,
    body: object,
    caller?: Caller,
  ): Promise<{ readonly data: Record<string, unknown>; readonly charged: bigint }>
}

/** `model` replaces the language model; without it the gateway has no model. */
export async function openSearchBed(
  environment: Record<string, string> = {},
  model: Partial<Pick<SearchHandlerDeps, 'complete' | 'extractData'>> = {},
): Promise<SearchBed> {
  let handlers: ReadonlyMap<string, InHouseHandler> = new Map()
  const bed = await openCallBed({
    configured: false,
    inHouse: new Map(
      SEARCH_HANDLERS.map((name) => [
        name,
        (input, tools) =>
          handlers.get(name)?.(input, tools) ?? Promise.reject(new RangeError(name)),
      ]),
    ),
  })
  const { database, clock } = bed
  const searxng = await startSearxng()
  const pages = new Map<string, string>()
  const site = await startSite(pages)
  const config = loadConfig({
    SEARXNG_URL: searxng.url,
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
    ...environment,
  })
  const reader = createPages({
    allowPrivateNetworks: config.allowPrivateNetworks,
    ownPages: [],
    userAgent: 'Tollgate-Test/1.0',
    respectRobots: false,
    browserConcurrency: 1,
    extractionWorkers: 1,
    cacheFolder: '/nonexistent',
    now: clock,
  })
  const operatorDispatcher = createPlainDispatcher()
  const search = openSearch(config, { egress: { operatorDispatcher }, pages: reader, now: clock })
  if (search === null) throw new RangeError('the part is enabled')
  handlers = searchHandlers({
    ...search,
    pages: reader,
    now: clock,
    complete: null,
    extractData: null,
    checker: createSchemaChecker(),
    ...model,
  })
  cleanUp(async () => {
    await reader.close()
    await operatorDispatcher.close()
  })
  await grantCredit(
    { database, now: clock },
    { accountId: bed.caller.accountId, mode: 'live', amount: cents('10000') },
  )
  return {
    ...bed,
    searxng,
    pages,
    site,
    async run(action, body, caller = bed.caller) {
      const [service = '', name = ''] = action.split('/')
      const answer = await runCall(bed.calls, bed.request(service, name, body, { caller }))
      const { data } = JSON.parse(answer.body) as { data: Record<string, unknown> }
      return { data, charged: answer.charged }
    },
  }
}

async function startSite(pages: ReadonlyMap<string, string>): Promise<string> {
  const site = createServer((request, response) => {
    const page = pages.get(request.url ?? '')
    response
      .writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
      .end(page ?? 'missing')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  cleanUp(() => {
    site.closeAllConnections()
    site.close()
  })
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}
