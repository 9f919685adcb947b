import { openPanels } from './collapsed.ts'
import { isWithin, type DomDocument, type DomElement } from './dom.ts'
import { texOf } from './mathml.ts'
import { textLength } from './text-length.ts'

/**
 * Puts content where a browser would show it: parts that React streams in hidden at the end of the page, what an
 * element keeps in a shadow root, formulas, which become TeX, and the copy that forums keep in `noscript` for readers
 * without scripts.
 */
export function revealContent(document: DomDocument, body: DomElement): void {
  for (const root of body.querySelectorAll('template[shadowrootmode]')) root.replaceWith(asShown(document, root))
  for (const script of body.querySelectorAll('script[type^="math/tex"]')) script.replaceWith(formula(document, script.textContent ?? '', /mode\s*=\s*display/.test(script.getAttribute('type') ?? '')))
  writeFormulas(document, body)
  leaveOutPictures(body)
  for (const late of body.querySelectorAll('div[hidden][id^="S:"]')) {
    late.removeAttribute('hidden')
    document.querySelector(`template[id="B:${(late.getAttribute('id') ?? '').slice(2)}"]`)?.replaceWith(late)
  }
  showCopies(document, body)
  openPanels(body)
}

function writeFormulas(document: DomDocument, body: DomElement): void {
  const seen = new Set<DomElement>()
  for (const math of body.querySelectorAll('math:not([data-latex])')) {
    const tex = isWithin(math, seen) ? null : texOf(math)
    seen.add(math)
    if (tex !== null) math.replaceWith(formula(document, tex, math.getAttribute('display') === 'block'))
  }
}

/** KaTeX writes each formula twice, for readers by sound and for the eye. */
function leaveOutPictures(body: DomElement): void {
  for (const picture of body.querySelectorAll('.katex-mathml + .katex-html')) picture.remove()
}

function showCopies(document: DomDocument, body: DomElement): void {
  const copies = [...body.querySelectorAll('noscript')].filter((element) => element.children.length > 2)
  const copied = copies.reduce((sum, element) => sum + textLength(element), 0)
  if (copied < 500 || shownLength(body) > copied / 2) return
  for (const element of copies) element.replaceWith(asShown(document, element))
}

function asShown(document: DomDocument, unseen: DomElement): DomElement {
  const shown = document.createElement('div')
  for (const child of Array.from(unseen.childNodes)) shown.appendChild(child)
  return shown
}

function formula(document: DomDocument, tex: string, isBlock: boolean): DomElement {
  const math = document.createElement('math')
  math.textContent = tex
  math.setAttribute('data-latex', tex)
  if (isBlock) math.setAttribute('display', 'block')
  return math
}

function shownLength(body: DomElement): number {
  const unseen = [...body.querySelectorAll('script,style,noscript,template')].reduce((sum, element) => sum + textLength(element), 0)
  return textLength(body) - unseen
}

