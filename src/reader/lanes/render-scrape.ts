import type { Visitor } from '../../lib/fairness/fair-slots.ts'
import type { RenderedPage, RenderPage } from '../render/render.ts'
import type { PageFields } from '../embedded/page-fields.ts'
import { missReply, type MissReply } from './miss-reply.ts'
import { isXml } from '../fetch/source-text.ts'
import { stringsOf, type LaneCall, type LaneInput } from './lane-call.ts'

type RawPage = {
  html: string
  url: string
  format: 'markdown' | 'html' | 'text'
  mainContent: boolean
  contentType?: string
}
/** Extracts a page's content. If it judges too, `verdict` reports a wall. */
export type ExtractPage = (
  raw: RawPage,
  visitor: Visitor,
) => Promise<{
  title: string | null
  content: string
  fields?: PageFields
  verdict?: { flags: readonly string[] } | undefined
}>
export type ScrapeReply = { success: true; data: ScrapedDocument } | MissReply
type ScrapedDocument = {
  markdown?: string
  html?: string
  rawHtml?: string
  links?: string[]
  /** A data: URL. */
  screenshot?: string
  /** Author, dates, site, image and price; absent for a page that was not parsed. */
  fields?: PageFields
  metadata: {
    title: string
    description?: string
    language?: string
    sourceURL: string
    url: string
    statusCode: number
    contentType: string
  }
}

/** Time reserved for extraction after the page is read. */
const EXTRACTION_MS = 12_000

/**
 * The reply of `render/scrape`, read in-house in the browser. Throws AppError as `missReply` and
 * the renderer do.
 */
export function createRenderScrape({
  render,
  extract,
}: {
  render: RenderPage
  extract: ExtractPage
}) {
  return async function renderScrape(
    input: LaneInput,
    { accountId, signal, timeoutMs }: LaneCall,
  ): Promise<ScrapeReply> {
    const visitor = { accountId, signal }
    const formats = new Set(stringsOf(input['formats'] ?? ['markdown']))
    const page = await render({
      url: String(input['url']),
      waitForMs: typeof input['waitFor'] === 'number' ? input['waitFor'] : 0,
      timeoutMs: Math.max(timeoutMs / 2, timeoutMs - EXTRACTION_MS),
      ...visitor,
      includesScreenshot: formats.has('screenshot'),
    })
    if (page.kind === 'failed') return missReply(page)
    const mainContent = input['onlyMainContent'] !== false
    // The outcome of a page with an error status depends only on the status, so it is not parsed.
    const read =
      page.status >= 400
        ? undefined
        : await extractAll((raw) => extract(raw, visitor), page, formats, mainContent)
    if (read?.isWall === true)
      return { success: false, error: 'The page showed a bot wall instead of its content.' }
    return {
      success: true,
      data: {
        ...read?.contents,
        ...(formats.has('rawHtml') ? { rawHtml: page.html } : {}),
        ...(formats.has('links') ? { links: page.links } : {}),
        ...(page.screenshot === undefined
          ? {}
          : { screenshot: `data:image/png;base64,${page.screenshot.toString('base64')}` }),
        ...(read?.fields === undefined ? {} : { fields: read.fields }),
        metadata: metadataOf(page, read?.title),
      },
    }
  }
}

/** Parses at least once, in any format, to detect a wall. */
async function extractAll(
  extract: (raw: RawPage) => ReturnType<ExtractPage>,
  page: RenderedPage,
  formats: ReadonlySet<string>,
  mainContent: boolean,
) {
  const wanted = (['markdown', 'html'] as const).filter((format) => formats.has(format))
  // The browser wraps a text resource in a page.
  const { html, contentType, finalUrl: url } = page
  const read = async (format: RawPage['format']) => ({
    format,
    ...(await extract({ html, url, format, mainContent, ...(isXml(page) ? { contentType } : {}) })),
  })
  const [first, ...rest] = await Promise.all([
    read(wanted[0] ?? 'text'),
    ...wanted.slice(1).map(read),
  ])
  const contents: { markdown?: string; html?: string } = {}
  for (const { format, content } of [first, ...rest])
    if (format !== 'text') contents[format] = content
  return {
    title: first.title,
    fields: first.fields,
    isWall: first.verdict?.flags.includes('blocked') === true,
    contents,
  }
}

function metadataOf(
  page: RenderedPage,
  title: string | null | undefined,
): ScrapedDocument['metadata'] {
  const {
    description,
    language,
    url: sourceURL,
    finalUrl: url,
    status: statusCode,
    contentType,
  } = page
  const known = {
    ...(description === '' ? {} : { description }),
    ...(language === '' ? {} : { language }),
  }
  return { title: title ?? page.title, ...known, sourceURL, url, statusCode, contentType }
}
