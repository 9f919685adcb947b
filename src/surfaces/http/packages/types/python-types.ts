/** Writes JSON Schemas of the catalog as types of Python. */
import type { JsonSchema } from '../../../../catalog/published/json-schema.ts'

type Schema = JsonSchema & {
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
}
type Fields = Readonly<Record<string, JsonSchema>>

export type ClassOptions = {
  /** A TypedDict whose fields the class has, too. */
  readonly base?: string
  /** Leaves out the descriptions of fields. */
  readonly isBrief?: boolean
}

export type PythonTypes = {
  /** The type of a value. `name` is the name of its class, if it needs one. */
  write(schema: Schema, name: string): string
  /** Adds a TypedDict and returns its name. Equal classes exist once. */
  addClass(name: string, schema: Schema, options?: ClassOptions): string
  /** The classes so far. */
  text(): string
}

const ANY_OBJECT = 'Dict[str, Any]'
const TYPES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}
export const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

export function createPythonTypes(): PythonTypes {
  const classes: string[] = []
  const names = new Map<string, string>()
  const taken = new Set<string>()

  function write(schema: Schema, name: string): string {
    if (schema.const !== undefined) return writeLiterals([schema.const])
    if (schema.enum !== undefined) return writeLiterals(schema.enum)
    // Alternatives next to fields state which of the fields are required together.
    const choices = schema.properties === undefined ? (schema.anyOf ?? schema.oneOf) : undefined
    if (choices !== undefined) return writeUnion(choices.map((choice) => write(choice, name)))
    const { type } = schema
    if (Array.isArray(type))
      return writeUnion(
        (type as readonly string[]).map((one) => write({ ...schema, type: one }, name)),
      )
    if (type === 'array')
      return `List[${schema.items === undefined ? 'Any' : write(schema.items, singular(name))}]`
    if (type === 'object' || schema.properties !== undefined) return writeObject(schema, name)
    return TYPES[type as string] ?? 'Any'
  }

  function writeObject(schema: Schema, name: string): string {
    if (Object.keys(schema.properties ?? {}).length > 0) return addClass(name, schema)
    const values = Object.values(schema.patternProperties ?? {})
    const more = schema.additionalProperties
    if (typeof more === 'object') values.push(more)
    return values.length === 0
      ? ANY_OBJECT
      : `Dict[str, ${writeUnion(values.map((value) => write(value, name)))}]`
  }

  function addClass(name: string, schema: Schema, options: ClassOptions = {}): string {
    const { properties = {}, required = [] } = schema
    const body = Object.keys(properties).every(isName)
      ? writeFields(properties, required, name, options)
      : writeItems(properties, required, name)
    const former = names.get(`${options.base ?? ''}\n${body}`)
    if (former !== undefined) return former
    const free = freeName(name)
    names.set(`${options.base ?? ''}\n${body}`, free)
    classes.push(
      body.startsWith('{')
        ? `${free} = TypedDict(${JSON.stringify(free)}, ${body})\n`
        : `class ${free}(${options.base ?? 'TypedDict'}):\n${body}`,
    )
    return free
  }

  function writeFields(
    fields: Fields,
    required: readonly string[],
    owner: string,
    { isBrief = false }: ClassOptions,
  ): string {
    const lines = Object.entries(fields).map(([name, field]) => {
      const type = write(field, `${owner}${toClassName(name)}`)
      const optional = required.includes(name) ? type : `NotRequired[${type}]`
      return `    ${name}: ${optional}\n${isBrief ? '' : writeDocstring(field.description, '    ')}`
    })
    return lines.length === 0 ? '    ...\n' : lines.join('')
  }

  /** For names that a class cannot have. */
  function writeItems(fields: Fields, required: readonly string[], owner: string): string {
    const items = Object.entries(fields).map(([name, field]) => {
      const type = write(field, `${owner}${toClassName(name)}`)
      return `${JSON.stringify(name)}: ${required.includes(name) ? type : `NotRequired[${type}]`}`
    })
    return `{${items.join(', ')}}`
  }

  function freeName(name: string): string {
    let free = name
    for (let number = 2; taken.has(free); number += 1) free = `${name}${number}`
    taken.add(free)
    return free
  }

  return { write, addClass, text: () => classes.join('\n') }
}

function isName(name: string): boolean {
  return /^(?!__)[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name)
}

export function writeDocstring(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return ''
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"')
  // A quotation mark at the end would end the text early.
  return `${indent}"""${escaped.replace(/"$/, '\\"')}"""\n`
}

/** `onescrape-deep` becomes `OnescrapeDeep`. */
export function toClassName(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

function singular(name: string): string {
  return /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`
}

function writeLiterals(values: readonly unknown[]): string {
  const isWritable = values.every(
    (value) =>
      typeof value === 'string' ||
      Number.isInteger(value) ||
      typeof value === 'boolean' ||
      value === null,
  )
  return isWritable ? `Literal[${values.map(writeLiteral).join(', ')}]` : 'Any'
}

function writeLiteral(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

function writeUnion(types: readonly string[]): string {
  const unique = [...new Set(types)]
  if (unique.includes('Any')) return 'Any'
  const [first = 'Any'] = unique
  if (unique.length === 1) return first
  const others = unique.filter((type) => type !== 'None')
  const union = others.length === 1 ? `${others[0]}` : `Union[${others.join(', ')}]`
  return others.length === unique.length ? union : `Optional[${union}]`
}
