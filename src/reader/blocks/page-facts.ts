import type { DomDocument } from '../extract/dom.ts'
import { comparableWords } from './text-figures.ts'

/** Facts outside the body that all blocks of a page share. */
export type PageFacts = {
  readonly url: string
  /** `og:type`, lower case; empty without one. */
  readonly ogType: string
  /** Types that JSON-LD and microdata declare, lower case, separated by spaces. */
  readonly declared: string
  readonly titleWords: ReadonlySet<string>
  readonly descriptionWords: ReadonlySet<string>
}

/** Call before scripts are removed from the document. */
export function readPageFacts(document: DomDocument, url: string): PageFacts {
  const meta = (selector: string): string =>
    document.querySelector(selector)?.getAttribute('content') ?? ''
  const title = `${document.querySelector('title')?.textContent ?? ''} ${meta('meta[property="og:title"]')}`
  const description = `${meta('meta[name="description"]')} ${meta('meta[property="og:description"]')}`
  const types: string[] = []
  for (const script of document.querySelectorAll('script[type*="ld+json" i]')) {
    for (const [, type] of (script.textContent ?? '').matchAll(
      /"@type"\s*:\s*\[?\s*"([^"]{1,40})"/g,
    ))
      types.push(type ?? '')
  }
  for (const element of document.querySelectorAll('[itemtype]'))
    types.push(/[^/]*$/.exec(element.getAttribute('itemtype') ?? '')?.[0] ?? '')
  return {
    url,
    ogType: meta('meta[property="og:type"]').toLowerCase(),
    declared: types.join(' ').toLowerCase(),
    titleWords: comparableWords(title),
    descriptionWords: comparableWords(description),
  }
}

/** Reports whether the page declares itself an article. */
export function declaresArticle({ ogType, declared }: PageFacts): boolean {
  return /article/.test(ogType) || /\b(?:news|blog|tech)?(?:article|posting)\b/.test(declared)
}
