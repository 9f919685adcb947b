import {
  UNSEEN_TAGS,
  absoluteUrl,
  imageUrl,
  isElement,
  isText,
  type DomElement,
  type DomNode,
} from './dom.ts'
import { MAX_DEPTH, collapse } from './text.ts'

const ALLOWED_TAGS: ReadonlySet<string> = new Set([
  'a',
  'abbr',
  'article',
  'b',
  'blockquote',
  'br',
  'caption',
  'cite',
  'code',
  'col',
  'colgroup',
  'dd',
  'del',
  'details',
  'dfn',
  'div',
  'dl',
  'dt',
  'em',
  'figcaption',
  'figure',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'i',
  'img',
  'ins',
  'kbd',
  'li',
  'main',
  'mark',
  'ol',
  'p',
  'pre',
  'q',
  'rp',
  'rt',
  'ruby',
  's',
  'samp',
  'section',
  'small',
  'span',
  'strong',
  'sub',
  'summary',
  'sup',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'time',
  'tr',
  'u',
  'ul',
  'var',
])
const VOID_TAGS: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'col'])
const ALLOWED_ATTRIBUTES = [
  'title',
  'alt',
  'colspan',
  'rowspan',
  'scope',
  'start',
  'value',
  'datetime',
  'lang',
  'dir',
  'width',
  'height',
  'open',
]

/**
 * A tree as safe HTML: only known tags and attributes, absolute links, no scripts, styles or
 * handlers.
 */
export function toSafeHtml(root: DomNode, baseUrl: string): string {
  const out: string[] = []
  for (const child of root.childNodes) write(child, baseUrl, out, 0)
  return out
    .join('')
    .replace(/\n\s*\n+/g, '\n')
    .trim()
}

function write(node: DomNode, baseUrl: string, out: string[], depth: number): void {
  if (isText(node)) {
    out.push(escapeText(node.data))
  } else if (depth > MAX_DEPTH) {
    out.push(escapeText(collapse(node.textContent ?? '')))
  } else if (isElement(node) && !UNSEEN_TAGS.has(node.localName)) {
    const tag = node.localName === 'amp-img' ? 'img' : node.localName
    const isAllowed = ALLOWED_TAGS.has(tag)
    if (isAllowed) out.push(`<${tag}${attributesOf(node, baseUrl)}>`)
    if (VOID_TAGS.has(tag)) return
    for (const child of node.childNodes) write(child, baseUrl, out, depth + 1)
    if (isAllowed) out.push(`</${tag}>`)
  }
}

function attributesOf(element: DomElement, baseUrl: string): string {
  const allowed: [string, string | null | undefined][] = ALLOWED_ATTRIBUTES.map((name) => [
    name,
    element.getAttribute(name),
  ])
  if (element.localName === 'a')
    allowed.unshift(['href', absoluteUrl(element.getAttribute('href'), baseUrl)])
  if (/^(amp-)?img$/.test(element.localName)) allowed.unshift(['src', imageUrl(element, baseUrl)])
  if (element.localName === 'code')
    allowed.push([
      'class',
      /\blang(uage)?-[\w+#.-]+/.exec(element.getAttribute('class') ?? '')?.[0],
    ])
  return allowed
    .map(([name, value]) =>
      value === null || value === undefined
        ? ''
        : ` ${name}="${escapeText(value).replaceAll('"', '&quot;')}"`,
    )
    .join('')
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
