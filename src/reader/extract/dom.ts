import { parseHTML } from 'linkedom'

/**
 * The part of the DOM that page reading uses. linkedom's own types need the browser's type library.
 */
export type DomNode = {
  readonly nodeType: number
  readonly childNodes: Iterable<DomNode>
  readonly parentNode: DomElement | null
  textContent: string | null
}
export type DomText = DomNode & { readonly data: string }
export type DomElement = DomNode & {
  readonly localName: string
  readonly children: Iterable<DomElement> & { readonly length: number }
  readonly parentElement: DomElement | null
  readonly previousElementSibling: DomElement | null
  readonly nextElementSibling: DomElement | null
  innerHTML: string
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  querySelector(selectors: string): DomElement | null
  querySelectorAll(selectors: string): Iterable<DomElement> & { readonly length: number }
  closest(selectors: string): DomElement | null
  contains(other: DomNode): boolean
  remove(): void
  replaceWith(other: DomNode): void
  appendChild(child: DomNode): void
}
export type DomDocument = DomElement & {
  readonly documentElement: DomElement | null
  createElement(name: string): DomElement
}

const ELEMENT = 1
const TEXT = 3

/** Wraps fragments in a document: without `html`, linkedom omits `body`. */
export function parseDocument(html: string): DomDocument {
  const whole = /<html[\s>]/i.test(html)
    ? html
    : `<!doctype html><html><head></head><body>${html}</body></html>`
  const parse = parseHTML as unknown as (source: string) => { document: DomDocument }
  return parse(whole).document
}

/** Never `document.body`: when the tag is missing or appears twice, the content is elsewhere. */
export function bodyOf(document: DomDocument): DomElement {
  const bodies = [...document.querySelectorAll('body')]
  const only = bodies.length === 1 ? bodies[0] : undefined
  // Without a body tag, an unclosed head contains the page.
  const head = bodies.length === 0 ? document.querySelector('head') : null
  if (head !== null && head.querySelector('div,p,table') !== null) return head
  return only ?? document.documentElement ?? document
}

export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === ELEMENT
}

export function isText(node: DomNode): node is DomText {
  return node.nodeType === TEXT
}

/**
 * Reports whether an element is in the set or inside one of its elements. Walks up, because
 * selectors are slow on deep trees.
 */
export function isWithin(element: DomElement, set: ReadonlySet<DomElement>): boolean {
  for (let one: DomElement | null = element; one !== null; one = one.parentElement)
    if (set.has(one)) return true
  return false
}

/** The URL that relative links resolve against: `<base href>`, or else the page's URL. */
export function baseUrlOf(document: DomDocument, pageUrl: string): string {
  const base = document.querySelector('base[href]')?.getAttribute('href')
  const url = base === null || base === undefined ? null : URL.parse(base.trim(), pageUrl)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : pageUrl
}

/**
 * A link as an absolute URL; undefined for links that cannot be followed (`javascript:`, `data:`,
 * invalid).
 */
export function absoluteUrl(
  href: string | null,
  baseUrl: string,
  schemes = /^(https?|mailto|tel):$/,
): string | undefined {
  if (href === null || href.trim() === '') return undefined
  const url = URL.parse(href.trim(), baseUrl)
  return url !== null && schemes.test(url.protocol) ? url.href : undefined
}

/**
 * Attributes where lazy loaders store the image URL; they precede `src`, which holds a placeholder.
 */
const LAZY_SOURCES = [
  'data-src',
  'data-lazy-src',
  'data-lazy',
  'data-original',
  'data-lazyload',
  'data-flickity-lazyload',
  'data-hi-res-src',
]
const LAZY_SETS = ['data-srcset', 'data-lazy-srcset']

/** The image's real URL; undefined for inline data and tracking pixels. */
export function imageUrl(image: DomElement, baseUrl: string): string | undefined {
  if (image.getAttribute('width') === '1' || image.getAttribute('height') === '1') return undefined
  const around =
    image.parentElement?.localName === 'picture'
      ? [image, ...image.parentElement.querySelectorAll('source')]
      : [image]
  const inSets = (names: readonly string[]) =>
    around.flatMap((element) => names.map((name) => firstOfSet(element.getAttribute(name))))
  const own = (names: readonly string[]) => names.map((name) => image.getAttribute(name))
  const sources = [
    ...own(LAZY_SOURCES),
    ...inSets(LAZY_SETS),
    ...own(['src']),
    ...inSets(['srcset']),
  ]
  return sources
    .map((source) => absoluteUrl(source, baseUrl, /^https?:$/))
    .find((url) => url !== undefined)
}

/** A URL in a set may contain commas, so it ends at white space. */
function firstOfSet(set: string | null): string | null {
  return set?.trim().split(/\s+/)[0]?.replace(/,+$/, '') ?? null
}

export const BLOCK_TAGS: ReadonlySet<string> = new Set([
  'address',
  'article',
  'aside',
  'blockquote',
  'body',
  'caption',
  'center',
  'dd',
  'details',
  'dialog',
  'div',
  'dl',
  'dt',
  'fieldset',
  'figcaption',
  'figure',
  'footer',
  'form',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hgroup',
  'hr',
  'html',
  'legend',
  'li',
  'main',
  'menu',
  'nav',
  'ol',
  'optgroup',
  'option',
  'p',
  'pre',
  'section',
  'summary',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'tr',
  'ul',
])

/** Tags that are not visible as text, in any output format. */
export const UNSEEN_TAGS: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'head',
  'title',
  'meta',
  'link',
  'base',
  'iframe',
  'object',
  'embed',
  'applet',
  'canvas',
  'svg',
  'audio',
  'video',
  'source',
  'track',
  'map',
  'area',
  'frame',
  'frameset',
  'noframes',
  'select',
  'textarea',
  'datalist',
  'param',
])
