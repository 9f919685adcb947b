import { serializeHtml } from '../dom/parse-html.ts'
import { findHiddenText } from '../hidden/hidden-text.ts'
import { revealContent } from './reveal.ts'
import { bodyOf, isWithin, parseDocument, type DomElement } from './dom.ts'

/** Parts of a page that a caller selects with CSS selectors. */
export type PageParts = {
  /** Only these elements are content. */
  readonly include?: readonly string[] | undefined
  /** These elements are not content. */
  readonly exclude?: readonly string[] | undefined
  /** False leaves out comment sections. */
  readonly comments?: boolean | undefined
}

const COMMENTS = [
  '#comments',
  '#comment-list',
  '#disqus_thread',
  '#respond',
  '.comments',
  '.comments-area',
  '.comment-list',
  '.commentlist',
  '.comment-section',
  '.comments-section',
  '[id^="comments-"]',
  '[class*="comments-container" i]',
  '[data-component="comments"]',
  '[itemprop="comment"]',
  'shreddit-comment-tree',
]

/**
 * The page with only the selected parts in its body, without hidden text: a part may lose the style
 * that hides it. Throws on a selector that is not valid.
 */
export function selectParts(html: string, parts: PageParts, hiddenMark?: string): string {
  const document = parseDocument(html)
  const body = bodyOf(document)
  revealContent(document, body)
  findHiddenText(document, {
    mark: hiddenMark,
    hasScripts: document.querySelector('script') !== null,
  }).remove()
  const excluded = [...(parts.exclude ?? []), ...(parts.comments === false ? COMMENTS : [])]
  for (const selector of excluded)
    for (const element of body.querySelectorAll(selector)) element.remove()
  if (parts.include !== undefined) keepOnly(body, parts.include.join(','))
  return serializeHtml(document)
}

/** Moves the outermost matches, in document order, to the body and removes everything else. */
function keepOnly(body: DomElement, selectors: string): void {
  const matches = new Set(body.querySelectorAll(selectors))
  const outer = [...matches].filter(
    ({ parentElement }) => parentElement === null || !isWithin(parentElement, matches),
  )
  for (const element of outer) element.remove()
  // Empties the body.
  body.textContent = ''
  for (const element of outer) body.appendChild(element)
}
