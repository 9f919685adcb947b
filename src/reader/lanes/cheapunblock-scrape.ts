import { AppError } from '../../errors/app-error.ts'
import type { LaneCall, LaneInput } from './lane-call.ts'
import type { ScrapeReply } from './scraped-document.ts'

/**
 * The reply of `cheapunblock/scrape`: the page itself as markdown, or its unchanged HTML. Throws
 * AppError `no_results` for a page that was not read.
 */
export function createCheapunblockScrape(
  scrape: (input: LaneInput, call: LaneCall) => Promise<ScrapeReply>,
) {
  return async function cheapunblockScrape(
    { url, render, format }: LaneInput,
    call: LaneCall,
  ): Promise<string> {
    const reply = await scrape(
      {
        url,
        formats: [format === 'html' ? 'rawHtml' : 'markdown'],
        onlyMainContent: false,
        ...(render === true ? { renderJs: true } : {}),
      },
      call,
    )
    const status = reply.success ? reply.data.metadata.statusCode : 0
    if (!reply.success || status >= 400)
      throw new AppError(
        'no_results',
        `${reply.success ? `The page returned status ${status}.` : reply.error} Nothing was charged.`,
      )
    return reply.data.rawHtml ?? reply.data.markdown ?? ''
  }
}
