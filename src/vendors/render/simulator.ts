/**
 * Firecrawl's API (v2): POST /scrape, /search, /map, and the jobs /crawl, /batch/scrape and /agent,
 * with a bearer key. /extract, which has ended, still returns its jobs.
 */
import { pageFor } from '../../simulators/content.ts'
import { faultOf } from '../../simulators/faults.ts'
import { hitsFor } from '../../simulators/hits.ts'
import { jobOf, startJob, type SimulatedJob } from '../../simulators/jobs.ts'
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

const render: SimulatedVendor = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure: (status, reason) => ({
    status,
    json: {
      success: false,
      error:
        reason === 'credentials'
          ? 'Unauthorized: Invalid token'
          : reason === 'quota'
            ? 'Insufficient credits'
            : `Simulated failure with status ${status}.`,
    },
  }),
  routes: {
    'POST /scrape': scrape,
    'POST /map': map,
    'POST /search': search,
    'POST /crawl': (request) => launch(request, 'crawl', stringsOf(bodyField(request, 'url'))),
    'GET /crawl/:id': crawlStatus,
    'POST /batch/scrape': (request) => launch(request, 'batch/scrape', urlsOf(request)),
    'GET /batch/scrape/:id': batchStatus,
    'POST /agent': launchAgent,
    'GET /agent/:id': (request, params) =>
      params['id']?.startsWith('sim-agent-') === true
        ? agentStatus(request, { id: params['id'].replace('sim-agent-', 'sim-') })
        : render.failure(404, 'fault'),
    'GET /extract/:id': agentStatus,
  },
})

function scrape(request: SimulatedRequest): SimulatedReply {
  const url = bodyField(request, 'url')
  if (typeof url !== 'string' || url === '') return render.failure(400, 'fault')
  const formats = stringsOf(bodyField(request, 'formats') ?? 'markdown')
  const page = scrapePage(url, 'render', formats, bodyField(request, 'onlyMainContent') !== false)
  if (page.fault?.kind === 'miss') {
    return {
      status: 500,
      json: {
        success: false,
        code: 'SCRAPE_ALL_ENGINES_FAILED',
        error: 'All scraping engines failed (simulated).',
      },
    }
  }
  // A page's error status is a success of the vendor, with the status in the metadata.
  const metadata = {
    title: page.title,
    description: page.description,
    language: 'en',
    sourceURL: url,
    url,
    statusCode: page.statusCode,
    contentType: 'text/html',
    simulated: true,
  }
  return { status: 200, json: { success: true, data: { ...page.content, metadata } } }
}

function map(request: SimulatedRequest): SimulatedReply {
  const url = bodyField(request, 'url')
  if (typeof url !== 'string' || url === '') return render.failure(400, 'fault')
  if (faultOf(url, 'render')?.kind === 'miss')
    return { status: 200, json: { success: true, links: [] } }
  const words = bodyField(request, 'search')
  const links = pageFor(url).links.filter(
    (link) => typeof words !== 'string' || link.includes(words.toLowerCase()),
  )
  const limit = Number(bodyField(request, 'limit') ?? 5_000)
  return {
    status: 200,
    json: {
      success: true,
      links: links.slice(0, limit).map((link) => ({ url: link, title: pageFor(link).title })),
    },
  }
}

function search(request: SimulatedRequest): SimulatedReply {
  const [query] = stringsOf(bodyField(request, 'query'))
  if (query === undefined) return render.failure(400, 'fault')
  const hits = hitsFor(query, 'render', {
    count: countOf(bodyField(request, 'limit'), 10),
    from: 1,
    now: request.now,
  })
  const sources = stringsOf(bodyField(request, 'sources') ?? 'web')
  const data = Object.fromEntries(
    sources.map((source) => [
      source,
      hits.map(({ url, title, description }, index) => ({
        url,
        title,
        description,
        position: index + 1,
      })),
    ]),
  )
  return json({ success: true, data, id: 'simulated', creditsUsed: 2 })
}

function launch(request: SimulatedRequest, kind: string, urls: readonly string[]): SimulatedReply {
  if (urls.length === 0) return render.failure(400, 'fault')
  const id = startJob({ urls, most: countOf(bodyField(request, 'limit'), 10) }, request.now)
  return json({ success: true, id, url: `https://api.firecrawl.dev/v2/${kind}/${id}` })
}

function addressesOf({ input }: SimulatedJob): string[] {
  return stringsOf(input['urls'] ?? 'https://example.com/')
}

const PAGES_A_PART = 5

function crawlStatus(
  { now, query }: SimulatedRequest,
  { id = '' }: Readonly<Record<string, string>>,
): SimulatedReply {
  const job = jobOf(id, now)
  if (job === undefined) return render.failure(404, 'fault')
  const [start = ''] = addressesOf(job)
  const most = countOf(job.input['most'], 10)
  const urls = [start, ...pageFor(start).links.filter((link) => link !== start)].slice(0, most)
  if (job.state === 'running')
    return json({
      success: true,
      status: 'scraping',
      total: urls.length,
      completed: 0,
      creditsUsed: 0,
      data: [],
    })
  if (faultOf(start, 'render')?.kind === 'miss')
    return json({
      success: true,
      status: 'failed',
      total: 0,
      completed: 0,
      creditsUsed: 0,
      data: [],
    })
  const skip = countOf(query.get('skip') ?? undefined, 0)
  const part = urls.slice(skip, skip + PAGES_A_PART).map((url) => ({
    ...scrapePage(url, 'render', ['markdown'], true).content,
    metadata: { sourceURL: url, url, title: pageFor(url).title, statusCode: 200 },
  }))
  const rest =
    skip + PAGES_A_PART < urls.length
      ? { next: `https://api.firecrawl.dev/v2/crawl/${id}?skip=${skip + PAGES_A_PART}` }
      : {}
  return json({
    success: true,
    status: 'completed',
    total: urls.length,
    completed: urls.length,
    creditsUsed: urls.length,
    ...rest,
    data: part,
  })
}

function urlsOf(request: SimulatedRequest): string[] {
  return stringsOf(bodyField(request, 'urls'))
}

/** Its reply has no address. */
function launchAgent(request: SimulatedRequest): SimulatedReply {
  if (typeof bodyField(request, 'prompt') !== 'string') return render.failure(400, 'fault')
  const id = startJob({ urls: urlsOf(request) }, request.now)
  return json({ success: true, id: id.replace('sim-', 'sim-agent-') })
}

/** One document for each page, with the data under `json`. */
function batchStatus(
  { now }: SimulatedRequest,
  { id = '' }: Readonly<Record<string, string>>,
): SimulatedReply {
  const job = jobOf(id, now)
  if (job === undefined) return render.failure(404, 'fault')
  const urls = addressesOf(job)
  const isRunning = job.state === 'running'
  const documents = urls.map((url) => {
    const metadata = { sourceURL: url, url, statusCode: 200 }
    return faultOf(url, 'render')?.kind === 'miss'
      ? { metadata: { ...metadata, statusCode: 500, error: 'All scraping engines failed.' } }
      : { json: { titles: [pageFor(url).title], simulated: true }, metadata }
  })
  return json({
    success: true,
    status: isRunning ? 'scraping' : 'completed',
    total: urls.length,
    completed: isRunning ? 0 : urls.length,
    creditsUsed: isRunning ? 0 : 5 * urls.length,
    expiresAt: '2026-12-31T00:00:00.000Z',
    data: isRunning ? [] : documents,
  })
}

function agentStatus(
  { now }: SimulatedRequest,
  { id = '' }: Readonly<Record<string, string>>,
): SimulatedReply {
  const job = jobOf(id, now)
  if (job === undefined) return render.failure(404, 'fault')
  if (job.state === 'running') return json({ success: true, status: 'processing', data: [] })
  const urls = addressesOf(job)
  if (urls.every((url) => faultOf(url, 'render')?.kind === 'miss'))
    return json({ success: true, status: 'failed', data: [] })
  return json({
    success: true,
    status: 'completed',
    data: { titles: urls.map((url) => pageFor(url).title), simulated: true },
    tokensUsed: 100,
  })
}

export const simulators = { render }
