import type { DomDocument, DomElement, DomNode, DomText } from '../dom/dom-types.ts'
import { parseHtml } from '../dom/parse-html.ts'

export type { DomDocument, DomElement, DomNode, DomText } from '../dom/dom-types.ts'

const ELEMENT = 1
const TEXT = 3

/** Parses any markup into a document with `html`, `head` and `body`. Throws TreeTooLarge. */
export function parseDocument(html: string): DomDocument {
  return parseHtml(html)
}

/** The body; the root element of a frameset, which has none. */
export function bodyOf(document: DomDocument): DomElement {
  const root = document.documentElement ?? document
  return root.children.find(({ localName }) => localName === 'body') ?? root
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
