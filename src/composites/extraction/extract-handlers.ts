import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { fieldsOf, isFields } from '../../lib/json-fields.ts'
import type { Pages } from '../../reader/create-pages.ts'
import { requireCrawl } from '../crawls/crawl-handlers.ts'
import type { CrawlInput } from '../crawls/crawl.ts'
import { listRows } from '../crawls/crawl-reads.ts'
import { createCrawl } from '../crawls/crawl-store.ts'
import { requireSchema } from './extract-data.ts'
import type { SchemaChecker } from './schema-checker.ts'

export type ExtractHandlerDeps = {
  readonly database: Database
  readonly now: Clock
  readonly pages: Pick<Pages, 'checkPage'>
  readonly checker: SchemaChecker
}
type ExtractService = 'render/extract' | 'render2/extract'

const CHECK_MS = 15_000

/** The extractions that the gateway does itself, in the reply shapes of the vendors. */
export function extractHandlers(deps: ExtractHandlerDeps): ReadonlyMap<string, InHouseHandler> {
  return new Map<string, InHouseHandler>([
    ['render.extract', launch(deps, 'render/extract')],
    ['render.extract_status', renderStatus(deps)],
    ['render2.extract', launch(deps, 'render2/extract')],
    ['render2.extract_status', render2Status(deps)],
  ])
}

/** Fails without charge if the schema is unusable or no page can be read at all. */
function launch(
  { database, now, pages, checker }: ExtractHandlerDeps,
  service: ExtractService,
): InHouseHandler {
  return async (raw, { accountId, mode, keyId, scope, signal }) => {
    const input = toInput(raw)
    await requireSchema(
      checker,
      { schema: input.extraction?.schema, param: 'schema' },
      { accountId, signal },
    )
    const problems = await Promise.all(
      (input.extraction?.urls ?? []).map((url) =>
        pages.checkPage(url, { signal, timeoutMs: CHECK_MS }),
      ),
    )
    if (!problems.includes(null))
      return { success: false, error: problems[0] ?? 'No page can be read.' }
    const id = newId(now())
    await createCrawl(database, { accountId, mode, keyId, scope }, { id, service, input }, now())
    return { success: true, id }
  }
}

function toInput({ urls, prompt, schema, basis }: Data): CrawlInput {
  const pages = (urls as readonly string[]).map((url) => new URL(url).href)
  return {
    url: pages[0] ?? '',
    formats: ['markdown'],
    onlyMainContent: true,
    // One row more for the data of all pages.
    maxPages: pages.length + 1,
    maxDepth: 0,
    extraction: {
      urls: [...new Set(pages)],
      ...(typeof prompt === 'string' ? { prompt } : {}),
      ...(isFields(schema) ? { schema } : {}),
      ...(basis === true ? { basis } : {}),
    },
  }
}

function renderStatus({ database }: ExtractHandlerDeps): InHouseHandler {
  return async ({ id }, tools) => {
    const { status } = await requireCrawl(database, tools, 'render/extract', id)
    if (status === 'scraping') return { success: true, status: 'processing', data: {} }
    const rows = await listRows(database, String(id))
    const { data, error, warning } = fieldsOf(rows.at(-1)?.document)
    return {
      success: true,
      status,
      data: data ?? {},
      ...(status === 'failed' ? { error: error ?? 'The extraction was given up.' } : {}),
      ...(warning === undefined ? {} : { warning }),
      sources: rows.slice(0, -1).map(({ url, state }) => ({ url, read: state === 'read' })),
    }
  }
}

function render2Status({ database }: ExtractHandlerDeps): InHouseHandler {
  return async ({ id }, tools) => {
    const { status } = await requireCrawl(database, tools, 'render2/extract', id)
    const rows = await listRows(database, String(id))
    return {
      success: true,
      id,
      status: status === 'scraping' ? 'processing' : status,
      results: rows.map(({ url, state, document }) =>
        isFields(document)
          ? document
          : {
              url,
              status: state === 'waiting' && status === 'scraping' ? 'processing' : 'failed',
            },
      ),
    }
  }
}

/** The fix of an extraction on a gateway without a language model. */
export function withoutModel(param: string): AppError {
  return new AppError(
    'upstream_not_configured',
    `This gateway reads the page itself and has no language model for "${param}". Nothing was charged.`,
    {
      param,
      fix: `Remove "${param}". The operator of this gateway can support it with UPSTREAM_LLM_KEY or UPSTREAM_LLM_URL, or with a key of the vendor.`,
    },
  )
}
