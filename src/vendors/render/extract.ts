/**
 * Extraction of data from pages. The vendor ends /extract on 10 December 2026 and names /scrape with
 * a JSON format and /agent as its successors (docs.firecrawl.dev/migrating-from-extract).
 */
import { Type, type Static } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { fieldsOf, isFields } from '../../lib/json-fields.ts'
import { call, params } from '../../catalog/vocabulary/define.ts'
import { done, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { asText, field } from '../../catalog/answers/vendor-failure.ts'
import { createdJob, jobInput, launchOutcome, launchReply, pollJob } from '../shared/page-jobs.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { post, type Reply, type WireRequest } from '../../catalog/vocabulary/wire.ts'
import { list, openObject, optional, text } from '../../catalog/vocabulary/fields.ts'
import { dropUndefined } from '../shared/fields.ts'
import { rejectPartsOfSites } from '../shared/in-house-pages.ts'
import { requireWebAddress } from '../../catalog/validate/web-address.ts'
import { poll } from './jobs.ts'

const extractInput = params(
  {
    urls: list('URLs of 1 to 10 pages.', Type.String({ minLength: 1, maxLength: 2_048 }), 10, {
      uniqueItems: true,
    }),
    prompt: optional(text('The data to extract, in plain words.', 10_000)),
    schema: optional(openObject('JSON Schema of the data to extract.')),
  },
  { anyOf: [{ required: ['prompt'] }, { required: ['schema'] }] },
)
type ExtractInput = Static<typeof extractInput>

// The vendor's default of 2,500 credits costs $2 to $12. A run that needs more fails and is free.
const MOST_AGENT_CREDITS = 250

/** The agent is the only successor that accepts a part of a site, such as https://a.example/*. */
function launchRequest({ urls, prompt, schema }: ExtractInput): WireRequest {
  if (!urls.some((url) => url.endsWith('*')))
    return post('/batch/scrape', {
      urls,
      formats: [dropUndefined({ type: 'json', prompt, schema })],
    })
  return post('/agent', {
    urls,
    prompt: prompt ?? 'Extract the data that the schema describes from these pages.',
    schema,
    strictConstrainToURLs: true,
    model: 'spark-2',
    maxCredits: MOST_AGENT_CREDITS,
  })
}

const BATCH = 'batch_'

/** Marks the id of a batch, because each kind of job has another status address. */
function withJobKind<Body extends { readonly id?: string; readonly url?: unknown }>(
  body: Body,
): Body {
  return body.id !== undefined && asText(body.url).includes('/batch/scrape/')
    ? { ...body, id: `${BATCH}${body.id}` }
    : body
}

const extractReply = Type.Object({ ...launchReply.properties, url: Type.Optional(Type.Unknown()) })

export const extract = call({
  title: 'Extract data from pages',
  summary:
    'Start to extract data from up to ten pages, by a JSON Schema or a description in plain words.',
  description:
    'Returns an `id`. Poll render/extract_status with it (free) until the status is `completed`. A URL may end in /* for a part of a site. Without a key of the vendor, the gateway reads the pages and extracts with its own language model, in which case /* is not supported.',
  keywords: ['structured extraction', 'ai scraper', 'json from pages', 'schema'],
  input: extractInput,
  example: {
    urls: ['https://example.com/'],
    prompt: 'What does the page offer, and at what price?',
  },
  price: flat(cents('1')),
  priceSource:
    'Five vendor credits per page, at most 250 for parts of sites, $0.0008 to $0.005 each by plan, 2026-11.',
  timeoutMs: 30_000,
  check: ({ urls }, checkAddress) =>
    urls.forEach((url, index) => requireWebAddress(url, `urls[${index}]`, checkAddress)),
  request: launchRequest,
  reply: extractReply,
  outcome: (reply) => launchOutcome({ ...reply, body: withJobKind(reply.body) }),
  inHouse: 'render.extract',
  inHouseNeedsModel: true,
  inHouseCheck: ({ urls }) => rejectPartsOfSites(urls),
  ownership: {
    createdId: (reply) =>
      createdJob.createdId?.({ ...reply, body: withJobKind(fieldsOf(reply.body)) }),
  },
})

const extractStatusReply = Type.Object({
  status: Type.String(),
  data: Type.Optional(Type.Unknown()),
})

/** Joins the data of all pages: lists grow, objects are joined, and of other values the first counts. */
function joinData(first: unknown, second: unknown): unknown {
  if (!isFilled([first])) return second ?? first
  if (Array.isArray(first) && Array.isArray(second)) {
    const [ours, theirs]: [unknown[], unknown[]] = [first, second]
    const known = new Set(ours.map((item) => JSON.stringify(item)))
    return [...ours, ...theirs.filter((item) => !known.has(JSON.stringify(item)))]
  }
  if (!isFields(first) || !isFields(second)) return first
  const names = new Set([...Object.keys(first), ...Object.keys(second)])
  return Object.fromEntries([...names].map((name) => [name, joinData(first[name], second[name])]))
}

/** A batch in the shape of an extraction. */
function batchOutcome({ data, status, ...body }: Static<typeof extractStatusReply>): Outcome {
  const pages = Array.isArray(data) ? data.map(fieldsOf) : []
  if (status !== 'completed')
    return done({ ...statusFields(body), status: status === 'scraping' ? 'processing' : status })
  const read = pages.filter(({ json }) => isFilled([json]))
  const sources = pages.map((page) => ({
    url: field(page['metadata'], 'sourceURL') ?? field(page['metadata'], 'url'),
    read: read.includes(page),
  }))
  if (read.length === 0) {
    const reason = asText(pages.map(({ metadata }) => field(metadata, 'error')).find(Boolean))
    const error = reason === '' ? 'No page had the data.' : reason.slice(0, 500)
    return done({ ...statusFields(body), status: 'failed', error, sources })
  }
  const joined = read.map(({ json }) => json).reduce(joinData)
  return done({ ...statusFields(body), status, data: joined, sources })
}

/** Progress and the address of a further part belong to the batch. */
function statusFields({ success, expiresAt }: Data): Data {
  return { success: success ?? true, ...(expiresAt === undefined ? {} : { expiresAt }) }
}

export const extractStatus = call({
  ...poll,
  title: 'Extraction status and data',
  summary: 'Get the status of an extraction, and its data once it is completed.',
  description: 'Free. `data` contains the extracted data.',
  keywords: ['extraction result', 'poll', 'extraction progress', 'is it done'],
  input: jobInput('render/extract'),
  example: { id: '0197a1b2-5c3d-7e4f-8a9b-0c1d2e3f4a5b' },
  request: ({ id }) =>
    id.startsWith(BATCH)
      ? pollJob(`/batch/scrape/${id.slice(BATCH.length)}`)
      : { ...pollJob(`/agent/${id}`), acceptedStatuses: [404] },
  // Jobs that began before the change are at the former address.
  followUps: [({ status }, { id }) => (status === 404 ? pollJob(`/extract/${id}`) : null)],
  reply: extractStatusReply,
  outcome: ({ body }: Reply<Static<typeof extractStatusReply>>, { id }) =>
    id.startsWith(BATCH) ? batchOutcome(body) : done(body),
  inHouse: 'render.extract_status',
})
