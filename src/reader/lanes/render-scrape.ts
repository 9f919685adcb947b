import type { RenderPage } from '../render/render.ts'
import { stringsOf, type LaneCall, type LaneInput } from './lane-call.ts'
import { missReply } from './miss-reply.ts'
import { toScraped, type ExtractPage, type ScrapeReply } from './scraped-document.ts'

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
      ...(typeof input['waitForSelector'] === 'string'
        ? { selector: input['waitForSelector'] }
        : {}),
    })
    if (page.kind === 'failed') return missReply(page)
    const wanted = { formats, mainContent: input['onlyMainContent'] !== false }
    return (await toScraped(page, wanted, (raw) => extract(raw, visitor))).reply
  }
}
