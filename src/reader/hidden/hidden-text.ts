import {
  bodyOf,
  isElement,
  isText,
  type DomDocument,
  type DomElement,
  type DomText,
} from '../extract/dom.ts'
import { shownLength } from '../extract/text-length.ts'
import { groundOf, looksSame, readColor, WHITE, type Color } from './colors.ts'
import { hidesBox, isTiny, isTransparent, type Style } from './declarations.ts'
import { createPanelTest } from './panels.ts'
import { createStyleReader } from './style-rules.ts'

/** The values of this attribute on elements, which the browser adds: see `MARK_HIDDEN`. */
export type HiddenMark = 'box' | 'text'

/** Elements without text of their own, or whose text has rules of its own. */
const SKIPPED = /^(script|style|template|noscript|head|svg|math|iframe|option|textarea)$/
/** Utility classes that show an element on wide screens. */
const SHOWN_WIDE =
  /(^|\s)((sm|md|lg|xl|2xl):(block|flex|grid|inline|inline-block|inline-flex|table|table-cell|visible|contents)|d-(sm|md|lg|xl|xxl)-(block|flex|grid|inline|inline-block|inline-flex|table|table-cell))(\s|$)/
const INVISIBLE = /^(hidden|collapse)$/
const NO_STYLE: Style = new Map()
const CLOSED_DIALOG = /^(dialog|alertdialog)$/
/** A page that hides at least this much text, and shows less or a fraction, is shown by its scripts. */
const LEAST_SHOWN = 200
const HIDDEN_SHARE = 0.8

/** Properties that elements inherit. */
type Inherited = {
  readonly isInvisible: boolean
  readonly isTiny: boolean
  readonly color: Color | 'transparent' | undefined
  /** Undefined if the ground is an image, or a style sheet elsewhere may set it. */
  readonly ground: Color | undefined
}

export type HiddenTextOptions = {
  readonly mark?: string | undefined
  /** A page whose scripts can show its text; never true for emails and documents. */
  readonly hasScripts?: boolean
}

export type HiddenText = {
  /** Removed with everything inside. */
  readonly boxes: ReadonlySet<DomElement>
  readonly texts: readonly DomText[]
  /** The page hides nearly all of its text, so its scripts probably show it. It is not removed. */
  readonly isDrawnByScripts: boolean
  /** Removes the hidden text from the tree. */
  remove(): void
}

/**
 * Finds the text that a person cannot see. `mark` is the attribute with which a browser marked it;
 * without one, the attributes, styles and style elements of the page decide. Panels that a control
 * opens are visible: their hiding attributes are removed here.
 */
export function findHiddenText(
  document: DomDocument,
  { mark, hasScripts = false }: HiddenTextOptions = {},
): HiddenText {
  const body = bodyOf(document)
  const finding = createFinding(document, body, mark, hasScripts)
  visit(finding, body, finding.start)
  const isDrawnByScripts = mark === undefined && hasScripts && hidesMost(finding)
  if (isDrawnByScripts) finding.boxes.clear()
  const { boxes } = finding
  const texts = isDrawnByScripts ? finding.texts : [...finding.texts, ...finding.invisible]
  return {
    boxes,
    texts,
    isDrawnByScripts,
    remove() {
      for (const box of boxes) box.remove()
      for (const text of texts) text.textContent = ' '
    },
  }
}

type Finding = {
  readonly body: DomElement
  readonly mark: string | undefined
  readonly styleOf: (element: DomElement) => Style
  readonly isPanel: (element: DomElement) => boolean
  readonly hasScripts: boolean
  /** Style sheets elsewhere can set any colour for these. */
  readonly hasUnknownColors: boolean
  readonly boxes: Set<DomElement>
  readonly texts: DomText[]
  readonly invisible: DomText[]
  /** Characters of the text that is not hidden. */
  shown: number
  readonly start: Inherited
}

function createFinding(
  document: DomDocument,
  body: DomElement,
  mark: string | undefined,
  hasScripts: boolean,
): Finding {
  const styleOf = mark === undefined ? createStyleReader(document) : () => NO_STYLE
  const root = document.documentElement
  const start: Inherited = {
    isInvisible: false,
    isTiny: false,
    color: [0, 0, 0],
    ground: WHITE,
  }
  const hasUnknownColors =
    document.querySelector('link[rel~="stylesheet" i]') !== null ||
    document.querySelectorAll('style').some(({ textContent }) => /@import/.test(textContent ?? ''))
  return {
    body,
    mark,
    styleOf,
    isPanel: createPanelTest(body),
    hasScripts,
    hasUnknownColors,
    boxes: new Set(),
    texts: [],
    invisible: [],
    shown: 0,
    start:
      root === null || root === body
        ? start
        : inherit(root, styleOf(root), start, hasUnknownColors),
  }
}

function visit(finding: Finding, element: DomElement, above: Inherited): void {
  const { mark, body } = finding
  let style = finding.styleOf(element)
  const isBoxHidden =
    element !== body && isHiddenBox(element, style, mark) && !isFadedIn(finding, element, style)
  const isInvisible = INVISIBLE.test(style.get('visibility') ?? '')
  const isMuted = element.getAttribute('aria-hidden') === 'true'
  if ((isBoxHidden || isInvisible || isMuted) && finding.isPanel(element)) {
    for (const name of ['hidden', 'aria-hidden', 'style']) element.removeAttribute(name)
    style = NO_STYLE
  } else if (isBoxHidden) {
    finding.boxes.add(element)
    return
  }
  const inherited =
    mark === undefined ? inherit(element, style, above, finding.hasUnknownColors) : above
  // Styles that hide the whole page wait for its scripts.
  const own = element === body ? { ...inherited, isInvisible: false } : inherited
  const hidesText = mark === undefined ? isUnseen(own) : element.getAttribute(mark) === 'text'
  for (const child of element.childNodes) {
    if (isText(child)) {
      if (!hidesText) finding.shown += child.data.trim().length
      else if (/\S/.test(child.data))
        (own.isInvisible ? finding.invisible : finding.texts).push(child)
    } else if (isElement(child) && !SKIPPED.test(child.localName)) visit(finding, child, own)
  }
}

function isHiddenBox(element: DomElement, style: Style, mark: string | undefined): boolean {
  if (mark !== undefined) return element.getAttribute(mark) === 'box'
  const isShown = style.has('display') && style.get('display') !== 'none'
  if (element.hasAttribute('hidden') && !isShown) return true
  if (element.localName === 'dialog' && !element.hasAttribute('open') && !isShown) return true
  if (
    element.getAttribute('aria-hidden') === 'true' &&
    CLOSED_DIALOG.test(element.getAttribute('role') ?? '')
  )
    return true
  return hidesBox(style) && !SHOWN_WIDE.test(element.getAttribute('class') ?? '')
}

/** Webflow writes the start of its animations into the page. */
function isFadedIn({ hasScripts }: Finding, element: DomElement, style: Style): boolean {
  return hasScripts && element.hasAttribute('data-w-id') && isTransparent(style)
}

function inherit(
  element: DomElement,
  style: Style,
  above: Inherited,
  hasUnknownColors: boolean,
): Inherited {
  const isNamed = hasUnknownColors && (element.hasAttribute('class') || element.hasAttribute('id'))
  const legacyColor = element.localName === 'font' ? element.getAttribute('color') : null
  const legacyGround = element.getAttribute('bgcolor')
  if (style.size === 0 && !isNamed && legacyColor === null && legacyGround === null) return above
  const visibility = style.get('visibility')
  const written =
    style.get('-webkit-text-fill-color') ?? style.get('color') ?? legacyColor ?? undefined
  const color = written === undefined || written === 'inherit' ? undefined : readColor(written)
  const ground = groundOf(style) ?? (legacyGround === null ? undefined : readColor(legacyGround))
  const isOverlay =
    /absolute|fixed|sticky/.test(style.get('position') ?? '') || element.hasAttribute('background')
  return {
    isInvisible:
      visibility === undefined || visibility === 'inherit'
        ? above.isInvisible
        : INVISIBLE.test(visibility),
    isTiny: isTiny(style) ?? above.isTiny,
    color: isShownByGround(style)
      ? undefined
      : written === undefined && !isNamed
        ? above.color
        : color,
    ground:
      typeof ground === 'object'
        ? ground
        : ground === 'unknown' || isNamed || isOverlay
          ? undefined
          : above.ground,
  }
}

/** Text that its own ground colours, or a shadow. */
function isShownByGround(style: Style): boolean {
  return (
    (style.get('background-clip') ?? style.get('-webkit-background-clip')) === 'text' ||
    !/^(none)?$/.test(style.get('text-shadow') ?? '')
  )
}

function isUnseen({ isInvisible, isTiny: isSmall, color, ground }: Inherited): boolean {
  if (isInvisible || isSmall || color === 'transparent') return true
  return color !== undefined && ground !== undefined && looksSame(color, ground)
}

function hidesMost({ shown, boxes, invisible }: Finding): boolean {
  const hidden =
    [...boxes].reduce((sum, box) => sum + shownLength(box), 0) +
    invisible.reduce((sum, { data }) => sum + data.trim().length, 0)
  if (hidden < LEAST_SHOWN) return false
  return shown < LEAST_SHOWN || shown < (shown + hidden) * (1 - HIDDEN_SHARE)
}
