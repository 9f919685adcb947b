/** Reads JSON-LD: the facts that a page states for search engines, in the words of schema.org. */
import { isFields, type Fields } from '../../lib/json-fields.ts'
import { scriptsIn } from './scripts.ts'

const MAX_DEPTH = 6
const MAX_NODES = 500
const INSIDE = ['@graph', 'mainEntity', 'mainEntityOfPage', 'hasPart', 'about', 'itemReviewed']

/**
 * All nodes with a type, outer nodes first, with the nodes that they name by `@id` in place. Scripts
 * that are not JSON are skipped.
 */
export function linkedDataIn(html: string): Fields[] {
  const nodes: Fields[] = []
  for (const { attributes, text } of scriptsIn(html))
    if (/\bld\+json\b/i.test(attributes)) collect(parseJson(text), nodes, 0)
  const byId = new Map(nodes.map((node) => [node['@id'], node]))
  const named = (value: unknown): unknown =>
    isFields(value) && typeof value['@id'] === 'string' && typesOf(value).length === 0
      ? (byId.get(value['@id']) ?? value)
      : value
  return nodes.map((node) =>
    Object.fromEntries(
      Object.entries(node).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(named) : named(value),
      ]),
    ),
  )
}

function collect(value: unknown, nodes: Fields[], depth: number): void {
  if (depth > MAX_DEPTH || nodes.length >= MAX_NODES) return
  if (Array.isArray(value)) for (const each of value) collect(each, nodes, depth + 1)
  if (!isFields(value)) return
  if (typesOf(value).length > 0) nodes.push(value)
  for (const name of INSIDE) collect(value[name], nodes, depth + 1)
}

/** The types of a node without the address of their vocabulary. */
export function typesOf(node: Fields): string[] {
  return listOf(node['@type'])
    .filter((type): type is string => typeof type === 'string')
    .map((type) => type.replace(/^.*[/#:]/, ''))
}

export function isOfType(node: Fields, types: RegExp): boolean {
  return typesOf(node).some((type) => types.test(type))
}

export function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** A value as text: a text, a number, or the name of a node. Empty if it has none. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(textOf).find((text) => text !== '') ?? ''
  return isFields(value) ? textOf(value['name'] ?? value['@value'] ?? value['text'] ?? '') : ''
}

/** Undefined if the text is not JSON. Pages write raw line breaks into JSON strings. */
export function parseJson(text: string): unknown {
  const json = text
    .trim()
    .replace(/^(<!--|\/\*<!\[CDATA\[\*\/|\/\/<!\[CDATA\[|<!\[CDATA\[)/, '')
    .replace(/(-->|\/\*\]\]>\*\/|\/\/\]\]>|\]\]>);?$/, '')
  for (const candidate of [json, json.replace(/[\r\n\t]+/g, ' ')])
    try {
      return JSON.parse(candidate) as unknown
    } catch {
      continue
    }
  return undefined
}
