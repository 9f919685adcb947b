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
  const unseen = body.querySelectorAll(UNSEEN)
  const words = findWordsOfSentences(unseen)
  for (const element of unseen) if (!isOpener(element) && !words.has(element)) element.remove()
}

const LONGEST_WORD = 40
const INLINE = /^(a|abbr|b|cite|code|em|i|kbd|mark|small|span|strong|sub|sup|u|var)$/

/** Buttons and labels between words are words: "Press <button>Save</button>, then wait." */
function findWordsOfSentences(unseen: readonly DomElement[]): ReadonlySet<DomNode> {
  const controls = new Set<DomNode>(unseen.filter(isWord))
  const parents = new Set([...controls].map(({ parentNode }) => parentNode))
  const found = new Set<DomNode>()
  for (const parent of parents) {
    const nodes = parent?.childNodes ?? []
    for (const [at, node] of nodes.entries())
      if (controls.has(node) && hasWords(nodes[at - 1]) && hasWords(nodes[at + 1])) found.add(node)
  }
  return found
}

function isWord(control: DomElement): boolean {
  return (
    (control.localName === 'button' || control.localName === 'label') &&
    control.textLength > 0 &&
    control.textLength <= LONGEST_WORD &&
    control.querySelector('input,select,textarea') === null
  )
}

function hasWords(node: DomNode | undefined): boolean {
  if (node === undefined) return false
  return isElement(node)
    ? INLINE.test(node.localName) && node.textLength > 0
    : (node.textContent ?? '').trim() !== ''
}

/** An accordion's question is often a button inside a heading. */
function isOpener(element: DomElement): boolean {
  return element.localName === 'button' && element.closest('h1,h2,h3,h4,h5,h6,dt,summary') !== null
}
