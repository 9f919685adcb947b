import type { GetOptions } from '../fetch/resource.ts'
import type { PageGetter } from '../fetch/get.ts'
import type { FailureReason } from '../fetch/page-failure.ts'
import { missReply } from './miss-reply.ts'

/** Failures of a start page that no way of reading it avoids. */
const HOPELESS: ReadonlySet<FailureReason> = new Set<FailureReason>([
  'bad_url',
  'blocked_address',
  'dns',
  'refused',
  'robots',
  'not_html',
])
const GONE = new Set([404, 410])

export type CrawlChecks = {
  /** Whether robots.txt of the host allows the page. Crawls always respect it. */
  mayCrawl(url: URL, options: GetOptions): Promise<boolean>
  /**
   * Why a page cannot be read in any way, as a sentence, or null. Throws AppError `bad_url` for an
   * address that is not allowed.
   */
  checkPage(url: string, options: GetOptions): Promise<string | null>
  /** The same for the start page of a crawl, which robots.txt can forbid. */
  checkCrawl(url: string, options: GetOptions): Promise<string | null>
}

export function createCrawlChecks(getter: PageGetter): CrawlChecks {
  const mayCrawl: CrawlChecks['mayCrawl'] = async (url, options) =>
    (await getter.robots(url, options)).isAllowed(`${url.pathname}${url.search}`)
  const checkPage: CrawlChecks['checkPage'] = async (url, options) => {
    const start = await getter.page(url, options)
    const isHopeless =
      start.kind === 'failed' && (HOPELESS.has(start.reason) || GONE.has(start.status ?? 0))
    return isHopeless ? missReply(start).error : null
  }
  return {
    mayCrawl,
    checkPage,
    async checkCrawl(url, options) {
      const problem = await checkPage(url, options)
      if (problem !== null || (await mayCrawl(new URL(url), options))) return problem
      return 'The robots.txt of the host forbids reading the page.'
    },
  }
}
