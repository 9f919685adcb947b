/**
 * Tavily's API: POST /search and /extract with a bearer key. Failed pages are listed next to the
 * read ones.
 */
import { pageFor, shortHash, SHELL, toMarkdown, WALL } from '../../simulators/content.ts'
import { faultOf, isPageFault } from '../../simulators/faults.ts'
import { hitsFor } from '../../simulators/hits.ts'
import { countOf, json, routed } from '../../simulators/routed.ts'
import {
  bearerCredential,
  bodyField,
  stringsOf,
  type SimulatedReply,
  type SimulatedRequest,
  type SimulatedVendor,
} from '../../simulators/vendor.ts'

const rag: SimulatedVendor = routed({
  credential: bearerCredential,
  quotaStatus: 432,
  failure: (status, reason) =>
    json(
      {
        detail: {
          error:
            reason === 'quota'
              ? 'This request exceeds your plan’s set usage limit.'
              : `Simulated failure with status ${status}.`,
        },
      },
      status,
    ),
  routes: { 'POST /search': search, 'POST /extract': extract },
})

function search(request: SimulatedRequest): SimulatedReply {
  const [query] = stringsOf(bodyField(request, 'query'))
  const [country = ''] = stringsOf(bodyField(request, 'country'))
  // Country codes are rejected.
  if (query === undefined || /^..$/.test(country)) return rag.failure(400, 'fault')
  const hits = hitsFor(query, 'rag', {
    count: countOf(bodyField(request, 'max_results'), 5),
    from: 1,
    now: request.now,
    domains: stringsOf(bodyField(request, 'include_domains')),
  })
  const raw = bodyField(request, 'include_raw_content') ?? false
  const wantsAnswer =
    (bodyField(request, 'include_answer') ?? false) !== false &&
    faultOf(query, 'rag')?.kind !== 'miss'
  return json({
    query,
    answer: wantsAnswer ? `Simulated answer to "${query.slice(0, 100)}".` : null,
    images: [],
    results: hits.map(({ url, title, description, score, markdown, publishedAt }) => ({
      title,
      url,
      content: description,
      score,
      ...(raw === false ? {} : { raw_content: markdown }),
      ...(bodyField(request, 'topic') === 'news' ? { published_date: publishedAt } : {}),
    })),
    response_time: 0.1,
    usage: { credits: 1 },
    request_id: shortHash(query),
    simulated: true,
  })
}

function extract(request: SimulatedRequest): SimulatedReply {
  const urls = stringsOf(bodyField(request, 'urls'))
  if (urls.length === 0 || urls.length > 20) return rag.failure(400, 'fault')
  const pages = urls.map((url) => ({ url, fault: faultOf(url, 'rag') }))
  const isLost = ({ fault }: (typeof pages)[number]) =>
    fault !== undefined && isPageFault(fault) && (fault.kind === 'miss' || fault.kind === 'page')
  return json({
    results: pages
      .filter((page) => !isLost(page))
      .map(({ url, fault }) => ({
        url,
        raw_content:
          fault?.kind === 'wall'
            ? WALL.markdown
            : fault?.kind === 'thin'
              ? SHELL.markdown
              : toMarkdown(pageFor(url)),
        images: [],
      })),
    failed_results: pages
      .filter(isLost)
      .map(({ url }) => ({ url, error: 'Failed to fetch url (simulated)' })),
    response_time: 0.1,
    usage: { credits: 1 },
    request_id: shortHash(urls.join(' ')),
  })
}

export const simulators = { rag }
