import { isElement, isText, type DomDocument, type DomElement } from './dom.ts'
import { collapse } from './text.ts'
import { isUnseen } from './unseen.ts'

const MAX_TITLE = 500
/** A heading is the title if it shares so much of its words with the declared titles. */
const SHARED_WORDS = 0.8
/** The same for a heading that is the only one of the first rank. */
const SHARED_WORDS_ALONE = 0.34
/** Most words of a site's name after a separator. */
const MOST_NAME_WORDS = 6
const SEPARATOR = /\s+[|\-–—·»«•~]+\s+|\s*[|»«]\s*/g

type Site = { readonly name: string; readonly hostLabels: readonly string[] }

/**
 * The page's headline: the first-rank heading that agrees with the declared title, or else the
 * declared title without the site's name. Null without either.
 */
export function readTitle(document: DomDocument, url: string): string | null {
  const social = metaContent(document, 'meta[property="og:title"]', 'meta[name="twitter:title"]')
  const title = collapse(document.querySelector('head title, title')?.textContent ?? '').trim()
  const site = siteOf(document, url)
  const headings = [...document.querySelectorAll('h1')]
    .map((heading) => collapse(shownText(heading)).trim())
    .filter((text) => text.length > 3)
  const declared = wordsIn(`${title} ${social ?? ''}`)
  const best =
    findHeadline(
      [...new Set(headings)].filter((text) => text.length < MAX_TITLE && !namesSite(text, site)),
      declared,
    ) ??
    withoutSiteName(social ?? title, site) ??
    headings[0]
  return best === undefined || best === '' ? null : best.slice(0, MAX_TITLE)
}

/** The content of the first of these meta elements that has any. */
export function metaContent(document: DomDocument, ...selectors: string[]): string | null {
  for (const selector of selectors) {
    const text = collapse(document.querySelector(selector)?.getAttribute('content') ?? '').trim()
    if (text !== '') return text
  }
  return null
}

function siteOf(document: DomDocument, url: string): Site {
  const host = URL.parse(url)?.hostname ?? ''
  return {
    name: simplified(metaContent(document, 'meta[property="og:site_name"]') ?? ''),
    hostLabels: [host.replace(/^www\./, ''), ...host.split('.').slice(0, -1)].map(simplified),
  }
}

function shownText(element: DomElement): string {
  return [...element.childNodes]
    .map((child) => {
      if (isElement(child)) return isUnseen(child) ? '' : shownText(child)
      return isText(child) ? child.data : ''
    })
    .join('')
}

function findHeadline(headings: readonly string[], declared: ReadonlySet<string>) {
  const rated = headings.map((text) => ({ text, shared: sharedWords(wordsIn(text), declared) }))
  const best = rated.toSorted((one, other) => other.shared - one.shared)[0]
  const least = headings.length === 1 ? SHARED_WORDS_ALONE : SHARED_WORDS
  return best === undefined || best.shared < least ? undefined : best.text
}

/** Without a part before the first or after the last separator that names the site. */
function withoutSiteName(title: string, site: Site): string | undefined {
  if (title === '') return undefined
  const separators = [...title.matchAll(SEPARATOR)]
  const [first, last] = [separators[0], separators.at(-1)]
  if (first === undefined || last === undefined) return title
  const tail = title.slice(last.index + last[0].length)
  const front = title.slice(0, last.index).trim()
  const head = title.slice(0, first.index)
  const rest = title.slice(first.index + first[0].length).trim()
  if (front !== '' && namesSite(tail, site)) return front
  if (rest !== '' && namesSite(head, site)) return rest
  const isName = wordsIn(tail).size <= MOST_NAME_WORDS && wordsIn(front).size > 1
  return isName ? front : title
}

/** Reports whether a text is the site's name, as the page or the host states it. */
function namesSite(text: string, { name, hostLabels }: Site): boolean {
  const own = simplified(text)
  if (own === '' || own === name) return true
  if (name.length > 3 && own.includes(name) && own.length < name.length * 1.6) return true
  return hostLabels.some(
    (label) =>
      label.length > 3 &&
      (own === label ||
        (own.includes(label) && own.length <= label.length + 6) ||
        (own.length > 3 && label.includes(own))),
  )
}

/** Lower-case letters and digits only. */
function simplified(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
}

function sharedWords(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0
  for (const word of one) if (other.has(word)) shared += 1
  return shared / Math.max(1, Math.min(one.size, other.size))
}
