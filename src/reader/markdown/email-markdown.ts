import { bodyOf, parseDocument } from '../extract/dom.ts'
import { findHiddenText } from '../hidden/hidden-text.ts'
import { removeUnseen } from '../extract/unseen.ts'
import { readVisibleText } from '../extract/visible-text.ts'
import { TreeTooLarge } from '../dom/parse-html.ts'
import { toMarkdown } from './markdown.ts'

/** Relative links of an email lead nowhere. */
const NO_BASE = 'about:blank'
/**
 * The visible text of an HTML email as Markdown: blocks, links and tables. Images become their
 * alternative text. Accepts any input.
 */
export function emailMarkdown(html: string): string {
  try {
    const document = parseDocument(html)
    const body = bodyOf(document)
    findHiddenText(document).remove()
    removeUnseen(body)
    for (const image of body.querySelectorAll('img')) {
      const text = document.createElement('span')
      text.textContent = image.getAttribute('alt') ?? ''
      image.replaceWith(text)
    }
    return toMarkdown(body, NO_BASE)
  } catch (error) {
    if (!(error instanceof TreeTooLarge)) throw error
    return readVisibleText(html).text
  }
}
