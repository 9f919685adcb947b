/** Chooses further pages of a site for a demo. */
import { withoutPosition } from '../../reader/fetch/view-fragment.ts'
import { isSameSite } from '../../reader/video/same-site.ts'
import type { PageFacts } from '../../reader/video/survey-pages.ts'
import { isLinkToShow } from './harmless-links.ts'
import { countMatches } from './match-words.ts'

/** Pages that explain a product, the most relevant first. */
const PRODUCT_PAGES = [
  /\b(features?|product|how it works|tour|overview|platform)\b/i,
  /\b(pricing|prices|plans)\b/i,
  /\b(docs|documentation|guides?|examples?|use cases?|solutions?|customers|showcase|gallery|learn)\b/i,
]

/** Returns at most `most` linked URLs of the same site: pages that match `words` first, then product pages. */
export function choosePages(home: PageFacts, words: string, most: number): string[] {
  const site = new URL(home.url)
  const best = new Map<string, number>()
  home.links.forEach(({ text, href, isNavigation }, place) => {
    const url = URL.parse(href)
    if (
      url === null ||
      url.protocol !== site.protocol ||
      !isSameSite(url.host, site.host) ||
      isSamePage(href, home.url)
    )
      return
    if (text.length > 60 || !isLinkToShow(text, url)) return
    url.href = withoutPosition(url.href)
    const path = `${url.pathname}${url.hash}`
    const rank = PRODUCT_PAGES.findIndex((pattern) =>
      pattern.test(`${text} ${path.replaceAll(/[/_#!-]/g, ' ')}`),
    )
    const depth = path.split(/[/#!]+/).filter((part) => part !== '').length
    const score =
      countMatches(words, `${text} ${path}`) * 10 +
      (isNavigation ? 3 : 0) +
      (rank === -1 ? 0 : 6 - rank) -
      depth -
      (url.search === '' ? 0 : 2) -
      place * 0.02
    best.set(url.href, Math.max(score, best.get(url.href) ?? -Infinity))
  })
  return [...best]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([href]) => href)
}

/** Whether two URLs lead to the same page. Ignores positions on it and a final slash. */
export function isSamePage(one: string, other: string): boolean {
  return bare(one) === bare(other)
}

function bare(address: string): string {
  return withoutPosition(address)
    .replace(/\/$/, '')
    .replace(/^https?:\/\/(www\.)?/i, '')
}
