/** Makes a value that fits a converted schema: the example of an action, and its simulated answers. */
import { fieldsOf, isFields, type Fields } from '../../../lib/json-fields.ts'
import { asText } from './as-text.ts'
import type { Hints } from './schema.ts'
import { textForPattern } from './text-for-pattern.ts'

const DEEPEST = 8
const LONGEST_EXAMPLE = 20_000
const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-15',
  'date-time': '2026-01-15T12:00:00Z',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'person@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uuid: '00000000-0000-4000-8000-000000000001',
  byte: 'ZXhhbXBsZQ==',
}
/** `isWhole`: with all properties instead of the required ones. */
export function sampleOf(schema: Fields, hints: Hints, isWhole: boolean, depth = 0): unknown {
  const { example, format } = hints.get(schema) ?? {}
  if (example !== undefined && isShort(example) && hasType(example, schema)) return example
  if (schema['const'] !== undefined) return schema['const']
  const values = schema['enum']
  if (Array.isArray(values)) return values[0] as unknown
  if (Array.isArray(schema['anyOf']))
    return sampleOf(fieldsOf(schema['anyOf'][0]), hints, isWhole, depth)
  const [type] = [schema['type']].flat()
  const inner = (part: unknown): unknown => sampleOf(fieldsOf(part), hints, isWhole, depth + 1)
  if (type === 'object') {
    if (depth > DEEPEST) return {}
    const properties = fieldsOf(schema['properties'])
    const required = Array.isArray(schema['required']) ? schema['required'].map(asText) : []
    const names = isWhole ? Object.keys(properties) : required
    return Object.fromEntries(names.map((name) => [name, inner(properties[name])]))
  }
  if (type === 'array') {
    const least = Number(schema['minItems'] ?? 0)
    const count = depth > DEEPEST ? 0 : Math.min(Math.max(least, isWhole ? 1 : 0), 100)
    return Array.from({ length: count }, () => inner(schema['items']))
  }
  if (type === 'integer' || type === 'number') return numberFor(schema)
  if (type === 'boolean') return true
  if (type === 'null') return null
  return type === 'string' || depth > 0 || !isFields(schema) ? textFor(schema, format) : 'example'
}

/** Documents give examples of other types, such as "7" for a number. */
function hasType(value: unknown, { type, enum: values }: Fields): boolean {
  if (Array.isArray(values)) return values.includes(value)
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const isWhole = Number.isInteger(value)
  return (
    type === undefined || [type].flat().some((one) => one === own || (one === 'integer' && isWhole))
  )
}

function isShort(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').length <= LONGEST_EXAMPLE
}

function numberFor({ minimum, maximum, exclusiveMinimum, multipleOf }: Fields): number {
  const step = typeof multipleOf === 'number' ? multipleOf : 1
  const above = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + step : -Infinity
  const least = Math.max(typeof minimum === 'number' ? minimum : -Infinity, above)
  const wanted = Math.max(step, least)
  const most = typeof maximum === 'number' ? maximum : Infinity
  return wanted > most ? most : Math.ceil(wanted / step) * step
}

function textFor({ minLength, maxLength, pattern }: Fields, format: string | undefined): string {
  const least = typeof minLength === 'number' ? minLength : 0
  const most = typeof maxLength === 'number' ? maxLength : Infinity
  const known = format === undefined ? undefined : FORMATS[format]
  const form = typeof pattern === 'string' ? new RegExp(pattern, 'u') : null
  const made = typeof pattern === 'string' ? textForPattern(pattern) : null
  const candidates = [known, 'example', made, ...Object.values(FORMATS)].filter(
    (text) => text !== undefined && text !== null,
  )
  const fits = candidates.find(
    (text) => text.length >= least && text.length <= most && (form === null || form.test(text)),
  )
  return fits ?? 'example'.padEnd(Math.min(least, LONGEST_EXAMPLE), 'e').slice(0, Math.max(0, most))
}
