import { isElement, type DomElement, type DomNode } from './dom.ts'

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
  for (const element of body.querySelectorAll(UNSEEN))
    if (!isOpener(element) && !isWordOfSentence(element)) element.remove()
}

const LONGEST_WORD = 40
const INLINE = /^(a|abbr|b|cite|code|em|i|kbd|mark|small|span|strong|sub|sup|u|var)$/

/** A button or label between words is a word of their sentence: "Press <button>Save</button>, then wait." */
function isWordOfSentence(element: DomElement): boolean {
  const text = element.textContent?.trim() ?? ''
  const around = element.parentElement?.childNodes ?? []
  const at = around.indexOf(element)
  return (
    (element.localName === 'button' || element.localName === 'label') &&
    text !== '' &&
    text.length <= LONGEST_WORD &&
    element.querySelector('input,select,textarea') === null &&
    hasWords(around[at - 1]) &&
    hasWords(around[at + 1])
  )
}

function hasWords(node: DomNode | undefined): boolean {
  if (node === undefined || (node.textContent ?? '').trim() === '') return false
  return !isElement(node) || INLINE.test(node.localName)
}

/** An accordion's question is often a button inside a heading. */
function isOpener(element: DomElement): boolean {
  return element.localName === 'button' && element.closest('h1,h2,h3,h4,h5,h6,dt,summary') !== null
}
