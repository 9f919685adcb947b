import { withoutPosition } from '../../reader/fetch/view-fragment.ts'

/** Words in the paths of pages that name addresses, the likeliest first. */
const WORDS: readonly RegExp[] = [
  /\b(contact|contacts|contactus|kontakt|contatti|contacto|contato|nous-contacter)\b/,
  /\b(imprint|impressum|legal-notice|mentions-legales|aviso-legal|note-legali)\b/,
  /\b(team|people|staff|equipe|equipo|leadership|management|our-team|who-we-are)\b/,
  /\b(about|aboutus|ueber-uns|a-propos|chi-siamo|nosotros|company|unternehmen)\b/,
  /\b(press|presse|media|newsroom|support|help|careers|jobs|karriere)\b/,
  /\b(privacy|datenschutz|legal|terms)\b/,
]

/** At most `most` pages of the same site that usually name addresses, the likeliest first. */
export function chooseContactPages(
  links: readonly string[],
  home: string,
  most: number,
): readonly string[] {
  const start = new URL(home)
  const pages = links.flatMap((link) => {
    const url = URL.parse(link, home)
    if (url === null || siteOf(url) !== siteOf(start) || url.protocol !== start.protocol) return []
    url.href = withoutPosition(url.href)
    const rank = WORDS.findIndex((word) => word.test(wordsOf(url)))
    return rank < 0 || url.href === start.href
      ? []
      : [{ href: url.href, rank, depth: depthOf(url) }]
  })
  const ranked = pages.toSorted((one, other) => one.rank - other.rank || one.depth - other.depth)
  return [...new Set(ranked.map(({ href }) => href))].slice(0, most)
}

/** The path, and the name of a view, with spaces between their words. */
function wordsOf({ pathname, hash }: URL): string {
  return `${pathname}${hash}`.toLowerCase().replaceAll(/[/_.#!]+/g, ' ')
}

function depthOf({ pathname }: URL): number {
  return pathname.split('/').length
}

function siteOf({ host }: URL): string {
  return host.replace(/^www\./, '')
}
