import { removeAccessories, removeSectionsElsewhere, removeSurroundings } from './boilerplate.ts'
import { type DomElement } from './dom.ts'
import { linkLength, textLength } from './text-length.ts'

const LIKELY_ROOTS =
  'main,[role="main"],article,[itemprop="articleBody"],#content,#main,#main-content,.main-content,.post-content,.entry-content,.article-body'
const ROOT_SHARE = 0.6
const MIN_PARAGRAPH = 80
const MIN_PROSE = 1_000

/**
 * The element that holds a page's content. Changes the tree: removes the elements around it from
 * `body`.
 */
export function findMainContent(body: DomElement): DomElement {
  removeSurroundings(body)
  const root = likelyRoot(body)
  removeAccessories(root)
  const core = proseCore(root)
  if (core === undefined) return root
  removeSectionsElsewhere(core)
  return core
}

/** The smallest element named as content that still holds most of the text. */
function likelyRoot(body: DomElement): DomElement {
  const least = textLength(body) * ROOT_SHARE
  let [root, length] = [body, Number.POSITIVE_INFINITY]
  for (const candidate of body.querySelectorAll(LIKELY_ROOTS)) {
    const size = textLength(candidate)
    if (size > least && size < length) [root, length] = [candidate, size]
  }
  return root
}

/** The innermost element with nearly all of a page's prose; undefined for pages of another kind. */
function proseCore(root: DomElement): DomElement | undefined {
  const prose = new Map<DomElement, number>()
  let total = 0
  for (const paragraph of root.querySelectorAll('p,pre,blockquote')) {
    const length = textLength(paragraph)
    if (
      (paragraph.localName === 'p' && length < MIN_PARAGRAPH) ||
      linkLength(paragraph) > length * 0.4
    )
      continue
    total += length
    for (
      let above = paragraph.parentElement;
      above !== null;
      above = above === root ? null : above.parentElement
    ) {
      prose.set(above, (prose.get(above) ?? 0) + length)
    }
  }
  if (total < MIN_PROSE || total < textLength(root) * 0.4) return undefined
  let core = root
  for (;;) {
    const next = [...core.children].find((child) => (prose.get(child) ?? 0) >= total * 0.97)
    if (next === undefined || /^(p|pre|blockquote|table|ul|ol|li)$/.test(next.localName))
      return core
    core = next
  }
}
