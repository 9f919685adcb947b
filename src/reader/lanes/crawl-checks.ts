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
   * Why a crawl cannot start at this page, as a sentence, or null. Throws AppError `bad_url` for an
   * address that is not allowed.
   */
  checkCrawl(url: string, options: GetOptions): Promise<string | null>
}

export function createCrawlChecks(getter: PageGetter): CrawlChecks {
  const mayCrawl: CrawlChecks['mayCrawl'] = async (url, options) =>
    (await getter.robots(url, options)).isAllowed(`${url.pathname}${url.search}`)
  return {
    mayCrawl,
    async checkCrawl(url, options) {
      const start = await getter.page(url, options)
      const isHopeless =
        start.kind === 'failed' && (HOPELESS.has(start.reason) || GONE.has(start.status ?? 0))
      if (isHopeless) {
        const reply = missReply(start)
        return reply.error
      }
      return (await mayCrawl(new URL(url), options))
        ? null
        : 'The robots.txt of the host forbids reading the page.'
    },
  }
}
