/** Which further pages of a site a demo goes to. */
import { isSameSite } from '../../reader/video/same-site.ts'
import type { PageFacts } from '../../reader/video/survey-pages.ts'
import { isLinkToShow } from './harmless.ts'
import { matchesOf } from './match-words.ts'

const TELLING = [
  /\b(features?|product|how it works|tour|overview|platform)\b/i,
  /\b(pricing|prices|plans)\b/i,
  /\b(docs|documentation|guides?|examples?|use cases?|solutions?|customers|showcase|gallery|learn)\b/i,
]

/** Addresses of at most `most` pages of the same site that the page leads to: those that fit the wish, then those that tell most of a product. */
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
    url.hash = ''
    const telling = TELLING.findIndex((pattern) =>
      pattern.test(`${text} ${url.pathname.replaceAll(/[/_-]/g, ' ')}`),
    )
    const depth = url.pathname.split('/').filter((part) => part !== '').length
    const score =
      matchesOf(words, `${text} ${url.pathname}`) * 10 +
      (isNavigation ? 3 : 0) +
      (telling === -1 ? 0 : 6 - telling) -
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

/** Whether two addresses lead to the same page: fragments and a last slash make no difference. */
export function isSamePage(one: string, other: string): boolean {
  return bare(one) === bare(other)
}

function bare(address: string): string {
  return address
    .replace(/#.*$/, '')
    .replace(/\/$/, '')
    .replace(/^https?:\/\/(www\.)?/i, '')
}
