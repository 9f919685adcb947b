import { AppError } from '../../errors/app-error.ts'
import { newId, publicId } from '../../lib/ids.ts'
import type { ContentFormat } from '../extract/extract.ts'
import type { Extraction } from '../extract/extraction-worker.ts'
import { withinCharacters } from '../extract/highlights.ts'
import { isAtStart, type PageFailure } from '../fetch/page-failure.ts'
import { readPage, type ReadDeps } from '../fetch/read-page.ts'
import { mapConcurrently, recordOf, stringsOf, type LaneCall, type LaneInput } from './lane-call.ts'

type ContentsRequest = {
  format: ContentFormat
  mainContent: boolean
  text: boolean
  summary: boolean
  maxCharacters: number
  maxHighlightCharacters: number
  highlights?: { query: string; count: number }
}
type Result = Record<string, unknown> & { id: string; url: string }
type Status = {
  id: string
  status: 'success' | 'error'
  source: 'live'
  error?: {
    tag: string
    httpStatusCode: number
    reason: string
    finalUrl?: string
    contentType?: string
  }
}
type Notice = {
  field: string
  code: 'upstream_not_configured' | 'no_results' | 'partial'
  message: string
  fix: string
}
export type ContentsReply = {
  requestId: string
  results: Result[]
  statuses: Status[]
  notices?: Notice[]
}

const PAGE_CONCURRENCY = 8
const PAGE_TIMEOUT_MS = 15_000
const DEFAULT_HIGHLIGHTS = 5

/**
 * The reply of `semantic/contents`, read in-house without scripts and always live. `text` is
 * markdown, or cleaned HTML with `includeHtmlTags`; main content only, unless `verbosity` is
 * "full". `yield` is the page's verdict. Walls, empty shells and unreadable pages are errors in
 * `statuses`. `summary` needs a language model, which this reader has not: it is omitted, reported in `notices`
 * and never charged. A
 * request for `summary` only throws AppError `upstream_not_configured`.
 */
export function createSemanticContents(deps: ReadDeps) {
  return async function semanticContents(input: LaneInput, call: LaneCall): Promise<ContentsReply> {
    const urls = [...new Set([...stringsOf(input['urls']), ...stringsOf(input['ids'])])]
    const requested = readContentsRequest(input)
    if (!requested.text && requested.highlights === undefined) throw noSummaries()
    const timeoutMs = Math.min(PAGE_TIMEOUT_MS, call.timeoutMs)
    const rows = await mapConcurrently(
      urls,
      PAGE_CONCURRENCY,
      async (url): Promise<{ status: Status; result?: Result }> => {
        const { format, mainContent, highlights } = requested
        const read = await readPage(
          deps,
          { url, format, mainContent, highlights },
          { accountId: call.accountId, signal: call.signal, timeoutMs },
        )
        if (read.kind === 'failed')
          return {
            status: errorStatus(url, isAtStart(read) ? { ...read, finalUrl: undefined } : read),
          }
        const { extraction, page } = read
        const [flag] = extraction.verdict.flags
        if (flag !== undefined)
          return {
            status: errorStatus(url, { reason: extraction.verdict.reason ?? flag, status: 403 }),
          }
        return {
          status: { id: url, status: 'success', source: 'live' },
          result: resultOf(url, page.finalUrl, extraction, requested),
        }
      },
    )
    return {
      requestId: publicId('request', newId(call.now())),
      results: rows.flatMap(({ result }) => result ?? []),
      statuses: rows.map(({ status }) => status),
      ...(requested.summary ? { notices: [noSummaryNotice()] } : {}),
    }
  }
}

const NO_SUMMARIES =
  'This gateway has neither a language model to write summaries nor a key of the vendor.'
const HOW_TO_HAVE_SUMMARIES =
  'For summaries, the operator must set UPSTREAM_LLM_KEY or UPSTREAM_LLM_URL, or UPSTREAM_SEMANTIC_KEY.'

function noSummaries(): AppError {
  return new AppError('upstream_not_configured', `${NO_SUMMARIES} Nothing was charged.`, {
    param: 'summary',
    fix: `Request "text" or "highlights", which this gateway can return itself. ${HOW_TO_HAVE_SUMMARIES}`,
  })
}

function noSummaryNotice(): Notice {
  return {
    field: 'summary',
    code: 'upstream_not_configured',
    message: `${NO_SUMMARIES} They are omitted and not charged.`,
    fix: HOW_TO_HAVE_SUMMARIES,
  }
}

function readContentsRequest(input: LaneInput): ContentsRequest {
  const text = recordOf(input['text'])
  const highlights = recordOf(input['highlights'])
  const hasHighlights = input['highlights'] !== undefined && input['highlights'] !== false
  const summary = input['summary'] !== undefined && input['summary'] !== false
  const asksOther = hasHighlights || summary
  return {
    summary,
    format: text['includeHtmlTags'] === true ? 'html' : 'markdown',
    mainContent: text['verbosity'] !== 'full',
    // Like the vendor: without any option, or with all switched off, return the text.
    text: (input['text'] ?? false) === false ? !asksOther : true,
    maxCharacters:
      typeof text['maxCharacters'] === 'number' ? text['maxCharacters'] : Number.POSITIVE_INFINITY,
    maxHighlightCharacters:
      typeof highlights['maxCharacters'] === 'number'
        ? highlights['maxCharacters']
        : Number.POSITIVE_INFINITY,
    ...(hasHighlights
      ? {
          highlights: {
            query: typeof highlights['query'] === 'string' ? highlights['query'] : '',
            count: DEFAULT_HIGHLIGHTS,
          },
        }
      : {}),
  }
}

function resultOf(
  id: string,
  url: string,
  extraction: Extraction,
  requested: ContentsRequest,
): Result {
  const content = extraction.content.slice(0, requested.maxCharacters)
  const found =
    extraction.highlights === undefined
      ? undefined
      : withinCharacters(extraction.highlights, requested.maxHighlightCharacters)
  return {
    id,
    url,
    title: extraction.title,
    ...(requested.text
      ? {
          text: content,
          format: extraction.format,
          yield: extraction.verdict.yield,
          fields: extraction.fields,
        }
      : {}),
    ...(found === undefined
      ? {}
      : {
          highlights: found.map(({ text }) => text),
          highlightScores: found.map(({ score }) => score),
        }),
  }
}

const TAGS: Partial<Record<string, { tag: string; httpStatusCode: number }>> = {
  timeout: { tag: 'CRAWL_TIMEOUT', httpStatusCode: 408 },
  connect_timeout: { tag: 'CRAWL_TIMEOUT', httpStatusCode: 408 },
  dns: { tag: 'CRAWL_NOT_FOUND', httpStatusCode: 404 },
  not_html: { tag: 'UNSUPPORTED_URL', httpStatusCode: 415 },
  bad_url: { tag: 'UNSUPPORTED_URL', httpStatusCode: 400 },
  blocked_address: { tag: 'UNSUPPORTED_URL', httpStatusCode: 400 },
  robots: { tag: 'SOURCE_NOT_AVAILABLE', httpStatusCode: 403 },
}

/**
 * Uses the vendor's tags. `reason` is our own, more precise field; `finalUrl` is the URL that the
 * page redirected to.
 */
function errorStatus(
  id: string,
  {
    reason,
    status: httpStatus,
    contentType,
    finalUrl,
  }: Pick<Partial<PageFailure>, 'status' | 'contentType'> & {
    readonly reason: string
    readonly finalUrl?: string | undefined
  },
): Status {
  const byStatus =
    httpStatus === 404 || httpStatus === 410
      ? 'CRAWL_NOT_FOUND'
      : httpStatus === undefined
        ? 'CRAWL_UNKNOWN_ERROR'
        : 'SOURCE_NOT_AVAILABLE'
  const error = TAGS[reason] ?? { tag: byStatus, httpStatusCode: httpStatus ?? 500 }
  return {
    id,
    status: 'error',
    source: 'live',
    error: {
      ...error,
      reason,
      ...(finalUrl === undefined ? {} : { finalUrl }),
      ...(contentType === undefined ? {} : { contentType }),
    },
  }
}
