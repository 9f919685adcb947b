/** Rules for the JSON Schema of parameters: callers choose the values, so no value may take long to check. */
import { isSlowPattern } from './slow-pattern.ts'
import type { Report } from './faults.ts'

const MOST_DEPTH = 20
const MOST_COMPARED = 1_000
/** References could be cyclic, and no published form resolves them. Ids are global. */
const NAMES_A_SCHEMA = /^\$(ref|dynamicRef|recursiveRef|id|anchor|dynamicAnchor)$/

export function checkSchema(schema: unknown, path: readonly string[], report: Report): void {
  if (typeof schema !== 'object' || schema === null) return
  if (path.length > MOST_DEPTH) return report('is nested too deeply', ...path)
  const { pattern, maxLength, patternProperties, uniqueItems, maxItems } = schema as Readonly<
    Record<string, unknown>
  >
  const slow =
    'could take long to match: begin with ^, repeat no part that can match a text in several ways, and set a low "maxLength"'
  if (typeof pattern === 'string' && isSlowPattern(pattern, maxLength))
    report(slow, ...path, 'pattern')
  for (const name of Object.keys(patternProperties ?? {}))
    if (isSlowPattern(name, undefined)) report(slow, ...path, 'patternProperties', name)
  if (uniqueItems === true && !(typeof maxItems === 'number' && maxItems <= MOST_COMPARED))
    report(`needs "maxItems" of at most ${MOST_COMPARED}`, ...path, 'uniqueItems')
  for (const [name, part] of Object.entries(schema))
    if (NAMES_A_SCHEMA.test(name) && typeof part === 'string')
      report('is not supported: write the schema there', ...path, name)
    else checkSchema(part, [...path, name], report)
}

/** Whether a value that fits the schema can be an object. */
export function canBeObject(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return schema !== false
  const {
    type,
    anyOf,
    oneOf,
    enum: values,
    const: value,
  } = schema as Readonly<Record<string, unknown>>
  if (type !== undefined) return [type].flat().includes('object')
  if (value !== undefined) return typeof value === 'object'
  if (Array.isArray(values)) return values.some((one) => typeof one === 'object')
  const branches = anyOf ?? oneOf
  return Array.isArray(branches) ? branches.some(canBeObject) : true
}
