import { readPageFields, type PageFields } from '../embedded/page-fields.ts'
import { declaredText } from './declared-text.ts'
import {
  absoluteUrl,
  baseUrlOf,
  bodyOf,
  parseDocument,
  type DomDocument,
  type DomElement,
} from './dom.ts'
import { findMainContent } from './main-content.ts'
import { toMarkdown } from '../markdown/markdown.ts'
import { revealContent } from './reveal.ts'
import { toSafeHtml } from './safe-html.ts'
import { shownLength, textLength } from './text-length.ts'
import { collapse, toText } from './text.ts'

export type ContentFormat = 'markdown' | 'html' | 'text'
export type ExtractInput = {
  html: string
  url: string
  format: ContentFormat
  mainContent: boolean
  includesLinks?: boolean | undefined
}
export type Extracted = {
  title: string | null
  description: string | null
  language: string | null
  fields: PageFields
  content: string
  format: ContentFormat
  chars: number
  /** Each http(s) link of the page once, absolute, in document order; only if requested. */
  links?: string[]
}

/** Main content shorter than this counts as not found on a page with five times as much text. */
const LOST_CHARACTERS = 200
const MAX_TITLE = 500
const MAX_LINKS = 5_000

/**
 * A page's content as markdown, safe HTML or text, with absolute links. Accepts any input; broken
 * pages yield less.
 */
export function extractContent(input: ExtractInput): Extracted {
  const document = parseDocument(input.html)
  const baseUrl = baseUrlOf(document, input.url)
  const body = bodyOf(document)
  const facts = {
    title: titleOf(document),
    description: metaContent(
      document,
      'meta[name="description"]',
      'meta[property="og:description"]',
    ),
    language: document.documentElement?.getAttribute('lang')?.trim() || null,
    fields: readPageFields(document, input.html, baseUrl),
  }
  const links = input.includesLinks === true ? linksOf(document, baseUrl) : undefined
  revealContent(document, body)
  const visibleLength = shownLength(body)
  const root = input.mainContent ? withoutTitle(findMainContent(body), facts.title) : body
  const content = render(
    textLength(root) < LOST_CHARACTERS ? findOther(root, visibleLength, facts.title, input) : root,
    baseUrl,
    input.format,
  )
  return {
    ...facts,
    content,
    format: input.format,
    chars: content.length,
    ...(links === undefined ? {} : { links }),
  }
}

/** A replacement for a root with almost no text. */
function findOther(
  root: DomElement,
  visibleLength: number,
  title: string | null,
  { html, mainContent }: ExtractInput,
): DomElement {
  if (mainContent && visibleLength > LOST_CHARACTERS * 5) return withoutMenus(html, title)
  const declared = declaredText(html)
  return declared === undefined ? root : bodyOf(parseDocument(declared))
}

/**
 * The page without its menus, for pages that defeat every rule. Parses again, because extraction
 * changed the first tree.
 */
function withoutMenus(html: string, title: string | null): DomElement {
  const document = parseDocument(html)
  const body = bodyOf(document)
  revealContent(document, body)
  for (const element of body.querySelectorAll(
    'script,style,noscript,template,nav,footer,[role="navigation"],[role="contentinfo"]',
  ))
    element.remove()
  return withoutTitle(body, title)
}

function render(root: DomElement, baseUrl: string, format: ContentFormat): string {
  if (format === 'html') return toSafeHtml(root, baseUrl)
  return format === 'text' ? toText(root) : toMarkdown(root, baseUrl)
}

/** The title has its own field, so a heading that adds nothing to it is removed. */
function withoutTitle(root: DomElement, title: string | null): DomElement {
  const [only, second] = root.querySelectorAll('h1')
  if (only !== undefined && second === undefined && only !== root && repeats(only, title))
    only.remove()
  return root
}

function repeats(heading: DomElement, title: string | null): boolean {
  const text = collapse(heading.textContent ?? '')
    .trim()
    .toLowerCase()
  return text === '' || (title !== null && title.toLowerCase().includes(text))
}

/** The page's own headline if the document title contains it, else the declared title. */
function titleOf(document: DomDocument): string | null {
  const declared = metaContent(document, 'meta[property="og:title"]', 'meta[name="twitter:title"]')
  const title = collapse(document.querySelector('head title, title')?.textContent ?? '').trim()
  const headings = [...document.querySelectorAll('h1')].map((heading) =>
    collapse(heading.textContent ?? '').trim(),
  )
  const headline = headings.find(
    (heading) => heading.length > 3 && title.toLowerCase().includes(heading.toLowerCase()),
  )
  const best =
    headline ??
    (declared !== null && declared !== '' ? declared : title !== '' ? title : headings[0])
  return best === undefined || best === '' ? null : best.slice(0, MAX_TITLE)
}

function metaContent(document: DomDocument, ...selectors: string[]): string | null {
  for (const selector of selectors) {
    const text = collapse(document.querySelector(selector)?.getAttribute('content') ?? '').trim()
    if (text !== '') return text
  }
  return null
}

function linksOf(document: DomDocument, baseUrl: string): string[] {
  const links = new Set<string>()
  for (const anchor of document.querySelectorAll('a[href], area[href]')) {
    const url = absoluteUrl(anchor.getAttribute('href'), baseUrl, /^https?:$/)
    if (url !== undefined) links.add(url.replace(/#.*$/, ''))
    if (links.size >= MAX_LINKS) break
  }
  return [...links]
}
