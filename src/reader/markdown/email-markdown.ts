import { bodyOf, isElement, isText, parseDocument, type DomElement } from '../extract/dom.ts'
import { MAX_DEPTH } from '../extract/text.ts'
import { removeUnseen } from '../extract/unseen.ts'
import { readVisibleText } from '../extract/visible-text.ts'
import { TreeTooLarge } from '../dom/parse-html.ts'
import { toMarkdown } from './markdown.ts'

/** Relative links of an email lead nowhere. */
const NO_BASE = 'about:blank'
const ZERO = String.raw`\s*:\s*0(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:!important\s*)?(?:;|$)`
const HIDDEN = new RegExp(
  String.raw`(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity${ZERO})`,
  'i',
)
const WITHOUT_SIZE = new RegExp(String.raw`(?:^|;)\s*(?:max-)?(?:height|width)${ZERO}`, 'i')
const OFF_SCREEN = /(?:^|;)\s*(?:left|top|right|text-indent|margin-left)\s*:\s*-\d{3,}/i
const CLIPPED = /(?:^|;)\s*overflow(?:-[xy])?\s*:\s*hidden/i
const FONT_SIZE = /(?:^|;)\s*font-size\s*:/i
const WITHOUT_FONT = new RegExp(String.raw`(?:^|;)\s*font-size${ZERO}`, 'i')
const RULE = /([^{}@;]{1,500})\{([^{}]{0,2000})\}/g
const AT_BLOCK = /@[^{}]{0,500}\{(?:[^{}]{0,500}\{[^{}]{0,2000}\})*[^{}]{0,500}\}/g
const MOST_CSS = 100_000

/**
 * The visible text of an HTML email as Markdown: blocks, links and tables. Images become their
 * alternative text. Accepts any input.
 */
export function emailMarkdown(html: string): string {
  try {
    const document = parseDocument(html)
    const isNamedHidden = readHiddenNames(
      document
        .querySelectorAll('style')
        .map(({ textContent }) => textContent ?? '')
        .join('\n'),
    )
    const body = bodyOf(document)
    removeUnseen(body)
    removeHidden(body, isNamedHidden, { depth: 0, isTiny: false })
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

type Above = { readonly depth: number; readonly isTiny: boolean }

/** `isTiny`: the font size is zero. Layouts set it on containers, whose columns set another one. */
function removeHidden(
  parent: DomElement,
  isNamedHidden: (element: DomElement) => boolean,
  { depth, isTiny }: Above,
): void {
  if (depth > MAX_DEPTH) return
  // A copy, because removed children leave the list.
  for (const child of parent.childNodes.slice()) {
    if (isText(child)) {
      if (isTiny) child.textContent = ' '
      continue
    }
    if (!isElement(child)) continue
    const style = child.getAttribute('style') ?? ''
    if (child.hasAttribute('hidden') || isHiddenStyle(style) || isNamedHidden(child)) {
      child.remove()
      continue
    }
    const below = FONT_SIZE.test(style) ? WITHOUT_FONT.test(style) : isTiny
    removeHidden(child, isNamedHidden, { depth: depth + 1, isTiny: below })
  }
}

function isHiddenStyle(style: string): boolean {
  return (
    HIDDEN.test(style) ||
    (WITHOUT_SIZE.test(style) && CLIPPED.test(style)) ||
    (OFF_SCREEN.test(style) && /position|text-indent/i.test(style))
  )
}

/** Reads rules for one class or id. Rules for some screens only, in at-blocks, do not count. */
function readHiddenNames(css: string): (element: DomElement) => boolean {
  const plain = css
    .slice(0, MOST_CSS)
    .replaceAll(/\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(AT_BLOCK, ' ')
  const classes = new Set<string>()
  const ids = new Set<string>()
  for (const [, selectors = '', style = ''] of plain.matchAll(RULE)) {
    if (!isHiddenStyle(style)) continue
    for (const selector of selectors.split(',')) {
      const [, kind, name = ''] = /^\s*[a-z]*([.#])([\w-]+)\s*$/i.exec(selector) ?? []
      if (kind === '.') classes.add(name)
      if (kind === '#') ids.add(name)
    }
  }
  return (element) =>
    ids.has(element.getAttribute('id') ?? '') ||
    (classes.size > 0 &&
      (element.getAttribute('class') ?? '').split(/\s+/).some((name) => classes.has(name)))
}
