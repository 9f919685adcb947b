import {
  baseUrlOf,
  bodyOf,
  imageUrl,
  isElement,
  isWithin,
  parseDocument,
  type DomDocument,
  type DomElement,
  type DomNode,
} from './dom.ts'
import { texOf } from '../markdown/mathml.ts'
import { shownLength, textLength } from './text-length.ts'

/**
 * Moves content to where a browser shows it: parts that React streams in hidden at the end of the
 * page, the content of shadow roots, formulas (as TeX), and the `noscript` copies that forums
 * provide.
 */
export function revealContent(document: DomDocument, body: DomElement): void {
  showFrames(document, body)
  for (const root of body.querySelectorAll('template[shadowrootmode]'))
    root.replaceWith(fillSlots(document, root))
  for (const copy of body.querySelectorAll('noscript')) showImage(copy)
  for (const visual of body.querySelectorAll(MATHJAX_2)) visual.remove()
  for (const script of body.querySelectorAll('script[type^="math/tex"]'))
    script.replaceWith(
      formula(
        document,
        script.textContent ?? '',
        /mode\s*=\s*display/.test(script.getAttribute('type') ?? ''),
      ),
    )
  removeVisualFormulas(body)
  writeFormulas(document, body)
  unwrapEquations(document, body)
  writeFormulaImages(document, body)
  const places = document.querySelectorAll('template[id^="B:"],template[id^="P:"]')
  for (const late of body.querySelectorAll('div[hidden][id^="S:"]')) {
    // React replaces boundaries (B) and, within late parts, segments (P).
    const number = (late.getAttribute('id') ?? '').slice(2)
    const place = places.find((template) =>
      [`B:${number}`, `P:${number}`].includes(template.getAttribute('id') ?? ''),
    )
    if (place === undefined) continue
    late.removeAttribute('hidden')
    place.replaceWith(late)
  }
  showCopies(document, body)
}

/** The drawing of MathJax 2 before the script with the source of a formula. */
const MATHJAX_2 = [
  '.MathJax_Preview',
  '.MathJax',
  '.MathJax_Display',
  '.MathJax_CHTML',
  '.MathJax_SVG',
]
  .map((name) => `${name}:has(~ script[type^="math/tex"])`)
  .join(',')

function writeFormulas(document: DomDocument, body: DomElement): void {
  const seen = new Set<DomElement>()
  for (const math of body.querySelectorAll('math:not([data-latex])')) {
    const tex = isWithin(math, seen) ? null : texOf(math)
    seen.add(math)
    if (tex !== null)
      math.replaceWith(formula(document, tex, math.getAttribute('display') === 'block'))
  }
}

/** LaTeXML sets an equation and its number as a table. */
const EQUATION = 'table.ltx_equation,table.ltx_equationgroup,table.ltx_eqn_table'

function unwrapEquations(document: DomDocument, body: DomElement): void {
  for (const table of body.querySelectorAll(EQUATION)) {
    const formulas = [...table.querySelectorAll('math[data-latex]')]
    if (formulas.length > 0)
      table.replaceWith(
        holding(
          document,
          formulas.map((math) => holding(document, [math])),
        ),
      )
  }
}

/** KaTeX and MathJax write each formula twice: accessible MathML or TeX, and visual HTML. */
function removeVisualFormulas(body: DomElement): void {
  for (const visual of body.querySelectorAll('.katex-mathml + .katex-html')) visual.remove()
  for (const box of body.querySelectorAll('mjx-container'))
    if (box.querySelector('mjx-assistive-mml math') !== null)
      for (const child of box.children) if (child.localName !== 'mjx-assistive-mml') child.remove()
}

const FORMULA_CLASS = /(^|\s)(latex|tex|math|equation|mwe-math-fallback-image-\w+)(\s|$)/i
const FORMULA_SOURCE = /latex\.(php|codecogs)|codecogs\.com|\/latex\?|[?&]cht=tx/i

/** Replaces images of formulas by the TeX in their alternative text or address. */
function writeFormulaImages(document: DomDocument, body: DomElement): void {
  for (const image of body.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? ''
    const isDrawn = FORMULA_SOURCE.test(source)
    if (!isDrawn && !FORMULA_CLASS.test(image.getAttribute('class') ?? '')) continue
    const tex = image.getAttribute('alt')?.trim() || (isDrawn ? texInAddress(source) : '')
    if (tex === '') continue
    // Next to MathML, the image is a second copy.
    if (image.parentElement?.querySelector('math') === null)
      image.replaceWith(formula(document, tex.replace(/^\$+|\$+$/g, ''), false))
    else image.remove()
  }
}

/** TeX as the query of an address, or as its parameter `chl` or `tex`. */
function texInAddress(source: string): string {
  const query = /\?(.*)$/s.exec(source)?.[1] ?? ''
  const named = /(?:^|&)(?:chl|tex|latex|eq)=([^&]*)/.exec(query)?.[1]
  try {
    return decodeURIComponent(named ?? query).trim()
  } catch {
    return ''
  }
}

const NO_BASE = 'about:srcdoc'
const MOST_FRAMES = 20
/** Shorter documents in frames are players, buttons and advertisements. */
const LEAST_IN_FRAME = 80

/** Replaces frames whose document is in the page by the content of that document. */
function showFrames(document: DomDocument, body: DomElement): void {
  for (const frame of body.querySelectorAll('iframe[srcdoc]').slice(0, MOST_FRAMES)) {
    const framed = parseDocument(frame.getAttribute('srcdoc') ?? '')
    const inner = bodyOf(framed)
    resolveUrls(inner, baseUrlOf(framed, NO_BASE))
    if (shownLength(inner) >= LEAST_IN_FRAME) frame.replaceWith(asShown(document, inner))
  }
}

/** Links and images of a framed document that names its own base are relative to that. */
function resolveUrls(inner: DomElement, base: string): void {
  if (base === NO_BASE) return
  for (const name of ['href', 'src'])
    for (const element of inner.querySelectorAll(`[${name}]`)) {
      const url = URL.parse(element.getAttribute(name)?.trim() ?? '', base)
      if (url !== null) element.setAttribute(name, url.href)
    }
}

/** Fewer characters are a request to enable scripts. */
const LEAST_COPIED = 500

function showCopies(document: DomDocument, body: DomElement): void {
  const copies = [...body.querySelectorAll('noscript')].filter(
    (element) => element.children.length > 2 || textLength(element) >= LEAST_COPIED,
  )
  const copied = copies.reduce((sum, element) => sum + textLength(element), 0)
  if (copied < LEAST_COPIED || shownLength(body) > copied / 2) return
  for (const element of copies) element.replaceWith(asShown(document, element))
}

/**
 * Moves the element's children into the slots of its shadow root. A slot without children keeps its
 * default content.
 */
function fillSlots(document: DomDocument, root: DomElement): DomElement {
  const shown = asShown(document, root)
  const host = root.parentElement
  const slots = new Map(
    [...shown.querySelectorAll('slot')]
      .toReversed()
      .map((slot) => [slot.getAttribute('name') ?? '', slot]),
  )
  if (host === null || slots.size === 0) return shown
  const assigned = new Map<DomElement, DomNode[]>()
  for (const child of [...host.childNodes].filter((node) => node !== root)) {
    const slot = slots.get(isElement(child) ? (child.getAttribute('slot') ?? '') : '')
    if (slot === undefined || (child.textContent === '' && !isElement(child))) continue
    const children = assigned.get(slot)
    if (children === undefined) assigned.set(slot, [child])
    else children.push(child)
  }
  for (const [slot, children] of assigned) {
    if (children.every((child) => !isElement(child) && (child.textContent ?? '').trim() === ''))
      continue
    slot.replaceWith(holding(document, children))
  }
  return shown
}

/**
 * Replaces a script-loaded image by the noscript image next to it, or a copy by its image where the
 * page shows no other. Counters of visits have one point.
 */
function showImage(copy: DomElement): void {
  const [fallback, image] = [copy.querySelector('img'), copy.previousElementSibling]
  if (fallback === null || copy.children.length > 1 || isCounter(fallback)) return
  if (image?.localName === 'img') {
    if (imageUrl(image, 'https://site.invalid/') === undefined) image.replaceWith(fallback)
  } else if (
    /^(p|figure|picture|a|li|td)$/.test(copy.parentElement?.localName ?? '') &&
    copy.parentElement?.querySelectorAll('img').every((one) => one === fallback) === true
  )
    copy.replaceWith(fallback)
}

function isCounter(image: DomElement): boolean {
  return (
    ['width', 'height'].some((name) => /^[01](px)?$/.test(image.getAttribute(name) ?? '')) ||
    /display:\s*none|visibility:\s*hidden/.test(image.getAttribute('style') ?? '')
  )
}

function asShown(document: DomDocument, unseen: DomElement): DomElement {
  return holding(document, [...unseen.childNodes])
}

function holding(document: DomDocument, children: readonly DomNode[]): DomElement {
  const box = document.createElement('div')
  for (const child of children) box.appendChild(child)
  return box
}

function formula(document: DomDocument, tex: string, isBlock: boolean): DomElement {
  const math = document.createElement('math')
  math.textContent = tex
  math.setAttribute('data-latex', tex)
  if (isBlock) math.setAttribute('display', 'block')
  return math
}
