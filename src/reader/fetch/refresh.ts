/** Pages that redirect by `<meta http-equiv="refresh">` or the Refresh header. */
import { attributeOf, markupIn, tagsIn } from '../extract/raw-markup.ts'

/** A page with a longer delay is read itself. */
const MAX_SECONDS = 5
const REFRESH =
  /^\s*(\d+)(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|((?!url\s*=)\S.*))/is

/** The URL to which the page redirects within seconds; undefined if it stays or reloads itself. */
export function refreshTarget(html: string, header: string, base: string): string | undefined {
  const target = targetIn(header) ?? targetIn(declared(html))
  const url = target === undefined ? null : URL.parse(target, base)
  return url === null || isSamePage(url, new URL(base)) ? undefined : url.href
}

function declared(html: string): string {
  const tag = tagsIn(markupIn(html), 'meta').find((meta) =>
    /^refresh$/i.test(attributeOf(meta, 'http-equiv')),
  )
  return tag === undefined ? '' : attributeOf(tag, 'content')
}

function targetIn(refresh: string): string | undefined {
  const [, seconds, ...targets] = REFRESH.exec(refresh) ?? []
  const target = targets.find((text) => text !== undefined)?.trim()
  return seconds === undefined || Number(seconds) > MAX_SECONDS || target === ''
    ? undefined
    : target
}

function isSamePage(one: URL, other: URL): boolean {
  return one.href.replace(/#.*/, '') === other.href.replace(/#.*/, '')
}
