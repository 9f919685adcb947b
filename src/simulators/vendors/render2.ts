/** fastCRW's wire: POST /v1/scrape, a bearer key. */
import {
  bearerCredential,
  bodyField,
  stringsOf,
  type SimulatedReply,
  type SimulatedRequest,
  type SimulatedVendor,
} from '../vendor.ts'
import { scrapePage } from './document.ts'

export const render2: SimulatedVendor = {
  credential: bearerCredential,
  quotaStatus: 429,
  failure: (status, reason) => ({
    status,
    json: {
      success: false,
      error: reason === 'quota' ? 'Out of credits' : `Simulated failure with status ${status}.`,
      error_code: reason === 'credentials' ? 'unauthorized' : status === 400 ? 'invalid_request' : 'simulated',
    },
    // Three kinds of 429 are told apart by their headers; this one means that waiting does not help.
    ...(reason === 'quota' ? { headers: { 'x-fastcrw-credits-available': '0' } } : {}),
  }),
  texts: (request) => stringsOf(bodyField(request, 'url')),
  answer: (request) => (request.method === 'POST' && request.path === '/v1/scrape' ? scrape(request) : undefined),
}

function scrape(request: SimulatedRequest): SimulatedReply {
  const url = bodyField(request, 'url')
  if (typeof url !== 'string' || url === '') return render2.failure(400, 'fault')
  const formats = stringsOf(bodyField(request, 'formats') ?? 'markdown')
  if (formats.includes('json') && bodyField(request, 'jsonSchema') === undefined) return render2.failure(422, 'fault')
  const page = scrapePage(url, 'render2', formats, bodyField(request, 'onlyMainContent') !== false)
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
  // A wall can come back as a success with a warning beside it.
  const warning = fault?.kind === 'wall' ? { warning: 'The page may be an anti-bot page.' } : {}
  return { status: 200, json: { success: true, data: { ...page.content, metadata, creditCost: 1, ...warning } } }
}
