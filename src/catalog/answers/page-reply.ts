/** What the page-reading services have in common when they judge a vendor's reply. */
import { Type, type Static } from 'typebox'
import { isFilled } from './filled.ts'
import type { FileField } from '../vocabulary/file-field.ts'
import { failed, type Outcome } from '../vocabulary/outcome.ts'
import { field } from './vendor-failure.ts'
import type { Reply } from '../vocabulary/wire.ts'

export type PageReport = {
  readonly success: boolean
  /** Status of the page itself, as the vendor saw it. */
  readonly statusCode: number | undefined
  readonly title: string | undefined
  /** What a person would read, for recognising a wall; undefined when the reply does not show it. */
  readonly text: () => string | undefined
  /** Whether anything that was asked for came back. */
  readonly delivered: boolean
  readonly reason: string | undefined
}

/** Titles of interstitials that bot protection serves with status 200. */
const WALL_TITLE =
  /^(just a moment|attention required|access denied|pardon our interruption|are you a robot|verify(ing)? you are human|please wait|ddos-guard|security check)/i
/** A page that says more than this under such a title is about walls rather than one. */
const MAX_WALL_CHARACTERS = 1_500

/**
 * The failure of a reading that delivered nothing useful, undefined when the page was read. A miss of a single page
 * is a failure and free: the page refused, answered with an error status, or showed a wall.
 */
function pageMiss(report: PageReport): Outcome | undefined {
  const { statusCode } = report
  const details = statusCode === undefined ? undefined : { page_status: statusCode }
  if (!report.success)
    return failed('no_results', report.reason ?? 'The page could not be read.', details)
  if (statusCode !== undefined && statusCode >= 400)
    return failed('no_results', `The page itself answered with status ${statusCode}.`, details)
  if (isWall(report)) {
    return failed('no_results', 'The page showed a bot wall instead of its content.', {
      ...details,
      blocked: true,
    })
  }
  return report.delivered
    ? undefined
    : failed('no_results', 'The page came back without any of the formats asked for.', details)
}

/** The text is looked at only under a suspicious title: taking the tags out of a large page costs time. */
function isWall({ title, text }: PageReport): boolean {
  if (title === undefined || !WALL_TITLE.test(title.trim())) return false
  const seen = text()
  return seen !== undefined && seen.length <= MAX_WALL_CHARACTERS
}

/** The text of HTML without tags and scripts. Every step is linear, whatever the page does to its markup. */
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

/** Readers hand a screenshot out as a link that soon ends, or as a `data:` URL. */
export function screenshotIn(place: string): FileField {
  return { field: place, filename: 'screenshot', mime: 'image/png' }
}

export type PageFormat = 'html' | 'markdown'

/** `pageMiss` for a page that came as bare text. */
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

/** The page's own status, from a header in which a vendor tells it. */
export function statusIn(header: string | undefined): number | undefined {
  const status = Number.parseInt(header ?? '', 10)
  return Number.isNaN(status) ? undefined : status
}

/** Whether a refusal is the page's own, handed on, and not the vendor's: who asks another page next is not concerned. */
export function isOfPage(
  { status }: Pick<Reply, 'status'>,
  pageStatus: number | undefined,
): boolean {
  return status >= 400 && status === pageStatus
}

/** A body that is the page itself, as text: a page that is JSON arrives parsed. */
export function pageText(body: unknown): string {
  if (typeof body === 'string') return body
  return body === undefined || body === null ? '' : JSON.stringify(body)
}

/** The readable part of a scraped document that may hold markdown, HTML or neither. */
function readableText(document: unknown): string | undefined {
  const markdown = field(document, 'markdown')
  if (typeof markdown === 'string') return markdown
  const html = field(document, 'html') ?? field(document, 'rawHtml')
  return typeof html === 'string' ? visibleText(html) : undefined
}

/** The reply form that several scraping vendors share: a document under `data`, its facts under `data.metadata`. */
export const documentReply = Type.Object({
  success: Type.Boolean(),
  error: Type.Optional(Type.Unknown()),
  data: Type.Optional(Type.Unknown()),
})

/** `pageMiss` for such a reply; `wanted` names the fields of the document that were asked for. */
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

/** Vendors report a title as a string or, for pages with several, as a list of them. */
export function firstTitle(title: unknown): string | undefined {
  const first: unknown = Array.isArray(title) ? title[0] : title
  return typeof first === 'string' && first !== '' ? first : undefined
}
