import { html, type Token } from 'parse5'
import { invariant } from '../../errors/app-error.ts'
import type { DomDocument, DomElement, DomNode, DomText } from './dom-types.ts'
import { compileSelectors } from './select.ts'
import { joinMeasures, measureText, NO_TEXT, type TextMeasure } from './text-measure.ts'

/**
 * A tree of linked nodes: inserting and removing take constant time on any page. Text lengths are
 * cached. A node without a cached measure has no ancestor with one.
 */
export abstract class TreeNode implements DomNode {
  parent: TreeElement | null = null
  previous: TreeNode | null = null
  next: TreeNode | null = null
  measure: TextMeasure | null = null
  abstract readonly nodeType: number
  abstract textContent: string
  abstract measured(): TextMeasure

  get childNodes(): TreeNode[] {
    return []
  }

  get parentNode(): TreeElement | null {
    return this.parent
  }

  /** Removes the node from its parent. */
  detach(): void {
    const { parent, previous, next } = this
    if (parent === null) return
    if (previous === null) parent.first = next
    else previous.next = next
    if (next === null) parent.last = previous
    else next.previous = previous
    this.parent = this.previous = this.next = null
    parent.forgetMeasure()
  }

  /** Call after each change of the text below this node. */
  forgetMeasure(): void {
    this.measure = null
    for (let { parent } = this; parent?.measure != null; parent = parent.parent)
      parent.measure = null
  }
}

export class TreeText extends TreeNode implements DomText {
  data: string

  constructor(data: string) {
    super()
    this.data = data
  }

  get nodeType(): number {
    return 3
  }

  get textContent(): string {
    return this.data
  }

  set textContent(text: string) {
    this.data = text
    this.forgetMeasure()
  }

  measured(): TextMeasure {
    this.measure ??= measureText(this.data)
    return this.measure
  }
}

export class TreeComment extends TreeNode {
  data: string

  constructor(data: string) {
    super()
    this.data = data
  }

  get nodeType(): number {
    return 8
  }

  get textContent(): string {
    return ''
  }

  measured(): TextMeasure {
    this.measure ??= NO_TEXT
    return this.measure
  }
}

export class TreeElement extends TreeNode implements DomElement {
  readonly localName: string
  readonly namespace: string
  /** The parser shares this list between copies of an element, so changes replace it. */
  attributes: readonly Token.Attribute[]
  first: TreeNode | null = null
  last: TreeNode | null = null
  /** Valid while `measure` is set. */
  private linkCharacters = 0

  constructor(localName: string, namespace: string, attributes: readonly Token.Attribute[]) {
    super()
    this.localName = localName
    this.namespace = namespace
    this.attributes = attributes
  }

  get nodeType(): number {
    return 1
  }

  override get childNodes(): TreeNode[] {
    const nodes: TreeNode[] = []
    for (let node = this.first; node !== null; node = node.next) nodes.push(node)
    return nodes
  }

  get children(): TreeElement[] {
    const elements: TreeElement[] = []
    for (let node = this.first; node !== null; node = node.next)
      if (node instanceof TreeElement) elements.push(node)
    return elements
  }

  get parentElement(): TreeElement | null {
    return this.parent?.nodeType === 1 ? this.parent : null
  }

  get previousElementSibling(): TreeElement | null {
    for (let node = this.previous; node !== null; node = node.previous)
      if (node instanceof TreeElement) return node
    return null
  }

  get nextElementSibling(): TreeElement | null {
    for (let node = this.next; node !== null; node = node.next)
      if (node instanceof TreeElement) return node
    return null
  }

  get textContent(): string {
    const parts: string[] = []
    for (let node = this.first; node !== null; node = following(node, this))
      if (node instanceof TreeText) parts.push(node.data)
    return parts.join('')
  }

  set textContent(text: string) {
    while (this.first !== null) this.first.detach()
    if (text !== '') this.append(new TreeText(text))
  }

  get textLength(): number {
    return this.measured().length
  }

  get linkLength(): number {
    this.measured()
    return this.linkCharacters
  }

  measured(): TextMeasure {
    if (this.measure !== null) return this.measure
    let measure: TextMeasure = NO_TEXT
    this.linkCharacters = 0
    for (let node = this.first; node !== null; node = node.next) {
      measure = joinMeasures(measure, node.measured())
      if (!(node instanceof TreeElement)) continue
      this.linkCharacters += node.linkCharacters
      if (node.localName === 'a') this.linkCharacters += node.measured().length
    }
    this.measure = measure
    return measure
  }

  getAttribute(name: string): string | null {
    for (const attribute of this.attributes) if (attribute.name === name) return attribute.value
    return null
  }

  hasAttribute(name: string): boolean {
    return this.getAttribute(name) !== null
  }

  setAttribute(name: string, value: string): void {
    this.attributes = [...this.attributes.filter((one) => one.name !== name), { name, value }]
  }

  removeAttribute(name: string): void {
    this.attributes = this.attributes.filter((one) => one.name !== name)
  }

  matches(selectors: string): boolean {
    return compileSelectors(selectors)(this)
  }

  querySelector(selectors: string): TreeElement | null {
    const isMatch = compileSelectors(selectors)
    for (let node = this.first; node !== null; node = following(node, this))
      if (node instanceof TreeElement && isMatch(node)) return node
    return null
  }

  querySelectorAll(selectors: string): TreeElement[] {
    const isMatch = compileSelectors(selectors)
    const found: TreeElement[] = []
    for (let node = this.first; node !== null; node = following(node, this))
      if (node instanceof TreeElement && isMatch(node)) found.push(node)
    return found
  }

  closest(selectors: string): TreeElement | null {
    const isMatch = compileSelectors(selectors)
    if (isMatch(this)) return this
    for (let above = this.parentElement; above !== null; above = above.parentElement)
      if (isMatch(above)) return above
    return null
  }

  contains(other: DomNode): boolean {
    for (let node: DomNode | null = other; node !== null; node = node.parentNode)
      if (node === this) return true
    return false
  }

  remove(): void {
    this.detach()
  }

  replaceWith(other: DomNode): void {
    const node = asTreeNode(other)
    if (node === this || this.parent === null) return
    node.detach()
    this.parent.insert(node, this)
    this.detach()
  }

  appendChild(child: DomNode): void {
    this.append(asTreeNode(child))
  }

  /** Moves the node to the end of this element. */
  append(node: TreeNode): void {
    this.insert(node, null)
  }

  /** Moves the node before `reference`, a child of this element, or to the end. */
  insert(node: TreeNode, reference: TreeNode | null): void {
    node.detach()
    const before = reference === null ? this.last : reference.previous
    node.parent = this
    node.previous = before
    node.next = reference
    if (before === null) this.first = node
    else before.next = node
    if (reference === null) this.last = node
    else reference.previous = node
    this.forgetMeasure()
  }
}

export class TreeDocument extends TreeElement implements DomDocument {
  /** The parser's quirks mode. */
  mode: string = 'no-quirks'

  constructor() {
    super('#document', '', [])
  }

  override get nodeType(): number {
    return 9
  }

  get documentElement(): TreeElement | null {
    return this.children[0] ?? null
  }

  createElement(name: string): TreeElement {
    return new TreeElement(name, html.NS.HTML, [])
  }
}

/** The next node in document order inside `root`. */
function following(node: TreeNode, root: TreeElement): TreeNode | null {
  if (node instanceof TreeElement && node.first !== null) return node.first
  for (let at: TreeNode | null = node; at !== null && at !== root; at = at.parent)
    if (at.next !== null) return at.next
  return null
}

function asTreeNode(node: DomNode): TreeNode {
  invariant(node instanceof TreeNode, 'every node comes from this parser')
  return node
}
