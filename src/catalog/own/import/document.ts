/** Reads an OpenAPI document of version 2.0 to 3.2. References are resolved where they are used, never as a whole. */
import { fieldsOf, isFields, listedFields, type Fields } from '../../../lib/json-fields.ts'
import { readPointer } from '../../../lib/json-pointer.ts'
import { asText } from './as-text.ts'
import { toModern } from './modernize.ts'
import type { Operation } from './operation.ts'
import { Refusal } from './refusal.ts'

export const MOST_DOCUMENT_BYTES = 32 * 1024 * 1024
const MOST_REFERENCES = 200_000
const LONGEST_CHAIN = 20
const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace', 'query']

export type Document = {
  readonly root: Fields
  readonly isSwagger: boolean
}

/** Throws Refusal for text that is no supported document. */
export function readDocument(text: string): Document {
  if (Buffer.byteLength(text) > MOST_DOCUMENT_BYTES)
    throw new Refusal('The document is larger than 32 MiB.')
  if (text.split('"$ref"', MOST_REFERENCES + 2).length > MOST_REFERENCES + 1)
    throw new Refusal(`The document has more than ${MOST_REFERENCES} references.`)
  const root = parse(text)
  const { swagger, openapi, info } = root
  if (swagger !== '2.0' && !/^3\.[0-2](\.|$)/.test(asText(openapi)))
    throw new Refusal(
      'The document must have "swagger": "2.0", or "openapi" with a version from 3.0 to 3.2.',
    )
  if (!isFields(info) || !isFields(root['paths']))
    throw new Refusal('The document has no "info" or no "paths".')
  return { root, isSwagger: swagger === '2.0' }
}

function parse(text: string): Fields {
  try {
    const root: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (isFields(root)) return root
  } catch {
    // The message of the engine quotes the text, which may be of any length.
  }
  throw new Refusal(
    /^\s*[{[]/.test(text)
      ? 'The document is not a JSON object.'
      : 'The document is not JSON. Convert YAML first: npx yaml --json --single < openapi.yaml > openapi.json',
  )
}

/** Follows references within the document. Throws Refusal for any other. */
export function deref({ root }: Document, value: unknown): unknown {
  let found = value
  for (let hops = 0; hops <= LONGEST_CHAIN; hops += 1) {
    const reference = refOf(found)
    if (reference === undefined) return found
    found = target(root, reference)
  }
  throw new Refusal('has references that never end')
}

export function refOf(value: unknown): string | undefined {
  const reference = isFields(value) ? value['$ref'] : undefined
  return typeof reference === 'string' ? reference : undefined
}

function target(root: Fields, reference: string): unknown {
  const own = typeof root['$self'] === 'string' ? root['$self'] : ''
  const local =
    own !== '' && reference.startsWith(`${own}#`) ? reference.slice(own.length) : reference
  if (!local.startsWith('#'))
    throw new Refusal(
      `refers to another document, "${shorten(reference)}": bundle the files into one`,
    )
  const found = readPointer(root, decode(local.slice(1)))
  if (found === undefined)
    throw new Refusal(`refers to "${shorten(reference)}", which does not exist`)
  return found
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/** `refused`: operations that cannot even be read, by name with the reason. */
export function listOperations(document: Document, refused: Map<string, string>): Operation[] {
  return Object.entries(fieldsOf(document.root['paths'])).flatMap(([path, value]) => {
    if (path.startsWith('x-')) return []
    try {
      return operationsAt(document, path, fieldsOf(deref(document, value)), refused)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.set(path, error.message)
      return []
    }
  })
}

function operationsAt(
  document: Document,
  path: string,
  item: Fields,
  refused: Map<string, string>,
): Operation[] {
  const named = METHODS.map((method) => [method, item[method]] as const)
  const others = Object.entries(fieldsOf(item['additionalOperations']))
  return [...named, ...others].flatMap(([method, value]) => {
    if (!isFields(value)) return []
    const name = `${method.toUpperCase()} ${path}`
    try {
      const own = listOf(document, value['parameters'])
      const shared = listOf(document, item['parameters']).filter(
        (one) => !own.some((other) => other['name'] === one['name'] && other['in'] === one['in']),
      )
      const operation = {
        name,
        id: typeof value['operationId'] === 'string' ? value['operationId'] : '',
        method: method.toUpperCase(),
        path,
        fields: value,
        parameters: [...shared, ...own],
        servers: listedFields(value['servers'] ?? item['servers']),
      }
      return [document.isSwagger ? toModern(operation, document.root) : operation]
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.set(name, error.message)
      return []
    }
  })
}

function listOf(document: Document, value: unknown): Fields[] {
  return Array.isArray(value) ? value.map((one) => fieldsOf(deref(document, one))) : []
}
