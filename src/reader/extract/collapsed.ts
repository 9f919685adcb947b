import { isWithin, type DomElement } from './dom.ts'
import { linkLength, textLength } from './text-length.ts'

/** Opens content that is hidden until a visitor clicks: answers below questions, tab panels. */
const HIDDEN = '[hidden],[aria-hidden="true"],[style]'
const PANEL_ROLE = /^(tabpanel|region)$/
const PANEL_NAME =
  /(^|[\s_-])(accordions?|collaps(e|ed|ible)|tab-?(pane|panel|content)s?|faqs?|answers?|toggle-content)($|[\s_-])/i
const OPENER_TAG = /^(button|h[2-6]|dt|summary)$/
const OPENER = 'button,[role="button"],[aria-expanded],[aria-controls],h2,h3,h4,h5,h6,summary'
/** Elements that open by themselves or contain navigation; they are not content. */
const ELSEWHERE =
  'nav,header,footer,form,[role="dialog"],[role="menu"],[role="navigation"],[aria-modal="true"]'
const SHORTEST = 20
const LONGEST_QUESTION = 300

/** Opens the panels of a page, so that no rule removes their text as invisible. */
export function openPanels(body: DomElement): void {
  const controlled = new Set(
    [...body.querySelectorAll('[aria-controls]')].map((opener) =>
      opener.getAttribute('aria-controls'),
    ),
  )
  const details = new Set(body.querySelectorAll('details'))
  const leftClosed = new Set(body.querySelectorAll(ELSEWHERE))
  const opened = new Set<DomElement>()
  for (const element of body.querySelectorAll(HIDDEN)) {
    if (
      !isHidden(element) ||
      isWithin(element, leftClosed) ||
      !(isWithin(element, details) || isPanel(element, controlled))
    )
      continue
    // Nested panels were measured with their parent. Measuring each level would take quadratic time
    // on deeply nested pages.
    if (!isWithin(element, opened) && !isText(element)) {
      leftClosed.add(element)
      continue
    }
    opened.add(element)
    for (const name of ['hidden', 'aria-hidden', 'style']) element.removeAttribute(name)
  }
}

function isText(element: DomElement): boolean {
  const length = textLength(element)
  return length >= SHORTEST && linkLength(element) <= length * 0.5
}

export function isStyledAway(element: DomElement): boolean {
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(element.getAttribute('style') ?? '')
}

function isHidden(element: DomElement): boolean {
  return (
    element.hasAttribute('hidden') ||
    element.getAttribute('aria-hidden') === 'true' ||
    isStyledAway(element)
  )
}

function isPanel(element: DomElement, controlled: ReadonlySet<string | null>): boolean {
  const id = element.getAttribute('id')
  if (PANEL_ROLE.test(element.getAttribute('role') ?? '') || (id !== null && controlled.has(id)))
    return true
  const names = [element, element.parentElement].map(
    (one) => `${one?.getAttribute('class') ?? ''} ${one?.getAttribute('id') ?? ''}`,
  )
  if (names.some((name) => PANEL_NAME.test(name))) return true
  const before = element.previousElementSibling
  return (
    before !== null &&
    (OPENER_TAG.test(before.localName) || before.querySelector(OPENER) !== null) &&
    textLength(before) < LONGEST_QUESTION
  )
}
