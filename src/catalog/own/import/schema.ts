/** Turns a schema of a document into the JSON Schema of an own action: no references, strict, bounded. */
import { fieldsOf, isFields, type Fields } from '../../../lib/json-fields.ts'
import { isSlowPattern } from '../slow-pattern.ts'
import { asText } from './as-text.ts'
import { deref, refOf, type Document } from './document.ts'
import { mergeSchemas } from './merge-schemas.ts'
import { Refusal } from './refusal.ts'

const MOST_TURNS = 4
const DEEPEST = 7
const MOST_NODES = 3_000
const MOST_BRANCHES = 32
const MOST_COMPARED = 1_000
const LONGEST_DESCRIPTION = 300

/** Keywords that apply to one type. The validator rejects them next to another type. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['minItems', 'maxItems', 'uniqueItems', 'items'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
}
const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']

/** Examples and formats of the document, which are no part of a converted schema. */
export type Hints = WeakMap<object, { readonly example?: unknown; readonly format?: string }>

export type Conversion = {
  readonly document: Document
  readonly hints: Hints
  /** Answers are described loosely: their validation is not the gateway's. */
  readonly isAnswer: boolean
  /** Takes each constraint that the action leaves out. */
  readonly note: (text: string) => void
}

/** Throws Refusal for references to other documents and for too many alternatives. */
export function convertSchema(schema: unknown, conversion: Conversion): Fields {
  const { document, hints, isAnswer, note } = conversion
  let nodes = 0
  return convert(schema, [])

  function convert(value: unknown, stack: readonly string[], depth = 0): Fields {
    nodes += 1
    if (!isFields(value)) return {}
    if (depth > DEEPEST || nodes > MOST_NODES) {
      if (!isAnswer) note('parts nested too deeply accept any value')
      return {}
    }
    const reference = refOf(value)
    if (reference === undefined) return convertOwn(value, stack, depth)
    if (
      stack.filter((one) => one === reference).length >= MOST_TURNS ||
      (isAnswer && stack.includes(reference))
    )
      return {}
    const { $ref: _, ...siblings } = value
    const found = fieldsOf(deref(document, { $ref: reference }))
    const next = [...stack, reference]
    const { description } = siblings
    const own = convertOwn(found, next, depth)
    return typeof description === 'string' ? keepHints(own, describe(own, description)) : own
  }

  function convertOwn(value: Fields, stack: readonly string[], depth: number): Fields {
    const types = typesOf(value)
    const base: Record<string, unknown> = {}
    if (types.length > 0) base['type'] = types.length === 1 ? types[0] : types
    for (const [type, keywords] of Object.entries(KEYWORDS))
      if (types.includes(type) || (type === 'number' && types.includes('integer')))
        for (const keyword of keywords)
          if (value[keyword] !== undefined) convertKeyword(keyword, value, base, stack, depth)
    if (types.includes('array') && value['items'] === undefined) base['items'] = {}
    convertValues(value, types, base)
    if (typeof value['title'] === 'string' && isAnswer) base['title'] = value['title']
    const described = describe(base, value['description'])
    remember(described, value)
    return combine(described, value, stack, depth)
  }

  function remember(
    converted: Fields,
    { example, examples, format, default: preset }: Fields,
  ): void {
    const first: unknown = Array.isArray(examples) ? examples[0] : undefined
    const shown = example ?? first ?? preset
    hints.set(converted, {
      ...(shown === undefined ? {} : { example: shown }),
      ...(typeof format === 'string' ? { format } : {}),
    })
  }

  function keepHints(from: Fields, to: Fields): Fields {
    hints.set(to, hints.get(from) ?? {})
    return to
  }

  function convertKeyword(
    keyword: string,
    value: Fields,
    base: Record<string, unknown>,
    stack: readonly string[],
    depth: number,
  ): void {
    const given = value[keyword]
    const inner = (part: unknown): Fields => convert(part, stack, depth + 1)
    if (keyword === 'properties') {
      const parts = Object.entries(fieldsOf(given)).filter(
        ([, part]) => isAnswer || fieldsOf(part)['readOnly'] !== true,
      )
      base[keyword] = Object.fromEntries(parts.map(([name, part]) => [name, inner(part)]))
    } else if (keyword === 'required') {
      const names = Array.isArray(given) ? given.map(asText) : []
      const known = fieldsOf(value['properties'])
      const sent = names.filter((name) => isAnswer || fieldsOf(known[name])['readOnly'] !== true)
      if (sent.length > 0) base[keyword] = [...new Set(sent)]
    } else if (keyword === 'additionalProperties') {
      base[keyword] = isFields(given) ? inner(given) : given === true
    } else if (keyword === 'items') {
      base[keyword] = isFields(given) ? inner(given) : {}
    } else if (keyword === 'pattern') {
      convertPattern(given, value, base)
    } else if (keyword === 'uniqueItems') {
      if (given === true && Number(value['maxItems'] ?? Infinity) <= MOST_COMPARED)
        base[keyword] = true
    } else if (keyword.startsWith('exclusive')) {
      const bound = keyword === 'exclusiveMinimum' ? value['minimum'] : value['maximum']
      if (typeof given === 'number') base[keyword] = given
      else if (given === true && typeof bound === 'number') base[keyword] = bound
    } else if (typeof given === 'number' && Number.isFinite(given) && isBound(keyword, given))
      base[keyword] = given
  }

  function convertPattern(pattern: unknown, value: Fields, base: Record<string, unknown>): void {
    if (isAnswer || typeof pattern !== 'string') return
    if (isSlowPattern(pattern, value['maxLength']))
      note(`the pattern ${pattern} can take long and is left out`)
    else if (!isPattern(pattern)) note(`the pattern ${pattern} is invalid and is left out`)
    else base['pattern'] = pattern
  }

  function combine(base: Fields, value: Fields, stack: readonly string[], depth: number): Fields {
    const parts = Array.isArray(value['allOf']) ? value['allOf'] : []
    const whole = parts.reduce<Fields>((merged, part) => {
      const next = convert(part, stack, depth)
      const both = mergeSchemas(merged, next)
      hints.set(both, { ...hints.get(next), ...hints.get(merged) })
      return both
    }, base)
    const branches = [value['oneOf'], value['anyOf']].find((list) => Array.isArray(list)) as
      | readonly unknown[]
      | undefined
    if (branches === undefined || branches.length === 0) return whole
    if (branches.length > MOST_BRANCHES && !isAnswer)
      throw new Refusal(`has a choice of more than ${MOST_BRANCHES} schemas`)
    const { description, ...shared } = whole
    const converted = branches.slice(0, MOST_BRANCHES).map((branch) => {
      const own = convert(branch, stack, depth)
      const both = mergeSchemas(shared, mergeSchemas(own, constantOf(branch, value)))
      return keepHints(own, both)
    })
    const [only] = converted
    const chosen =
      converted.length === 1 && only !== undefined
        ? describe(only, description ?? only['description'])
        : describe({ anyOf: converted }, description)
    hints.set(chosen, { ...hints.get(only ?? {}), ...hints.get(whole) })
    return chosen
  }

  /** The value that chooses this branch. */
  function constantOf(branch: unknown, { discriminator }: Fields): Fields {
    const { propertyName, mapping } = fieldsOf(discriminator)
    const reference = refOf(branch)
    if (typeof propertyName !== 'string' || reference === undefined) return {}
    const name = reference.split('/').at(-1) ?? ''
    const named = Object.entries(fieldsOf(mapping)).find(
      ([, to]) => to === reference || to === name,
    )
    const constant = { type: 'string', const: named?.[0] ?? name }
    return { type: 'object', properties: { [propertyName]: constant }, required: [propertyName] }
  }
}

function typesOf(value: Fields): readonly string[] {
  const { type, nullable, 'x-nullable': extended } = value
  const given = [type]
    .flat()
    .map(asText)
    .filter((one) => TYPES.includes(one))
  const listed = given.length > 0 ? given : inferred(value)
  const isNullable = listed.length > 0 && (nullable === true || extended === true)
  return [...new Set(isNullable ? [...listed, 'null'] : listed)]
}

function inferred(value: Fields): readonly string[] {
  const found = Object.entries(KEYWORDS).find(([, keywords]) =>
    keywords.some((keyword) => value[keyword] !== undefined),
  )
  return found === undefined ? [] : [found[0]]
}

function convertValues(
  value: Fields,
  types: readonly string[],
  base: Record<string, unknown>,
): void {
  const { enum: values, const: constant } = value
  if (constant !== undefined) base['const'] = constant
  if (!Array.isArray(values) || values.length === 0 || constant !== undefined) return
  const unique = [...new Map(values.map((one) => [JSON.stringify(one), one as unknown])).values()]
  base['enum'] = types.includes('null') && !unique.includes(null) ? [...unique, null] : unique
}

function isBound(keyword: string, given: number): boolean {
  if (keyword === 'multipleOf') return given > 0
  return /^(min|max)imum$/.test(keyword) || (Number.isSafeInteger(given) && given >= 0)
}

function isPattern(pattern: string): boolean {
  try {
    void new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

function describe(schema: Fields, description: unknown): Fields {
  if (typeof description !== 'string' || description.trim() === '') return schema
  return { ...schema, description: clip(description, LONGEST_DESCRIPTION) }
}

/** The first of these values that is text with content. */
export function firstText(...values: readonly unknown[]): string {
  const found = values.find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof found === 'string' ? found : ''
}

/** Text on one line, cut to this many characters. */
export function clip(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
