import { isWithin } from '../extract/dom.ts'
import type { DomElement } from '../dom/dom-types.ts'
import { linkLength, textLength } from '../extract/text-length.ts'

const PANEL_NAME =
  /(^|[\s_-])(accordions?|collaps(e|ed|ible)|tab-?(pane|panel|content)s?|faqs?|answers?|toggle-content)($|[\s_-])/i
const CONTROL = 'button,[role="button"],[role="tab"],[aria-expanded],[aria-controls],summary'
const HEADING = /^(h[2-6]|dt)$/
/** Elements that open by themselves or contain navigation; they are not content. */
const ELSEWHERE =
  'nav,header,footer,form,[role="dialog"],[role="menu"],[role="navigation"],[aria-modal="true"]'
const SHORTEST = 20
const LONGEST_QUESTION = 300
/** Boxes around a panel that animate it. */
const MOST_BOXES = 3

/**
 * Returns a test for hidden elements that a control of the page opens: answers below questions, tab
 * panels. A heading alone opens nothing.
 */
export function createPanelTest(body: DomElement): (hidden: DomElement) => boolean {
  let panels: Panels | undefined
  return (hidden) => {
    if (!isText(hidden)) return false
    panels ??= readPanels(body)
    return isOpened(hidden, panels) && !isWithin(hidden, panels.elsewhere)
  }
}

type Panels = {
  /** IDs of the panels that controls name. */
  readonly controlled: ReadonlySet<string>
  readonly elsewhere: ReadonlySet<DomElement>
  readonly hasTabs: boolean
}

function readPanels(body: DomElement): Panels {
  const controlled = new Set<string>()
  for (const control of body.querySelectorAll(
    '[aria-controls],[data-target],[data-bs-target],[role="tab"][href]',
  ))
    for (const name of ['aria-controls', 'data-target', 'data-bs-target', 'href'])
      for (const target of control.getAttribute(name)?.split(/\s+/) ?? [])
        controlled.add(target.replace(/^#/, ''))
  controlled.delete('')
  return {
    controlled,
    elsewhere: new Set(body.querySelectorAll(ELSEWHERE)),
    hasTabs: body.querySelector('[role="tab"]') !== null,
  }
}

function isText(element: DomElement): boolean {
  const length = textLength(element)
  return length >= SHORTEST && linkLength(element) <= length * 0.5
}

function isOpened(element: DomElement, { controlled, hasTabs }: Panels): boolean {
  const around = element.parentElement
  if (controlled.has(element.getAttribute('id') ?? '') || around?.localName === 'details')
    return true
  if (
    (hasTabs || element.getAttribute('aria-hidden') === 'true') &&
    element.getAttribute('role') === 'tabpanel'
  )
    return true
  if (followsClosedControl(element)) return true
  const before = element.previousElementSibling
  if (before === null || textLength(before) >= LONGEST_QUESTION) return false
  return (
    before.matches(CONTROL) ||
    before.querySelector(CONTROL) !== null ||
    // Scripts listen on the headings of components that the page names.
    ((HEADING.test(before.localName) || isNamed(before)) && [element, around].some(isNamed))
  )
}

/** A control in its closed state, directly before the element or before boxes that begin with it. */
function followsClosedControl(element: DomElement): boolean {
  let box = element
  for (let level = 0; box.previousElementSibling === null && level < MOST_BOXES; level += 1) {
    if (box.parentElement === null) return false
    box = box.parentElement
  }
  return box.previousElementSibling?.matches('[aria-expanded="false"]') === true
}

function isNamed(element: DomElement | null): boolean {
  return PANEL_NAME.test(
    `${element?.getAttribute('class') ?? ''} ${element?.getAttribute('id') ?? ''}`,
  )
}
