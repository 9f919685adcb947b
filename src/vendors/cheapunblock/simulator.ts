/** Scrape.do's API: GET /?token=&url=. The answer is the page itself. */
import type { SimulatedReply, SimulatedRequest, SimulatedVendor } from '../../simulators/vendor.ts'
import { scrapePage } from '../../simulators/scraped-page.ts'

const cheapunblock: SimulatedVendor = {
  credential: ({ query }) => query.get('token') ?? undefined,
  // The vendor returns 401 for a wrong token and for a used-up month.
  quotaStatus: 401,
  failure: (status, reason) => ({
    status,
    json: {
      StatusCode: status,
      Message: [
        reason === 'quota'
          ? 'Your monthly request limit is reached.'
          : reason === 'credentials'
            ? 'The token is not valid.'
            : `Simulated failure with status ${status}.`,
      ],
    },
  }),
  texts: ({ query }) => query.getAll('url'),
  answer: (request) =>
    request.method === 'GET' && request.path === '/' ? scrape(request) : undefined,
}

function scrape({ query }: SimulatedRequest): SimulatedReply {
  const url = query.get('url') ?? ''
  if (url === '') return cheapunblock.failure(400, 'fault')
  const markdown = query.get('output') === 'markdown'
  const page = scrapePage(url, 'cheapunblock', [markdown ? 'markdown' : 'rawHtml'], false)
  const { fault } = page
  // The vendor passes on only a page's 404. Other failures end in 502 after its own retries.
  if (fault?.kind === 'miss' || (fault?.kind === 'page' && fault.status !== 404))
    return cheapunblock.failure(502, 'fault')
  return {
    status: page.statusCode,
    text: String(page.content[markdown ? 'markdown' : 'rawHtml']),
    contentType: markdown ? 'text/markdown; charset=utf-8' : 'text/html; charset=utf-8',
    headers: {
      'scrape.do-request-cost': '10',
      'scrape.do-resolved-url': url,
      'scrape.do-initial-status-code': String(page.statusCode),
    },
  }
}

export const simulators = { cheapunblock }
