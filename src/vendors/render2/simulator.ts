/**
 * fastCRW's API: POST /v1/scrape, /search, /map, and the jobs /crawl and /extract, with a bearer
 * key.
 */
import { field } from '../../catalog/answers/vendor-failure.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import { pageFor } from '../../simulators/content.ts'
import { faultOf } from '../../simulators/faults.ts'
import { hitsFor } from '../../simulators/hits.ts'
import { jobOf, startJob } from '../../simulators/jobs.ts'
import { countOf, json, routed } from '../../simulators/routed.ts'
import {
  bearerCredential,
  bodyField,
  stringsOf,
  type SimulatedReply,
  type SimulatedRequest,
  type SimulatedVendor,
} from '../../simulators/vendor.ts'
import { scrapePage } from '../../simulators/scraped-page.ts'

const render2: SimulatedVendor = routed({
  credential: bearerCredential,
  quotaStatus: 429,
  failure: (status, reason) => ({
    status,
    json: {
      success: false,
      error: reason === 'quota' ? 'Out of credits' : `Simulated failure with status ${status}.`,
      error_code:
        reason === 'credentials'
          ? 'unauthorized'
          : status === 400
            ? 'invalid_request'
            : 'simulated',
    },
    // The headers distinguish three kinds of 429. This one means that waiting does not help.
    ...(reason === 'quota' ? { headers: { 'x-fastcrw-credits-available': '0' } } : {}),
  }),
  routes: {
    'POST /v1/scrape': scrape,
    'POST /v1/search': search,
    'POST /v1/map': map,
    'POST /v1/crawl': (request) => launch(request, stringsOf(bodyField(request, 'url'))),
    'GET /v1/crawl/:id': crawlStatus,
    'POST /v1/extract': (request) => launch(request, stringsOf(bodyField(request, 'urls'))),
    'GET /v1/extract/:id': extractStatus,
  },
})

function scrape(request: SimulatedRequest): SimulatedReply {
  const url = bodyField(request, 'url')
  if (typeof url !== 'string' || url === '') return render2.failure(400, 'fault')
  const formats = stringsOf(bodyField(request, 'formats') ?? 'markdown')
  if (formats.includes('json') && bodyField(request, 'jsonSchema') === undefined)
    return render2.failure(422, 'fault')
  const reader = bodyField(request, 'stealth') === true ? 'render2-stealth' : 'render2'
  const page = scrapePage(url, reader, formats, bodyField(request, 'onlyMainContent') !== false)
  const { fault } = page
  if (fault?.kind === 'miss' || fault?.kind === 'page') {
    return {
      status: 200,
      json: {
        success: false,
        error: `The target failed with status ${fault.kind === 'page' ? page.statusCode : 'unknown'} (simulated).`,
        error_code: 'target_failed',
      },
    }
  }
  const metadata = {
    title: page.title,
    description: page.description,
    sourceURL: url,
    statusCode: page.statusCode,
    elapsedMs: 12,
    simulated: true,
  }
  // A wall can be a success with a warning.
  const warning = fault?.kind === 'wall' ? { warning: 'The page may be an anti-bot page.' } : {}
  return {
    status: 200,
    json: { success: true, data: { ...page.content, metadata, creditCost: 1, ...warning } },
  }
}

function search(request: SimulatedRequest): SimulatedReply {
  const [query] = stringsOf(bodyField(request, 'query'))
  const count = countOf(bodyField(request, 'limit'), 5)
  if (query === undefined || count > 20) return render2.failure(400, 'fault')
  const wantsPages = bodyField(request, 'scrapeOptions') !== undefined
  const rows = hitsFor(query, 'render2', { count, from: 3, now: request.now }).map(
    ({ url, title, description, score, markdown }, index) => ({
      url,
      title,
      snippet: description,
      description,
      position: index + 1,
      score,
      ...(wantsPages ? { markdown } : {}),
    }),
  )
  const sources = stringsOf(bodyField(request, 'sources'))
  return json({
    success: true,
    data: sources.length === 0 ? rows : Object.fromEntries(sources.map((source) => [source, rows])),
  })
}

function map(request: SimulatedRequest): SimulatedReply {
  const [url] = stringsOf(bodyField(request, 'url'))
  if (url === undefined) return render2.failure(400, 'fault')
  return json({
    success: true,
    data: { links: faultOf(url, 'render2')?.kind === 'miss' ? [] : pageFor(url).links },
  })
}

function launch(request: SimulatedRequest, urls: readonly string[]): SimulatedReply {
  const fields =
    bodyField(request, 'basis') === true
      ? Object.keys(fieldsOf(field(bodyField(request, 'schema'), 'properties')))
      : undefined
  // `basis` requires the fields of a schema.
  if (urls.length === 0 || fields?.length === 0) return render2.failure(400, 'fault')
  return json(
    {
      success: true,
      id: startJob(
        {
          urls,
          most: countOf(bodyField(request, 'maxPages'), 100),
          ...(fields === undefined ? {} : { fields }),
        },
        request.now,
      ),
      status: 'processing',
    },
    202,
  )
}

/**
 * The pages of a job; undefined for an unknown job. A page that asks for a miss fails the whole
 * job.
 */
function jobPages(id: string, request: SimulatedRequest) {
  const job = jobOf(id, request.now)
  if (job === undefined) return undefined
  const urls = stringsOf(job.input['urls'] ?? 'https://example.com/')
  const status = urls.some((url) => faultOf(url, 'render2')?.kind === 'miss')
    ? 'failed'
    : 'completed'
  return {
    urls,
    most: countOf(job.input['most'], 100),
    fields: stringsOf(job.input['fields']),
    status: job.state === 'running' ? undefined : status,
  }
}

function crawlStatus(
  request: SimulatedRequest,
  { id = '' }: Readonly<Record<string, string>>,
): SimulatedReply {
  const job = jobPages(id, request)
  if (job === undefined) return render2.failure(404, 'fault')
  const [start = ''] = job.urls
  const links = [start, ...pageFor(start).links.filter((link) => link !== start)].slice(0, job.most)
  if (job.status !== 'completed')
    return json({
      success: true,
      status: job.status ?? 'scraping',
      total: links.length,
      completed: 0,
      data: [],
      ...(job.status === 'failed' ? { error: 'No page could be read (simulated).' } : {}),
    })
  const data = links.map((url) => ({
    markdown: scrapePage(url, 'render2', ['markdown'], true).content['markdown'],
    metadata: { sourceURL: url, title: pageFor(url).title, statusCode: 200 },
  }))
  return json({
    success: true,
    status: 'completed',
    total: links.length,
    completed: links.length,
    data,
  })
}

/** With `basis`, a passage of the page supports each field. */
function extracted(url: string, fields: readonly string[]) {
  const { title } = pageFor(url)
  if (fields.length === 0) return { data: { title, simulated: true } }
  const basis = fields.map((name) => ({
    basisVersion: 1,
    field: name,
    value: title,
    status: 'supported',
    citations: [{ url, excerpt: title }],
  }))
  return { data: Object.fromEntries(fields.map((name) => [name, title])), basis }
}

function extractStatus(
  request: SimulatedRequest,
  { id = '' }: Readonly<Record<string, string>>,
): SimulatedReply {
  const job = jobPages(id, request)
  if (job === undefined) return render2.failure(404, 'fault')
  const results = job.urls.map((url) =>
    job.status === 'completed'
      ? { url, status: 'completed', ...extracted(url, job.fields) }
      : { url, status: job.status ?? 'processing' },
  )
  return json({
    success: true,
    id,
    status: job.status ?? 'processing',
    results,
    creditsUsed: job.urls.length,
    tokensUsed: 100,
  })
}

export const simulators = { render2 }
