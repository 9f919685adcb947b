import { compile } from 'css-select'
import type { DomElement, DomNode } from './dom-types.ts'

type Matcher = (element: DomElement) => boolean
type Adapter = NonNullable<
  NonNullable<Parameters<typeof compile<DomNode, DomElement>>[1]>['adapter']
>

/** Selectors from callers are compiled too, so the cache is bounded. */
const MOST_COMPILED = 500
const TAGS_ONLY = /^\s*[a-z][a-z0-9-]*(\s*,\s*[a-z][a-z0-9-]*)*\s*$/i

const compiled = new Map<string, Matcher>()

const ADAPTER: Adapter = {
  isTag: (node): node is DomElement => node.nodeType === 1,
  getAttributeValue: (element, name) => element.getAttribute(name) ?? undefined,
  hasAttrib: (element, name) => element.hasAttribute(name),
  getName: ({ localName }) => localName,
  getChildren: (node) => [...node.childNodes],
  getParent: (node) => node.parentNode,
  getSiblings: (node) => [...(node.parentNode?.childNodes ?? [node])],
  prevElementSibling: (node) => (ADAPTER.isTag(node) ? node.previousElementSibling : null),
  getText: (node) => node.textContent ?? '',
  existsOne: (test, nodes) => findOne(test, nodes) !== null,
  findOne,
  findAll: (test, nodes) => elementsIn(nodes).filter(test),
  removeSubsets: (nodes) =>
    nodes.filter(
      (node) =>
        !nodes.some((other) => other !== node && ADAPTER.isTag(other) && other.contains(node)),
    ),
}

/** A test for these CSS selectors. Throws on a selector that is not valid. */
export function compileSelectors(selectors: string): Matcher {
  const known = compiled.get(selectors)
  if (known !== undefined) return known
  const matcher = TAGS_ONLY.test(selectors) ? tagMatcher(selectors) : cssMatcher(selectors)
  if (compiled.size >= MOST_COMPILED) compiled.clear()
  compiled.set(selectors, matcher)
  return matcher
}

function tagMatcher(selectors: string): Matcher {
  const tags = new Set(
    selectors
      .toLowerCase()
      .split(',')
      .map((tag) => tag.trim()),
  )
  return ({ localName }) => tags.has(localName)
}

function cssMatcher(selectors: string): Matcher {
  return compile<DomNode, DomElement>(selectors, {
    adapter: ADAPTER,
    // The tree changes between queries.
    cacheResults: false,
    relativeSelector: false,
  })
}

function findOne(test: Matcher, nodes: readonly DomNode[]): DomElement | null {
  return elementsIn(nodes).find(test) ?? null
}

function elementsIn(nodes: readonly DomNode[]): DomElement[] {
  return nodes.flatMap((node) => (ADAPTER.isTag(node) ? [node, ...node.querySelectorAll('*')] : []))
}
