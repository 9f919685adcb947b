import { AppError } from '../../errors/app-error.ts'
import type { PageGetter } from '../fetch/get.ts'
import type { FailureReason } from '../fetch/page-failure.ts'
import type { InlineFrames } from '../fetch/inline-frames.ts'
import { stringsOf, type LaneCall, type LaneInput } from './lane-call.ts'
import { missReply } from './miss-reply.ts'
import { toScraped, type ExtractPage, type Scraped, type ScrapeReply } from './scraped-document.ts'

/** Failures that a browser meets too. */
const FINAL: ReadonlySet<FailureReason> = new Set<FailureReason>([
  'aborted',
  'dns',
  'bad_url',
  'blocked_address',
  'not_html',
  'robots',
  'too_large',
  'incomplete',
])
const GET_TIMEOUT_MS = 15_000

/**
 * The reply of `render2/scrape`, read in-house: without scripts first, and in the browser if the
 * page needs it or `renderJs` is true. Throws AppError as `missReply` and the renderer do.
 */
export function createRender2Scrape({
  getter,
  inlineFrames,
  extract,
  inBrowser,
}: {
  getter: PageGetter
  inlineFrames: InlineFrames
  extract: ExtractPage
  inBrowser: (input: LaneInput, call: LaneCall) => Promise<ScrapeReply>
}) {
  return async function render2Scrape(input: LaneInput, call: LaneCall): Promise<ScrapeReply> {
    const formats = new Set(stringsOf(input['formats'] ?? ['markdown']))
    const needsBrowser =
      input['renderJs'] === true || formats.has('screenshot') || Number(input['waitFor'] ?? 0) > 0
    if (needsBrowser) return inBrowser(input, call)
    const first = await readByHttp(input, formats, call)
    if ('final' in first) return first.final
    if (input['renderJs'] === false) return first.reply
    return first.reply.success && first.quality.length === 0
      ? first.reply
      : readAgain(input, call, first)
  }

  async function readByHttp(
    input: LaneInput,
    formats: ReadonlySet<string>,
    { accountId, signal, timeoutMs }: LaneCall,
  ): Promise<Scraped | { readonly final: ScrapeReply }> {
    const url = String(input['url'])
    const page = await getter.page(url, {
      signal,
      timeoutMs: Math.min(GET_TIMEOUT_MS, timeoutMs / 2),
    })
    if (page.kind === 'failed') {
      if (FINAL.has(page.reason)) return { final: missReply(page) }
      return { reply: missOf(page.status), quality: [page.reason] }
    }
    const { html, finalUrl, status, contentType } = page
    const whole = await inlineFrames(page, { signal, timeoutMs: timeoutMs / 2 })
    const arrived = {
      url,
      finalUrl,
      status,
      contentType,
      html,
      title: '',
      description: '',
      language: '',
    }
    const wanted = { formats, mainContent: input['onlyMainContent'] !== false }
    return toScraped(arrived, wanted, (raw) =>
      extract({ ...raw, html: whole }, { accountId, signal }),
    )
  }

  /** Without a browser, the page is returned as it arrived. */
  async function readAgain(input: LaneInput, call: LaneCall, first: Scraped): Promise<ScrapeReply> {
    try {
      return await inBrowser(input, call)
    } catch (error) {
      const isWithoutBrowser = error instanceof AppError && error.code === 'upstream_not_configured'
      if (isWithoutBrowser) return first.reply
      throw error
    }
  }
}

function missOf(status: number | undefined): ScrapeReply {
  return {
    success: false,
    error:
      status === undefined
        ? 'The page could not be read.'
        : `The server answered with status ${status}.`,
  }
}
