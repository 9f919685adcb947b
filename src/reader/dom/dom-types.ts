/** The part of the DOM that page reading uses. `tree.ts` implements it. */
export type DomNode = {
  readonly nodeType: number
  readonly childNodes: readonly DomNode[]
  readonly parentNode: DomElement | null
  textContent: string | null
}
export type DomText = DomNode & { readonly data: string }
export type DomElement = DomNode & {
  readonly localName: string
  readonly children: readonly DomElement[]
  readonly parentElement: DomElement | null
  readonly previousElementSibling: DomElement | null
  readonly nextElementSibling: DomElement | null
  /** The characters of the text with white space collapsed and trimmed. Cached until it changes. */
  readonly textLength: number
  /** The sum of `textLength` of all links inside. */
  readonly linkLength: number
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  /** Selector methods throw on a selector that is not valid. */
  matches(selectors: string): boolean
  querySelector(selectors: string): DomElement | null
  querySelectorAll(selectors: string): readonly DomElement[]
  closest(selectors: string): DomElement | null
  contains(other: DomNode): boolean
  remove(): void
  replaceWith(other: DomNode): void
  appendChild(child: DomNode): void
}
export type DomDocument = DomElement & {
  readonly documentElement: DomElement | null
  createElement(name: string): DomElement
}
