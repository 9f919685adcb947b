/** Reads the facts that a page states about itself: in JSON-LD, in meta tags and in microdata. */
import { isFields, type Fields } from '../../lib/json-fields.ts'
import { absoluteUrl, type DomDocument } from '../extract/dom.ts'
import { isOfType, linkedDataIn, listOf, textOf } from './linked-data.ts'
import { valueOf } from './microdata.ts'
import { firstOffer } from './node-content.ts'

/** Null for each fact that the page does not state. */
export type PageFields = {
  readonly author: string | null
  /** ISO 8601, with a time if the page states one. */
  readonly published: string | null
  readonly modified: string | null
  readonly site_name: string | null
  /** A BCP 47 tag such as "en" or "pt-BR". */
  readonly language: string | null
  readonly image: string | null
  /** The price as the page writes it, such as "19.99". */
  readonly price: string | null
  /** An ISO 4217 code such as "EUR". */
  readonly currency: string | null
}

export const NO_FIELDS: PageFields = {
  author: null,
  published: null,
  modified: null,
  site_name: null,
  language: null,
  image: null,
  price: null,
  currency: null,
}

/** The fields in a reader's answer; undefined if it has none. */
export function asPageFields(value: unknown): PageFields | undefined {
  if (!isFields(value)) return undefined
  const names = Object.keys(NO_FIELDS) as (keyof PageFields)[]
  const known = names.map((name) => [name, typeof value[name] === 'string' ? value[name] : null])
  return { ...NO_FIELDS, ...(Object.fromEntries(known) as Partial<PageFields>) }
}

const WORK =
  /(Article|Posting|Review|Report|Recipe|Event|Product|ProductGroup|Question|WebPage|VideoObject|Book|Movie|Course|JobPosting)$/
const SITE = /^(WebSite|NewsMediaOrganization|Organization)$/
const PRICED = /^(Product|ProductGroup|Vehicle|Book|SoftwareApplication|\w*Event|Offer)$/
const AUTHORS = [
  'meta[name="author" i]',
  'meta[property="article:author"]',
  'meta[name="parsely-author"]',
  '[itemprop="author"] [itemprop="name"]',
  '[itemprop="author"]',
  'a[rel~="author"]',
  'meta[name="citation_author" i]',
  'meta[name="dc.creator" i]',
  'meta[name="dcterms.creator" i]',
  '.author-name',
  '.byline-name',
]
const LONGEST_NAME = 200
const MOST_AUTHORS = 5
const ISO_DATE = /^\d{4}-\d{2}(-\d{2})?([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s?(Z|[+-]\d{2}:?\d{2})?)?/

/** Reads the document before its content is revealed or removed. `baseUrl` completes image URLs. */
export function readPageFields(document: DomDocument, html: string, baseUrl: string): PageFields {
  const nodes = linkedDataIn(html)
  const works = nodes.filter((node) => isOfType(node, WORK))
  const main = works.find((node) => !isOfType(node, /^WebPage$/)) ?? works[0] ?? {}
  const meta: Meta = (...selectors) => firstValue(document, selectors)
  const offer =
    nodes
      .filter((node) => isOfType(node, PRICED))
      .map(offerOf)
      .find(hasPrice) ?? {}
  return {
    author: nameOf(authorsOf(works)) ?? firstName(AUTHORS.map((selector) => meta(selector))),
    ...datesOf(works, meta),
    site_name:
      nameOf(meta('meta[property="og:site_name"]')) ??
      nameOf(textOf(main['publisher'])) ??
      nameOf(
        stated(
          nodes.filter((node) => isOfType(node, SITE)),
          'name',
        ),
      ) ??
      nameOf(meta('meta[name="application-name"]')),
    language: languageOf(
      document.documentElement?.getAttribute('lang') ?? '',
      meta(
        'meta[http-equiv="content-language" i]',
        'meta[property="og:locale"]',
        'meta[name="dc.language" i]',
      ),
      stated(works, 'inLanguage'),
    ),
    image: imageOf(
      baseUrl,
      meta(
        'meta[property="og:image:secure_url"]',
        'meta[property="og:image"]',
        'meta[name="og:image"]',
        'meta[name="twitter:image"]',
        'meta[property="twitter:image"]',
        'link[rel="image_src"]',
      ),
      imageIn(main),
      meta('[itemprop="image"]'),
    ),
    price:
      nameOf(textOf(offer['price'] ?? offer['lowPrice'])) ??
      nameOf(
        meta(
          'meta[property="product:price:amount"]',
          'meta[property="og:price:amount"]',
          '[itemprop="price"]',
          '[property="price"]',
        ),
      ),
    currency: currencyOf(
      textOf(offer['priceCurrency']),
      meta(
        'meta[property="product:price:currency"]',
        'meta[property="og:price:currency"]',
        '[itemprop="priceCurrency"]',
        '[property="priceCurrency"]',
      ),
    ),
  }
}

type Meta = (...selectors: string[]) => string

function datesOf(works: readonly Fields[], meta: Meta): Pick<PageFields, 'published' | 'modified'> {
  return {
    published:
      dateOf(stated(works, 'datePublished', 'uploadDate', 'datePosted', 'startDate')) ??
      dateOf(
        meta(
          'meta[property="article:published_time"]',
          '[itemprop="datePublished"]',
          'meta[name="parsely-pub-date"]',
          'meta[name="date" i]',
          'meta[name="dc.date" i]',
          'meta[name="dc.date.issued" i]',
          'meta[name="dcterms.created" i]',
          'meta[name="dcterms.issued" i]',
          'meta[name="citation_publication_date" i]',
          'meta[name="pubdate" i]',
          'meta[name="publish-date" i]',
          'time[pubdate]',
          'article time[datetime]',
        ),
      ),
    modified:
      dateOf(stated(works, 'dateModified')) ??
      dateOf(
        meta(
          'meta[property="article:modified_time"]',
          '[itemprop="dateModified"]',
          'meta[property="og:updated_time"]',
          'meta[name="last-modified" i]',
        ),
      ),
  }
}

function firstName(candidates: readonly string[]): string | null {
  return candidates.map(nameOf).find((name) => name !== null) ?? null
}

/** The first value in the order of the selectors. */
function firstValue(document: DomDocument, selectors: readonly string[]): string {
  for (const selector of selectors) {
    const element = document.querySelector(selector)
    const text = element === null ? '' : valueOf(element).replace(/\s+/g, ' ').trim()
    if (text !== '') return text
  }
  return ''
}

function stated(nodes: readonly Fields[], ...names: string[]): string {
  for (const name of names)
    for (const node of nodes) {
      const text = textOf(node[name])
      if (text !== '') return text
    }
  return ''
}

function authorsOf(works: readonly Fields[]): string {
  const node = works.find(({ author }) => textOf(author) !== '')
  const names = listOf(node?.['author']).slice(0, MOST_AUTHORS).map(textOf)
  return [...new Set(names)].filter((name) => name !== '').join(', ')
}

function offerOf(node: Fields): Fields {
  return isOfType(node, /^Offer$/) ? node : firstOffer(node)
}

const hasPrice = (offer: Fields): boolean => textOf(offer['price'] ?? offer['lowPrice']) !== ''

/** Null for an empty text, a URL in place of a name, and a text too long for one. */
function nameOf(text: string): string | null {
  const name = text.replace(/<[^<>]*>/g, '').trim()
  return name === '' || name.length > LONGEST_NAME || /^(https?:)?\/\//.test(name) ? null : name
}

function dateOf(text: string): string | null {
  const iso = ISO_DATE.exec(text.trim())?.[0]
  if (iso !== undefined) return iso.trim()
  const time = /\d{4}/.test(text) && text.length < 60 ? Date.parse(`${text} UTC`) : Number.NaN
  const parsed = Number.isNaN(time) ? Date.parse(/\d{4}/.test(text) ? text : '') : time
  return Number.isNaN(parsed) ? null : new Date(parsed).toISOString().slice(0, 10)
}

function languageOf(...candidates: readonly string[]): string | null {
  for (const candidate of candidates) {
    const tag = candidate.split(',')[0]?.trim().replaceAll('_', '-') ?? ''
    if (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag)) return tag
  }
  return null
}

function currencyOf(...candidates: readonly string[]): string | null {
  return (
    candidates.map((text) => text.toUpperCase()).find((text) => /^[A-Z]{3}$/.test(text)) ?? null
  )
}

function imageIn(node: Fields): string {
  const [image] = listOf(node['image'] ?? node['thumbnailUrl'])
  if (typeof image === 'string') return image
  const { url, contentUrl } = (image ?? {}) as Fields
  return textOf(url ?? contentUrl)
}

function imageOf(baseUrl: string, ...candidates: readonly string[]): string | null {
  for (const candidate of candidates) {
    const url = absoluteUrl(candidate, baseUrl, /^https?:$/)
    if (url !== undefined) return url
  }
  return null
}
