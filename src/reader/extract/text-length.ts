import { type DomElement } from './dom.ts'

/** The characters of an element's text with white space collapsed and trimmed. */
export const textLength = (element: DomElement): number => element.textLength

/** The characters of the links inside an element. */
export const linkLength = (element: DomElement): number => element.linkLength

/** The characters of an element's text that a browser without scripts could show. */
export function shownLength(element: DomElement): number {
  const unseen = element
    .querySelectorAll('script,style,noscript,template')
    .reduce((sum, one) => sum + one.textLength, 0)
  return element.textLength - unseen
}
