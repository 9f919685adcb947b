import { type DomElement } from './dom.ts'
import { collapse } from './text.ts'

export const textLength = (element: DomElement): number =>
  collapse(element.textContent ?? '').trim().length

export function linkLength(element: DomElement): number {
  return [...element.querySelectorAll('a')].reduce((sum, link) => sum + textLength(link), 0)
}
