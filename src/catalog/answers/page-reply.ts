/** Judges the replies of page-reading services. */
import { Type, type Static } from '../../lib/schema.ts'
import { isFilled } from './filled.ts'
import type { FileField } from '../vocabulary/file-field.ts'
import { failed, type Outcome } from '../vocabulary/outcome.ts'
import { field } from './vendor-failure.ts'
import type { Reply } from '../vocabulary/wire.ts'

export type PageReport = {
  readonly success: boolean
  /** Status of the page itself, as reported by the vendor. */
  readonly statusCode: number | undefined
  readonly title: string | undefined
  /** The visible text, to recognize a wall. Undefined if the reply does not contain it. */
  readonly text: () => string | undefined
  /** Whether the reply contains anything that was requested. */
  readonly delivered: boolean
  readonly reason: string | undefined
}

/** Titles of interstitials that bot protection serves with status 200. */
const WALL_TITLE =
  /^(just a moment|attention required|access denied|pardon our interruption|are you a robot|verify(ing)? you are human|please wait|ddos-guard|security check)/i
/** A longer page under such a title is about walls and is not one. */
const MAX_WALL_CHARACTERS = 1_500

/**
 * The failure of a reading without a useful result; undefined if the page was read. A single page
 * that refused, answered with an error status or showed a wall is a free failure.
 */
function pageMiss(report: PageReport): Outcome | undefined {
  const { statusCode } = report
  const details = statusCode === undefined ? undefined : { page_status: statusCode }
  if (!report.success)
    return failed('no_results', report.reason ?? 'The page could not be read.', details)
  if (statusCode !== undefined && statusCode >= 400)
    return failed('no_results', `The page returned status ${statusCode}.`, details)
  if (isWall(report)) {
    return failed('no_results', 'The page showed a bot wall instead of its content.', {
      ...details,
      blocked: true,
    })
  }
  return report.delivered
    ? undefined
    : failed('no_results', 'The page was read without any of the requested formats.', details)
}

/**
 * Reads the text only under a suspicious title, because stripping tags from a large page is slow.
 */
function isWall({ title, text }: PageReport): boolean {
  if (title === undefined || !WALL_TITLE.test(title.trim())) return false
  const visible = text()
  return visible !== undefined && visible.length <= MAX_WALL_CHARACTERS
}

/** The text of HTML without tags and scripts. Every step is linear for any markup. */
function visibleText(html: string): string {
  const [head = '', ...scripts] = html.split(/<(?:script|style)\b/i)
  const afterScripts = scripts.map((part) => {
    const end = part.search(/<\/(?:script|style)/i)
    return end < 0 ? '' : part.slice(end)
  })
  return [head, ...afterScripts]
    .join(' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Vendors return a screenshot as a short-lived link or as a `data:` URL. */
export function screenshotField(place: string): FileField {
  return { field: place, filename: 'screenshot', mime: 'image/png' }
}

export type PageFormat = 'html' | 'markdown'

/** `pageMiss` for a page that is returned as bare text. */
export function contentMiss(
  content: string,
  format: PageFormat,
  statusCode: number | undefined,
): Outcome | undefined {
  const title =
    format === 'html'
      ? /<title[^<>]*>([^<]{1,300})/i.exec(content)?.[1]
      : /^# (.{1,300})$/m.exec(content)?.[1]
  return pageMiss({
    success: true,
    statusCode,
    title,
    text: () => (format === 'html' ? visibleText(content) : content),
    delivered: content.trim() !== '',
    reason: undefined,
  })
}

/** The page's own status, from a header of the vendor. */
export function parseStatus(header: string | undefined): number | undefined {
  const status = Number.parseInt(header ?? '', 10)
  return Number.isNaN(status) ? undefined : status
}

/**
 * Whether an error status is the page's own, passed on by the vendor. Then calls for other pages
 * need not pause.
 */
export function isPageStatus(
  { status }: Pick<Reply, 'status'>,
  pageStatus: number | undefined,
): boolean {
  return status >= 400 && status === pageStatus
}

/** The page as text. A page that is JSON arrives parsed. */
export function pageText(body: unknown): string {
  if (typeof body === 'string') return body
  return body === undefined || body === null ? '' : JSON.stringify(body)
}

/** The readable part of a scraped document that may contain markdown, HTML or neither. */
function readableText(document: unknown): string | undefined {
  const markdown = field(document, 'markdown')
  if (typeof markdown === 'string') return markdown
  const html = field(document, 'html') ?? field(document, 'rawHtml')
  return typeof html === 'string' ? visibleText(html) : undefined
}

/**
 * The reply form of several scraping vendors: a document under `data`, its facts under
 * `data.metadata`.
 */
export const documentReply = Type.Object({
  success: Type.Boolean(),
  error: Type.Optional(Type.Unknown()),
  data: Type.Optional(Type.Unknown()),
})

/** `pageMiss` for such a reply. `wanted` names the requested fields of the document. */
export function documentMiss(
  { success, error, data }: Static<typeof documentReply>,
  wanted: readonly string[],
): Outcome | undefined {
  const metadata = field(data, 'metadata')
  const statusCode = field(metadata, 'statusCode')
  return pageMiss({
    success: success && data !== undefined && data !== null,
    statusCode: typeof statusCode === 'number' ? statusCode : undefined,
    title: firstTitle(field(metadata, 'title')),
    text: () => readableText(data),
    delivered: wanted.some((name) => isFilled(field(data, name))),
    reason: typeof error === 'string' && error !== '' ? error.slice(0, 500) : undefined,
  })
}

/** Vendors report a title as a string or, for pages with several, as a list. */
export function firstTitle(title: unknown): string | undefined {
  const first: unknown = Array.isArray(title) ? title[0] : title
  return typeof first === 'string' && first !== '' ? first : undefined
}
