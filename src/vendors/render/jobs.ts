import { Type, type Static } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, params } from '../../catalog/vocabulary/define.ts'
import type { Outcome } from '../../catalog/vocabulary/outcome.ts'
import {
  pollJob,
  targetJob,
  jobInput,
  createdJob,
  launchOutcome,
  launchReply,
  statusOutcome,
} from '../shared/page-jobs.ts'
import { flat, free } from '../../catalog/vocabulary/tariff.ts'
import { post, type Reply } from '../../catalog/vocabulary/wire.ts'
import { flag, list, optional, pageAddress, whole } from '../../catalog/vocabulary/fields.ts'
import { requireWebAddress } from '../../catalog/validate/web-address.ts'

const formats = ['markdown', 'html', 'rawHtml', 'links'] as const

export const crawl = call({
  title: 'Crawl a website in a real browser',
  summary: 'Start to read several pages of a website in a real browser.',
  description:
    'Returns an `id`. Poll render/crawl_status with it (free) until the status is `completed`.',
  keywords: ['crawl a website', 'spider', 'read a whole site', 'all pages', 'site to markdown'],
  input: params({
    url: pageAddress('URL to start from (http or https).'),
    limit: whole('Maximum number of pages to read, 1 to 100.', 1, 100, { default: 10 }),
    maxDepth: optional(whole('Maximum link depth, 0 to 10.', 0, 10)),
    formats: list(
      'Output formats of each page; html is cleaned, rawHtml is not.',
      Type.Enum([...formats]),
      4,
      { uniqueItems: true, default: ['markdown'] },
    ),
    onlyMainContent: flag('Removes navigation, footers and other boilerplate.', {
      default: true,
    }),
  }),
  example: { url: 'https://example.com/', limit: 5 },
  price: flat(cents('1')),
  priceSource: 'One vendor credit per page, $0.0008 to $0.005 by plan, 2026-08.',
  timeoutMs: 30_000,
  check: ({ url }, checkAddress) => requireWebAddress(url, 'url', checkAddress),
  // Without a limit, the vendor would read up to ten thousand pages.
  request: ({ url, limit, maxDepth, ...scrapeOptions }) =>
    post('/crawl', { url, limit, maxDiscoveryDepth: maxDepth, scrapeOptions }),
  reply: launchReply,
  outcome: launchOutcome,
  inHouse: 'render.crawl',
  ownership: createdJob,
})

/** Shared by the status actions. */
export const poll = {
  price: free,
  timeoutMs: 30_000,
  untrustedContent: true,
  ownership: targetJob,
} as const

const crawlStatusReply = Type.Object({
  status: Type.String(),
  data: Type.Optional(Type.Array(Type.Unknown())),
  next: Type.Optional(Type.Unknown()),
})

/**
 * Large crawls are returned in parts. The vendor returns the URL of the next part; callers get only
 * its offset.
 */
function crawlStatusOutcome({
  body: { next, ...body },
}: Reply<Static<typeof crawlStatusReply>>): Outcome {
  const skip =
    typeof next === 'string'
      ? Number(URL.parse(next)?.searchParams.get('skip') ?? Number.NaN)
      : Number.NaN
  return statusOutcome(
    Number.isInteger(skip) ? { ...body, next_skip: skip } : body,
    body.status,
    body.data,
  )
}

export const crawlStatus = call({
  ...poll,
  title: 'Crawl status and pages',
  summary: 'Get the status of a crawl and its pages so far.',
  description:
    'Free. Large crawls are returned in parts: call again with `skip` set to `next_skip` until there is no `next_skip`.',
  keywords: ['crawl result', 'pages of a crawl', 'poll', 'crawl progress', 'is it done'],
  input: params({
    ...jobInput('render/crawl').properties,
    skip: optional(
      whole('Number of pages to skip, from `next_skip` of the previous part.', 0, 1_000_000),
    ),
  }),
  example: { id: '0197a1b2-5c3d-7e4f-8a9b-0c1d2e3f4a5b' },
  request: ({ id, skip }) => pollJob(`/crawl/${id}`, { skip }),
  reply: crawlStatusReply,
  outcome: crawlStatusOutcome,
  inHouse: 'render.crawl_status',
})
