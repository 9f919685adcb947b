import { Type, type Static } from '../../lib/schema.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { cents } from '../../lib/money.ts'
import { isFields } from '../../lib/json-fields.ts'
import {
  defineService,
  endpoint,
  type EndpointAction,
  type EndpointEntry,
} from '../../catalog/vocabulary/define.ts'
import rows from './endpoints.json' with { type: 'json' }
import endedRows from './ended.json' with { type: 'json' }
import {
  namesIn,
  readEndpoints,
  type CompactEndpoint,
} from '../../catalog/endpoints/read-endpoints.ts'
import type { Ended } from '../../catalog/vocabulary/fields.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { done, empty, failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import {
  asText,
  mapStatusToCode,
  field,
  vendorFailure,
} from '../../catalog/answers/vendor-failure.ts'
import {
  bearer,
  get,
  type QueryValue,
  type Reply,
  type Vendor,
  type WireRequest,
} from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const tikHub: Vendor = {
  baseUrl: 'https://api.tikhub.io',
  auth: bearer(),
  docsUrl: 'https://docs.tikhub.io/',
  limits: { perSecond: 10 },
  readFailure: (reply) =>
    vendorFailure(reply, {
      code: mapVendorCode(reply.status, reply.body),
      message: messageOf(reply.body),
    }),
}

/**
 * 404 means a missing account, post or page. 400 may also mean that the platform did not answer, so
 * a retry can succeed.
 */
function mapVendorCode(status: number, body: unknown): ErrorCode {
  if (status === 404) return 'no_results'
  return status === 400 && /\bretry\b|\btry again\b/i.test(asText(messageOf(body)))
    ? 'upstream_error'
    : mapStatusToCode(status)
}

function messageOf(body: unknown): unknown {
  const detail = field(body, 'detail')
  return (
    field(body, 'message') ??
    field(detail, 'message') ??
    (detail === undefined ? undefined : JSON.stringify(detail))
  )
}

/** URLs of video files, whose price at the vendor is a multiple of the others'. */
const VIDEO_FILE = /play_?url|video_streams|signed_stream/

function withPrice(entry: EndpointEntry): EndpointEntry {
  return VIDEO_FILE.test(entry.endpoint) ? { ...entry, price: cents('38') } : entry
}

const compact: ReadonlyMap<string, CompactEndpoint> = new Map(
  (rows as readonly CompactEndpoint[]).map((row) => [row.endpoint, row]),
)
const entries = readEndpoints(rows as readonly CompactEndpoint[]).map(withPrice)

/** By the first part of their paths. WeChat has several, and one reads links of any platform. */
const PLATFORMS = new Set(
  entries
    .filter(({ method, endpoint: path }) => method === 'GET' && !path.startsWith('/api/v1/hybrid/'))
    .map(({ endpoint: path }) => (path.split('/')[3] ?? '').replace(/^wechat_.*/, 'wechat')),
).size

/**
 * The paths that the vendor removed until version 2.2.0 of its Python client (docs/reference.md there,
 * 2026-10), with the listed paths that read the same. A successor may belong to the other action.
 */
function endedFor(method: 'GET' | 'POST'): Ended {
  const listed = new Map(entries.map((entry) => [entry.endpoint, entry.method]))
  return Object.fromEntries(
    Object.entries(endedRows as Ended).map(([path, successors]) => [
      path,
      successors.map((name) =>
        listed.get(name) === method
          ? name
          : `${name} (socialread/${method === 'GET' ? 'submit' : 'fetch'})`,
      ),
    ]),
  )
}

/**
 * Some POST operations also take query parameters. Some take a plain list or string as their body.
 */
function requestFor({ endpoint: path, method }: EndpointEntry, parameters: Data): WireRequest {
  if (method === 'GET')
    return {
      ...get(path, parameters as Record<string, QueryValue>),
      retry: { times: 2, afterMs: 1_000 },
    }
  const row = compact.get(path)
  const inQuery = new Set(namesIn(row?.query))
  const query = Object.fromEntries(
    Object.entries(parameters).filter(([name]) => inQuery.has(name)),
  ) as Record<string, QueryValue>
  const rest = Object.fromEntries(Object.entries(parameters).filter(([name]) => !inQuery.has(name)))
  const json = row?.bodyIs === undefined ? rest : parameters[row.bodyIs]
  return {
    method,
    path,
    ...(inQuery.size === 0 ? {} : { query }),
    ...(row?.body === undefined && row?.isOpen !== true ? {} : { json }),
  }
}

const reply = Type.Object({
  code: Type.Optional(Type.Integer()),
  data: Type.Optional(Type.Unknown()),
})

/** An answer counts if the vendor's own code reports success and the answer is not empty. */
function outcomeOf({ body }: Reply<Static<typeof reply>>): Outcome {
  const { code = 200, data } = body
  if (code !== 0 && code !== 200) {
    const message = messageOf(body)
    return failed(
      code >= 400 ? mapVendorCode(code, body) : 'upstream_error',
      typeof message === 'string' ? message.slice(0, 500) : `The vendor returned code ${code}.`,
    )
  }
  return isFilled([data]) && !isBarePage(data) ? done(body) : empty(body)
}

/** Fields next to the rows of a page, on all platforms. */
const PAGE_FIELDS =
  /cursor|token|page|offset|more|count|total|status|code|msg|message|log|extra|time|now|id$/i

/** Whether a part of an answer is a page of rows without rows. */
function isBarePage(data: unknown): boolean {
  if (!isFields(data) || !Object.values(data).some((value) => Array.isArray(value))) return false
  return !isFilled(
    Object.entries(data).flatMap(([name, value]) =>
      PAGE_FIELDS.test(name) && !Array.isArray(value) ? [] : [value],
    ),
  )
}

function passthrough(
  method: 'GET' | 'POST',
  words: Pick<EndpointAction, 'title' | 'summary' | 'description' | 'example' | 'keywords'>,
): EndpointAction {
  return endpoint({
    title: words.title,
    summary: words.summary,
    description: words.description ?? '',
    example: words.example,
    keywords: words.keywords,
    endpoints: entries.filter((entry) => entry.method === method),
    ended: endedFor(method),
    price: flat(cents('1')),
    priceSource:
      'Vendor list price, $0.001 for most operations and more for URLs of video files, 2026-06; the gateway’s minimum price is 1¢.',
    timeoutMs: 60_000,
    untrustedContent: true,
    request: requestFor,
    reply,
    outcome: outcomeOf,
  })
}

export const service = defineService({
  id: 'socialread',
  title: 'Read social platforms',
  category: 'social data',
  vendor: tikHub,
  returns,
  actions: {
    fetch: passthrough('GET', {
      title: `Read ${PLATFORMS} social platforms`,
      summary: `Read profiles, posts, comments, followers and searches of ${PLATFORMS} social platforms, by upstream path.`,
      description:
        'TikTok, Douyin, Instagram, LinkedIn, X, Threads, Reddit, YouTube, Weibo, Xiaohongshu, Bilibili, Kuaishou, Zhihu and others. "endpoint" names the path; its parameters are the other fields. Charged only on success.',
      keywords: [
        'social media',
        'tiktok',
        'instagram',
        'twitter',
        'linkedin',
        'youtube',
        'reddit',
        'followers',
        'comments',
        'hashtag',
        'influencer',
      ],
      example: { endpoint: '/api/v1/tiktok/web/fetch_user_profile', uniqueId: 'example' },
    }),
    submit: passthrough('POST', {
      title: 'Social platforms in bulk',
      summary:
        'Read social platforms through operations with a body, such as lists of posts and rankings.',
      description:
        '"endpoint" names the path; its parameters are the other fields. Charged only on success.',
      keywords: ['social media', 'batch of posts', 'rankings', 'douyin', 'trends'],
      example: {
        endpoint: '/api/v1/tiktok/app/v3/fetch_multi_video',
        items: ['7350810998023949599'],
      },
    }),
  },
})
