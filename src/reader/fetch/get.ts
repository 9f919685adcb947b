import type { Dispatcher } from 'undici'
import { decodeText } from '../../lib/charsets/charset.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Guard, Hop } from '../../upstream/guard.ts'
import { requestThroughGuard } from '../../upstream/guarded-request.ts'
import { BodyTooLarge, readBody } from './body.ts'
import { createCookieJar } from './cookies.ts'
import { contentFrame } from './frames.ts'
import { fileTypeOf, isFileType } from './file-type.ts'
import { reasonOf, type FailureReason, type PageFailure } from './page-failure.ts'
import { isMoreThanNotice, markupIn } from '../extract/raw-markup.ts'
import { refreshTarget } from './refresh.ts'
import { createRobotsCache } from './robots-cache.ts'
import type { GetOptions, Page, Resource } from './resource.ts'
import type { RobotsFile } from './robots.ts'

export type PageGetter = {
  /**
   * The page as text, after redirects. Rejects other resources by their type before reading the
   * body, or by its first bytes.
   */
  page(url: string, options: GetOptions): Promise<Page | PageFailure>
  /** Reports whether the server cuts the page. Fetches it. */
  isCut(url: string, options: GetOptions): Promise<boolean>
  /** Any resource as bytes, if the server answers with a status below 400. */
  resource(url: string, options: GetOptions): Promise<Resource | PageFailure>
  /**
   * The rules in robots.txt of the URL's host for this fetcher. A host without the file allows
   * everything.
   */
  robots(url: URL, options: GetOptions): Promise<RobotsFile>
}
export type GetterSettings = { guard: Guard; userAgent: string; respectRobots: boolean; now: Clock }

export const MAX_PAGE_BYTES = 10 * 1024 * 1024
/** Client-side redirects are searched only in this part of a page. */
const BEGINNING_BYTES = 32 * 1024
const MAX_HOPS = 10
/** Parts of pages, and endless streams. */
const NOT_READ = /^(text\/(css|javascript|event-stream)|application\/(x-)?javascript|multipart\/)/

export function createPageGetter({
  guard,
  userAgent,
  respectRobots,
  now,
}: GetterSettings): PageGetter {
  const robots = createRobotsCache({
    userAgent,
    now,
    get: (url, options) => follow(url, options, ANYTHING, async () => undefined),
  })

  /** The reason not to fetch the page; undefined if fetching is allowed. */
  async function forbids(url: URL, options: GetOptions): Promise<FailureReason | undefined> {
    return respectRobots && !guard.isOwnPage(url) ? robots.forbids(url, options) : undefined
  }

  async function read(
    url: string,
    options: GetOptions,
    expected: Expected,
  ): Promise<Resource | PageFailure> {
    const timer = AbortSignal.timeout(options.timeoutMs)
    const timed = { ...options, signal: AbortSignal.any([options.signal, timer]) }
    try {
      const refusal = await forbids(guard.checkUrl(url), timed)
      if (refusal !== undefined)
        return failed(url, refusal, refusal === 'robots' ? {} : { finalUrl: url })
    } catch (error) {
      return failed(url, reasonOf(error))
    }
    return follow(url, timed, expected, (hop) => forbids(hop, timed))
  }

  async function follow(
    start: string,
    options: GetOptions,
    expected: Expected,
    forbidden: (hop: URL) => Promise<FailureReason | undefined>,
  ): Promise<Resource | PageFailure> {
    const cookies = createCookieJar()
    let next = start
    /** The last page that redirects by itself. */
    let lastPage: Resource | undefined
    const orLastPage = (failure: PageFailure) =>
      lastPage !== undefined && outranksFailure(failure, lastPage) ? lastPage : failure
    try {
      for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
        const kind = hop === 0 ? 'first' : 'redirect'
        const url = guard.checkUrl(next, kind)
        const refusal = hop > 0 ? await forbidden(url) : undefined
        if (refusal !== undefined)
          return orLastPage(failed(start, refusal, refusal === 'robots' ? {} : { finalUrl: next }))
        const answer = await send(url, kind, cookies.header(url), options)
        cookies.store(url, answer.headers['set-cookie'])
        const target = redirectTarget(answer, url)
        if (target !== undefined) {
          await discard(answer)
          next = target
          continue
        }
        const found = await finish(start, url, answer, options, expected)
        if (found.kind === 'failed') return orLastPage(found)
        if (lastPage !== undefined && isFile(found)) return lastPage
        const nextUrl = expected.nextUrl?.(found)
        if (nextUrl === undefined) return found
        lastPage = found
        next = nextUrl
      }
      return orLastPage(failed(start, 'too_many_redirects', { finalUrl: next }))
    } catch (error) {
      if (error instanceof BodyTooLarge)
        return orLastPage(failed(start, 'too_large', { finalUrl: next }))
      return orLastPage(
        failed(start, options.signal.aborted ? abortReason(options.signal) : reasonOf(error), {
          finalUrl: next,
        }),
      )
    }
  }

  const send = (url: URL, hop: Hop, cookie: string | undefined, options: GetOptions) =>
    requestThroughGuard(guard, url, {
      hop,
      signal: options.signal,
      timeoutMs: options.timeoutMs,
      headers: { ...browserLike(userAgent), ...(cookie === undefined ? {} : { cookie }) },
    })

  return {
    robots: robots.of,
    resource: (url, options) => read(url, options, ANYTHING),
    async isCut(url, options) {
      const answer = await read(url, options, A_PAGE)
      return answer.kind === 'failed' && answer.reason === 'incomplete'
    },
    async page(url, options) {
      const answer = await read(url, options, A_PAGE)
      if (answer.kind === 'failed') return answer
      const { body, kind: _kind, ...facts } = answer
      const html = decodeText(body, headerOf(answer.headers, 'content-type'))
      const fileType = fileTypeOf(body, html)
      if (fileType !== undefined)
        return failed(url, 'not_html', {
          finalUrl: answer.finalUrl,
          status: answer.status,
          contentType: fileType,
        })
      // Browsers remove NUL characters too. Replacing millions of them one by one takes twice as
      // long.
      return { kind: 'page', ...facts, html: html.split('\0').join(''), bytes: body.length }
    },
  }
}

/**
 * Decides by the type and by the start of the body whether to read it; `header` is the whole
 * Content-Type.
 */
type Expected = {
  readonly type: (contentType: string) => boolean
  readonly start?: (start: Buffer, header: string) => boolean
  /** The URL to which a fetched page redirects by itself. */
  readonly nextUrl?: (read: Resource) => string | undefined
}
const ANYTHING: Expected = { type: () => true }
/** Rejects file types only: servers send pages and documents alike under generic types. */
const A_PAGE: Expected = {
  type: (contentType) => !isFileType(contentType) && !NOT_READ.test(contentType),
  start: (start, header) => fileTypeOf(start, decodeText(start, header)) === undefined,
  nextUrl({ contentType, body, headers, finalUrl }) {
    if (contentType !== '' && !contentType.includes('html')) return undefined
    const beginning = decodeText(
      body.subarray(0, BEGINNING_BYTES),
      headerOf(headers, 'content-type'),
    )
    return (
      refreshTarget(beginning, headerOf(headers, 'refresh'), finalUrl) ??
      contentFrame(beginning, finalUrl)
    )
  },
}

/**
 * Reports whether a page that redirects is the result when its target fails: the target is a
 * download, or the page has content.
 */
function outranksFailure({ reason }: PageFailure, { body, headers }: Resource): boolean {
  return (
    reason === 'not_html' ||
    (reason !== 'aborted' &&
      isMoreThanNotice(
        markupIn(decodeText(body.subarray(0, BEGINNING_BYTES), headerOf(headers, 'content-type'))),
      ))
  )
}

function isFile({ body, headers }: Resource): boolean {
  return fileTypeOf(body, decodeText(body, headerOf(headers, 'content-type'))) !== undefined
}

type Answer = Dispatcher.ResponseData

async function finish(
  start: string,
  url: URL,
  answer: Answer,
  options: GetOptions,
  expected: Expected,
): Promise<Resource | PageFailure> {
  const status = answer.statusCode
  const header = headerOf(answer.headers, 'content-type')
  const contentType = header.split(';')[0]?.trim().toLowerCase() ?? ''
  const facts = { finalUrl: url.href, status }
  const maxBytes = options.maxBytes ?? MAX_PAGE_BYTES
  const refusal: FailureReason | undefined =
    status >= 400 ? 'http_status' : expected.type(contentType) ? undefined : 'not_html'
  if (refusal !== undefined) {
    await discard(answer)
    return failed(start, refusal, refusal === 'not_html' ? { ...facts, contentType } : facts)
  }
  const body = await readBody(answer.body, headerOf(answer.headers, 'content-encoding'), {
    maxBytes,
    announcedBytes: Number(headerOf(answer.headers, 'content-length')),
    isExpected: (beginning) => expected.start?.(beginning, header) !== false,
  })
  return { kind: 'resource', url: start, ...facts, contentType, headers: answer.headers, body }
}

function headerOf(headers: Resource['headers'], name: string): string {
  return String(headers[name] ?? '')
}

function redirectTarget(answer: Answer, base: URL): string | undefined {
  const location = answer.headers['location']
  if (![301, 302, 303, 307, 308].includes(answer.statusCode) || typeof location !== 'string')
    return undefined
  const target = readable(location)
  // The guard rejects an invalid target.
  return URL.parse(target, base.href)?.href ?? target
}

/** Node decodes headers as latin1. Browsers decode an unescaped URL in one as UTF-8. */
function readable(location: string): string {
  if (/^\p{ASCII}*$/u.test(location)) return location
  const text = Buffer.from(location, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? location : text
}

/** Frees the connection: reads a short remaining body, drops a long one. */
async function discard(answer: Answer): Promise<void> {
  await answer.body.dump({ limit: 64 * 1024 }).catch(() => undefined)
}

function abortReason(signal: AbortSignal): FailureReason {
  return signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    ? 'timeout'
    : 'aborted'
}

function failed(
  url: string,
  reason: FailureReason,
  facts: Omit<PageFailure, 'kind' | 'reason' | 'url'> = {},
): PageFailure {
  return { kind: 'failed', reason, url, ...facts }
}

function browserLike(userAgent: string): Record<string, string> {
  return {
    'user-agent': userAgent,
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-language': 'en-US,en;q=0.9',
    'accept-encoding': 'gzip, deflate, br, zstd',
    'upgrade-insecure-requests': '1',
  }
}
