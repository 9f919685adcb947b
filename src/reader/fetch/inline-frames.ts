/** Reads the frames of pages whose content is in a frame, such as embedded documents and old shops. */
import { attributeOf } from '../extract/raw-markup.ts'
import { readVisibleText } from '../extract/visible-text.ts'
import type { PageGetter } from './get.ts'
import type { GetOptions, Page } from './resource.ts'

type FrameDeps = {
  readonly getter: Pick<PageGetter, 'page'>
  /** Pages of this gateway are never read for another page. */
  readonly isOwnPage: (url: URL) => boolean
}
type Framed = Pick<Page, 'html' | 'finalUrl' | 'contentType'>
export type InlineFrames = (page: Framed, options: GetOptions) => Promise<string>

const MOST_FRAMES = 3
const MAX_FRAME_BYTES = 2 * 1024 * 1024
const FRAME_TIMEOUT_MS = 5_000
/** Longer sources are not searched for frames. */
const MAX_PAGE_CHARS = 1024 * 1024
/** A page with more visible text has its content outside its frames. */
const THIN_CHARS = 600
/** The same for frames of the same host that are named as content. */
const SHORT_CHARS = 2_500
/** A shorter frame is a button, a player or a message. */
const LEAST_CHARS = 200
const CONTENT = /main|content|body|article|story|text|document|viewer|inhalt|contenu|contenido/i
const AROUND =
  /nav|menu|header|footer|banner|\bads?\b|adframe|advert|sponsor|track|pixel|login|captcha|comment|chat|widget|consent|cookie|social|share|player|video|audio|map/i
/** Players, maps, sign-in, payment, advertisements and checks for bots. */
const NO_CONTENT_HOST =
  /(^|\.)(youtube(-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|twitch\.tv|spotify\.com|soundcloud\.com|google\.com|googletagmanager\.com|doubleclick\.net|googlesyndication\.com|recaptcha\.net|hcaptcha\.com|facebook\.com|twitter\.com|x\.com|instagram\.com|tiktok\.com|stripe\.com|paypal\.com|disqus\.com|adnxs\.com|criteo\.(com|net)|taboola\.com|outbrain\.com|hotjar\.com|intercom\.io|challenges\.cloudflare\.com)$/i
const MOST_TAGS = 30
const LONGEST_TAG = 4_000

/**
 * The HTML of a page with the documents of its content frames in their `srcdoc`. Frames count only
 * if the page has little text of its own. At most three are fetched, within 5 s and 2 MiB each. A
 * frame that cannot be read stays as it is. Never rejects.
 */
export function createInlineFrames({ getter, isOwnPage }: FrameDeps): InlineFrames {
  async function readFrame(url: string, options: GetOptions): Promise<string | undefined> {
    const page = await getter.page(url, {
      signal: options.signal,
      timeoutMs: Math.min(FRAME_TIMEOUT_MS, options.timeoutMs),
      maxBytes: MAX_FRAME_BYTES,
    })
    if (page.kind === 'failed' || !/html|^$/.test(page.contentType)) return undefined
    const { text } = readVisibleText(page.html)
    return text.length < LEAST_CHARS
      ? undefined
      : `<base href="${escaped(page.finalUrl)}">${page.html}`
  }

  return async (page, options) => {
    const frames = contentFrames(page).filter(({ url }) => !isOwnPage(url))
    if (frames.length === 0) return page.html
    const read = await Promise.all(
      frames.map(async ({ tag, url }) => [tag, await readFrame(url.href, options)] as const),
    )
    return read.reduce(
      (html, [tag, document]) =>
        document === undefined
          ? html
          : html.replace(tag, () => `${tag.replace(/\/?>$/, '')} srcdoc="${escaped(document)}">`),
      page.html,
    )
  }
}

/** The frames that probably hold the content of the page, in its order. */
export function contentFrames({ html, finalUrl, contentType }: Framed): readonly {
  readonly tag: string
  readonly url: URL
}[] {
  const mayHaveFrames =
    html.length <= MAX_PAGE_CHARS && /html|^$/.test(contentType) && /<iframe\b/i.test(html)
  if (!mayHaveFrames) return []
  const own = readVisibleText(html).text.length
  if (own > SHORT_CHARS) return []
  const base = new URL(finalUrl)
  const seen = new Set<string>([base.href])
  const found: { tag: string; url: URL }[] = []
  for (const tag of frameTags(html)) {
    const url = urlOf(tag, base)
    if (url === undefined || seen.has(url.href) || isPeripheral(tag, url)) continue
    const isNamed = url.host === base.host && CONTENT.test(nameOf(tag))
    if (own > THIN_CHARS && !isNamed) continue
    seen.add(url.href)
    found.push({ tag, url })
    if (found.length === MOST_FRAMES) break
  }
  return found
}

function urlOf(tag: string, base: URL): URL | undefined {
  if (attributeOf(tag, 'srcdoc') !== '') return undefined
  const source = [attributeOf(tag, 'src'), attributeOf(tag, 'data-src')].find(
    (one) => one !== '' && !one.startsWith('about:'),
  )
  const url = source === undefined ? null : URL.parse(source.trim(), base.href)
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined
}

function isPeripheral(tag: string, url: URL): boolean {
  const isHidden =
    /\shidden\b/i.test(tag) ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributeOf(tag, 'style')) ||
    ['width', 'height'].some((name) => /^[0-9]{1,2}(px)?$/.test(attributeOf(tag, name)))
  const name = nameOf(tag)
  return (
    isHidden || NO_CONTENT_HOST.test(url.hostname) || (AROUND.test(name) && !CONTENT.test(name))
  )
}

function nameOf(tag: string): string {
  return ['name', 'id', 'class', 'title'].map((name) => attributeOf(tag, name)).join(' ')
}

/** The tags of the first frames. Takes linear time for any markup. */
function frameTags(html: string): readonly string[] {
  const markup = html.replace(/<!--[^]*?(-->|$)/g, ' ')
  const tags: string[] = []
  const start = /<iframe\b/gi
  while (tags.length < MOST_TAGS) {
    const found = start.exec(markup)
    const end = found === null ? -1 : markup.indexOf('>', found.index)
    if (found === null || end === -1) break
    if (end - found.index <= LONGEST_TAG) tags.push(markup.slice(found.index, end + 1))
    start.lastIndex = end
  }
  return tags
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
