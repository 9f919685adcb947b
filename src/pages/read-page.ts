import { AppError } from '../errors/app-error.ts'
import type { ExtractionPool } from './extraction-pool.ts'
import type { Extraction, WorkInput } from './extraction-worker.ts'
import type { GetOptions, Page, PageGetter } from './get.ts'
import type { PageFailure } from './page-failure.ts'

export type ReadResult = { kind: 'read'; page: Page; extraction: Extraction } | PageFailure
type Wish = Pick<WorkInput, 'url' | 'format' | 'mainContent' | 'highlights'>

/** Gets a page and takes its content out. Throws AppError only for our own state: overloaded, shutting_down. */
export async function readPage({ getter, pool }: { getter: PageGetter; pool: ExtractionPool }, wish: Wish, options: GetOptions): Promise<ReadResult> {
  const page = await getter.page(wish.url, options)
  if (page.kind === 'failed') return page
  try {
    const extraction = await pool.run({ ...wish, html: sourceOf(page), url: page.finalUrl, status: page.status })
    return { kind: 'read', page, extraction }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'upstream_error') throw error
    return { kind: 'failed', reason: 'extraction', url: wish.url, finalUrl: page.finalUrl }
  }
}

/**
 * Plain text, JSON and XML such as a feed go through the same way as pages, as preformatted text. A page may be XML too:
 * it says so by its root.
 */
function sourceOf({ contentType, html }: Page): string {
  const isText = /^(text\/(plain|markdown|csv)|application\/(json|ld\+json|markdown))/.test(contentType)
  const isXml = /^(text|application)\/(?!xhtml\b)([\w.-]+\+)?xml\b/.test(contentType) && !/<html[\s>]/i.test(html.slice(0, 2_000))
  if (!isText && !isXml) return html
  const title = isXml ? (/<title[^<>]{0,200}>[^<]{1,300}<\/title>/i.exec(html)?.[0] ?? '') : ''
  return `${title}<pre>${html.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`
}
