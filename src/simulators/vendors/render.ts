/** Firecrawl's wire (v2): POST /scrape and POST /map, a bearer key. */
import { pageFor } from '../content.ts'
import { faultOf } from '../faults.ts'
import {
  bearerCredential,
  bodyField,
  stringsOf,
  type SimulatedReply,
  type SimulatedRequest,
  type SimulatedVendor,
} from '../vendor.ts'
import { scrapePage } from './document.ts'

export const render: SimulatedVendor = {
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
  texts: (request) => [...stringsOf(bodyField(request, 'url')), ...stringsOf(bodyField(request, 'search'))],
  answer: (request) => {
    if (request.method !== 'POST') return undefined
    if (request.path === '/scrape') return scrape(request)
    return request.path === '/map' ? map(request) : undefined
  },
}

function scrape(request: SimulatedRequest): SimulatedReply {
  const url = bodyField(request, 'url')
  if (typeof url !== 'string' || url === '') return render.failure(400, 'fault')
  const formats = stringsOf(bodyField(request, 'formats') ?? 'markdown')
  const page = scrapePage(url, 'render', formats, bodyField(request, 'onlyMainContent') !== false)
  if (page.fault?.kind === 'miss') {
    return {
      status: 500,
      json: { success: false, code: 'SCRAPE_ALL_ENGINES_FAILED', error: 'All scraping engines failed (simulated).' },
    }
  }
  // A target's error status is a success of the vendor, with the status among the metadata.
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
  if (faultOf(url, 'render')?.kind === 'miss') return { status: 200, json: { success: true, links: [] } }
  const search = bodyField(request, 'search')
  const links = pageFor(url).links.filter((link) => typeof search !== 'string' || link.includes(search.toLowerCase()))
  const limit = Number(bodyField(request, 'limit') ?? 5_000)
  return {
    status: 200,
    json: { success: true, links: links.slice(0, limit).map((link) => ({ url: link, title: pageFor(link).title })) },
  }
}
