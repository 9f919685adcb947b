/** The beginning of a page as it came: for what decides, before it is parsed, whether it is to be read at all. */

const BEGINNING_CHARACTERS = 16_384
const UNSEEN = /<!--[^]*?(-->|$)|<(script|style|noscript|template|textarea)\b[^]*?(<\/\2|$)/gi

/** Without what is no part of it for a reader that runs no scripts. */
export function markupIn(html: string): string {
  return html.slice(0, BEGINNING_CHARACTERS).replace(UNSEEN, ' ')
}

/** The tags of that name, each as it stands there. */
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

/** A page that leads its readers elsewhere is one itself where it shows more than this. */
const NOTICE_CHARACTERS = 500

export function isMoreThanNotice(markup: string): boolean {
  return (
    markup
      .replaceAll(/<[^<>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim().length > NOTICE_CHARACTERS
  )
}
