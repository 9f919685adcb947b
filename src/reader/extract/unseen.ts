import type { DomElement } from './dom.ts'

const UNSEEN =
  'script,style,noscript,template,meta,link,iframe,object,embed,canvas,svg,audio,video,select,textarea,button,datalist,dialog,label,input:not([type=checkbox])'
const UNSEEN_TAGS: ReadonlySet<string> = new Set(
  UNSEEN.split(',').map((selector) => selector.replace(/:.*/, '')),
)

/** Reports whether an element is a control or has no text for a reader. */
export function isUnseen(element: DomElement): boolean {
  return UNSEEN_TAGS.has(element.localName) && !isOpener(element)
}

/** Removes scripts, form controls and other elements without text for a reader. */
export function removeUnseen(body: DomElement): void {
  for (const element of body.querySelectorAll(UNSEEN)) if (!isOpener(element)) element.remove()
}

/** An accordion's question is often a button inside a heading. */
function isOpener(element: DomElement): boolean {
  return element.localName === 'button' && element.closest('h1,h2,h3,h4,h5,h6,dt,summary') !== null
}
