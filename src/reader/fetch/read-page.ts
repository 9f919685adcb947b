import { AppError } from '../../errors/app-error.ts'
import type { ExtractionPool } from '../extract/extraction-pool.ts'
import type { Extraction, WorkInput } from '../extract/extraction-worker.ts'
import type { Visitor } from '../../lib/fairness/fair-slots.ts'
import { judgeView } from '../judge/judge-view.ts'
import type { PageGetter } from './get.ts'
import type { InlineFrames } from './inline-frames.ts'
import type { GetOptions, Page } from './resource.ts'
import type { PageFailure } from './page-failure.ts'

export type ReadDeps = {
  readonly getter: PageGetter
  readonly pool: ExtractionPool
  readonly inlineFrames: InlineFrames
}
export type ReadResult = { kind: 'read'; page: Page; extraction: Extraction } | PageFailure
type ReadRequest = Pick<WorkInput, 'url' | 'format' | 'mainContent' | 'highlights'>

/**
 * Fetches a page and extracts its content. Throws an AppError only for the gateway's state:
 * `overloaded`, `rate_limited`, `shutting_down`.
 */
export async function readPage(
  { getter, pool, inlineFrames }: ReadDeps,
  request: ReadRequest,
  options: GetOptions & Visitor,
): Promise<ReadResult> {
  const page = await getter.page(request.url, options)
  if (page.kind === 'failed') return page
  try {
    const extraction = await pool.run(
      {
        ...request,
        html: await inlineFrames(page, options),
        contentType: page.contentType,
        url: page.finalUrl,
        status: page.status,
      },
      options,
    )
    const verdict = judgeView(extraction.verdict, { url: request.url, html: page.html })
    return { kind: 'read', page, extraction: { ...extraction, verdict } }
  } catch (error) {
    if (options.signal.aborted)
      return { kind: 'failed', reason: 'aborted', url: request.url, finalUrl: page.finalUrl }
    if (!(error instanceof AppError) || error.code !== 'upstream_error') throw error
    return { kind: 'failed', reason: 'extraction', url: request.url, finalUrl: page.finalUrl }
  }
}
