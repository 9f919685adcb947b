import type { Visitor } from '../../lib/fairness/fair-slots.ts'
import { isXml } from '../fetch/source-text.ts'
import type { PageFields } from '../embedded/page-fields.ts'
import { judgeView } from '../judge/judge-view.ts'
import type { RenderedPage } from '../render/render.ts'
import { withoutMarks } from '../render/render-snapshot.ts'
import type { MissReply } from './miss-reply.ts'

type RawPage = {
  html: string
  url: string
  format: 'markdown' | 'html' | 'text'
  mainContent: boolean
  contentType?: string
  includesLinks?: boolean
  hiddenMark?: string
}
/** Extracts a page's content. If it judges too, `verdict` reports a wall. */
export type ExtractPage = (
  raw: RawPage,
  visitor: Visitor,
) => Promise<{
  title: string | null
  content: string
  fields?: PageFields
  links?: string[] | undefined
  verdict?: { flags: readonly string[]; yield: number } | undefined
}>
export type ScrapeReply = { success: true; data: ScrapedDocument } | MissReply
export type ScrapedDocument = {
  markdown?: string
  html?: string
  rawHtml?: string
  plainText?: string
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
    /** The judgement of the page by its source, which vendors do not return. */
    yield?: number
    qualityFlags?: readonly string[]
  }
}
/** A page as it arrived, with or without a browser. */
export type ArrivedPage = Omit<RenderedPage, 'kind' | 'links' | 'hiddenMark'> & {
  links?: string[]
  /** Only of a page that the browser read. */
  hiddenMark?: string
}
/** `quality` has the verdict on the page: a wall, a shell without content, or nothing. */
export type Scraped = { reply: ScrapeReply; quality: readonly string[] }

const FIELDS = { markdown: 'markdown', html: 'html', plainText: 'text' } as const

/**
 * A page in the vendors' document shape, in the requested formats. The outcome of a page with an
 * error status depends only on the status, so it is not parsed.
 */
export async function toScraped(
  page: ArrivedPage,
  { formats, mainContent }: { formats: ReadonlySet<string>; mainContent: boolean },
  extract: (raw: RawPage) => ReturnType<ExtractPage>,
): Promise<Scraped> {
  const read =
    page.status >= 400 ? undefined : await extractAll(extract, page, formats, mainContent)
  const quality = read?.quality ?? []
  if (quality.includes('blocked'))
    return {
      reply: { success: false, error: 'The page showed a bot wall instead of its content.' },
      quality,
    }
  const links = page.links ?? read?.links
  return {
    quality,
    reply: {
      success: true,
      data: {
        ...read?.contents,
        ...(formats.has('rawHtml') ? { rawHtml: sourceOf(page) } : {}),
        ...(formats.has('links') && links !== undefined ? { links } : {}),
        ...(page.screenshot === undefined
          ? {}
          : { screenshot: `data:image/png;base64,${page.screenshot.toString('base64')}` }),
        ...(read?.fields === undefined ? {} : { fields: read.fields }),
        metadata: { ...metadataOf(page, read?.title), ...read?.judgement },
      },
    },
  }
}

function sourceOf({ html, hiddenMark }: ArrivedPage): string {
  return hiddenMark === undefined ? html : withoutMarks({ html, hiddenMark })
}

/** Parses at least once, in any format, to detect a wall. */
async function extractAll(
  extract: (raw: RawPage) => ReturnType<ExtractPage>,
  page: ArrivedPage,
  formats: ReadonlySet<string>,
  mainContent: boolean,
) {
  const wanted = (['markdown', 'html', 'plainText'] as const).filter((name) => formats.has(name))
  // The browser wraps a text resource in a page.
  const { html, contentType, finalUrl: url } = page
  const includesLinks = page.links === undefined && formats.has('links')
  const read = async (format: RawPage['format'], withLinks: boolean) =>
    extract({
      html,
      url,
      format,
      mainContent,
      ...(isXml(page) ? { contentType } : {}),
      ...(page.hiddenMark === undefined ? {} : { hiddenMark: page.hiddenMark }),
      ...(withLinks ? { includesLinks: true } : {}),
    })
  const [first, ...rest] = await Promise.all([
    read(wanted[0] === undefined ? 'text' : FIELDS[wanted[0]], includesLinks),
    ...wanted.slice(1).map((name) => read(FIELDS[name], false)),
  ])
  const contents: { markdown?: string; html?: string; plainText?: string } = {}
  for (const [index, { content }] of [first, ...rest].entries()) {
    const name = wanted[index]
    if (name !== undefined) contents[name] = content
  }
  const verdict =
    first.verdict === undefined || page.hiddenMark !== undefined
      ? first.verdict
      : judgeView(first.verdict, page)
  return {
    title: first.title,
    fields: first.fields,
    quality: verdict?.flags ?? [],
    judgement:
      verdict === undefined ? {} : { yield: verdict.yield, qualityFlags: [...verdict.flags] },
    contents,
    links: first.links,
  }
}

function metadataOf(
  page: ArrivedPage,
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
