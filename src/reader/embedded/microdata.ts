/** Reads microdata as nodes of JSON-LD. */
import type { Fields } from '../../lib/json-fields.ts'
import { TreeTooLarge } from '../dom/parse-html.ts'
import { bodyOf, isElement, parseDocument, type DomElement } from '../extract/dom.ts'

const MOST_NODES = 200
const MOST_PROPERTIES = 2_000
/** A longer text is not a property, and a longer page is not parsed once more. */
const LONGEST_VALUE = 20_000
const LONGEST_PAGE = 2_000_000

type Node = Record<string, unknown>
type Reading = { readonly nodes: Node[]; properties: number }

/** All typed items, outer ones first. Empty for a page beyond the limits. */
export function microdataIn(html: string): Fields[] {
  if (html.length > LONGEST_PAGE || !/\bitemscope\b/i.test(html)) return []
  const reading: Reading = { nodes: [], properties: 0 }
  try {
    visit(reading, bodyOf(parseDocument(html)), undefined)
  } catch (error) {
    if (!(error instanceof TreeTooLarge)) throw error
  }
  return reading.nodes
}

function visit(reading: Reading, element: DomElement, item: Node | undefined): void {
  const inner = element.hasAttribute('itemscope') ? openItem(reading, element) : undefined
  const name = element.getAttribute('itemprop')
  if (item !== undefined && name !== null && reading.properties < MOST_PROPERTIES) {
    reading.properties += 1
    for (const one of name.split(/\s+/, 5)) addTo(item, one, inner ?? valueOf(element))
  }
  for (const child of element.childNodes) if (isElement(child)) visit(reading, child, inner ?? item)
}

function openItem({ nodes }: Reading, element: DomElement): Node {
  const item = Object.create(null) as Node
  const type = element.getAttribute('itemtype')
  if (type !== null && nodes.length < MOST_NODES) {
    item['@type'] = type.trim().split(/\s+/, 1)[0]
    nodes.push(item)
  }
  return item
}

/** Several values of one property are a list. */
function addTo(item: Node, name: string, value: unknown): void {
  if (name === '' || name.startsWith('@')) return
  const known = item[name]
  if (known === undefined) item[name] = value
  else if (Array.isArray(known)) known.push(value)
  else item[name] = [known, value]
}

/** The value of a property, by the rules of the HTML standard. */
export function valueOf(element: DomElement): string {
  const value = element.getAttribute('content') ?? element.getAttribute('datetime')
  if (value !== null) return value
  if (/^(link|img|source|object)$/.test(element.localName))
    return element.getAttribute('href') ?? element.getAttribute('src') ?? ''
  return element.textLength > LONGEST_VALUE ? '' : (element.textContent ?? '').trim()
}
