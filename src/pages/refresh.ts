/** Pages that send their readers on by themselves: with `<meta http-equiv="refresh">`, or the header of that name. */

/** A page that shows itself for longer than this is what it shows. */
const MAX_SECONDS = 5
/** Where a page says so. */
const SEARCHED_CHARACTERS = 16_384
const UNSEEN = /<!--[^]*?(-->|$)|<(script|style|noscript|template|textarea)\b[^]*?(<\/\2|$)/gi
const REFRESH = /^\s*(\d+)(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|((?!url\s*=)\S.*))/is

/** Where the page leads within seconds; undefined when it stays, or only loads itself anew. */
export function refreshTarget(html: string, header: string, base: string): string | undefined {
  const target = targetIn(header) ?? targetIn(declared(html))
  const url = target === undefined ? null : URL.parse(target, base)
  return url === null || isSamePage(url, new URL(base)) ? undefined : url.href
}

/** The beginning of a page without what is no part of it for a reader that runs no scripts. */
export function markupIn(html: string): string {
  return html.slice(0, SEARCHED_CHARACTERS).replace(UNSEEN, ' ')
}

function declared(html: string): string {
  for (const [tag] of markupIn(html).matchAll(/<meta\b[^>]*>/gi)) {
    if (/\bhttp-equiv\s*=\s*["']?refresh\b/i.test(tag)) {
      const content = /\bcontent\s*=\s*(?:"([^"]*)|'([^']*)|([^\s>]+))/i.exec(tag)
      return (content?.[1] ?? content?.[2] ?? content?.[3] ?? '').replaceAll('&amp;', '&').replaceAll(/&(?:#0*39|apos);/g, "'").replaceAll('&quot;', '"')
    }
  }
  return ''
}

function targetIn(refresh: string): string | undefined {
  const [, seconds, ...targets] = REFRESH.exec(refresh) ?? []
  const target = targets.find((text) => text !== undefined)?.trim()
  return seconds === undefined || Number(seconds) > MAX_SECONDS || target === '' ? undefined : target
}

function isSamePage(one: URL, other: URL): boolean {
  return one.href.replace(/#.*/, '') === other.href.replace(/#.*/, '')
}
