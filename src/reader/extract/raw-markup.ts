/** The first characters of a page. They decide, before parsing, whether to read the page. */

const BEGINNING_CHARACTERS = 16_384
const UNSEEN = /<!--[^]*?(-->|$)|<(script|style|noscript|template|textarea)\b[^]*?(<\/\2|$)/gi

/** The beginning of a page without elements that are invisible to a reader without scripts. */
export function markupIn(html: string): string {
  return html.slice(0, BEGINNING_CHARACTERS).replace(UNSEEN, ' ')
}

/** The tags with this name, unchanged. */
export function tagsIn(markup: string, name: string): string[] {
  return markup.match(new RegExp(`<${name}\\b[^>]*>`, 'gi')) ?? []
}

/** Empty when the tag has no such attribute. */
export function attributeOf(tag: string, name: string): string {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)|'([^']*)|([^\\s>]+))`, 'i').exec(tag)
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? '')
    .replaceAll(/&(?:#0*39|apos);/g, "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

/** A page that redirects is content itself if it has more visible text than this. */
const NOTICE_CHARACTERS = 500

export function isMoreThanNotice(markup: string): boolean {
  return (
    markup
      .replaceAll(/<[^<>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim().length > NOTICE_CHARACTERS
  )
}
