/** Paths in an input and in its schema. */
import { partsOf } from '../../lib/json-pointer.ts'
import type { Schema } from './expectation.ts'

/** Turns "/urls/2/name" into "urls[2].name". */
export function toPath(pointer: string): string {
  return partsOf(pointer).reduce(
    (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : joinPath(path, part)),
    '',
  )
}

export function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** The description of the value at this path, or of the nearest list or object around it. */
export function nearestDescription(root: Schema, pointer: string): string | undefined {
  let schema: Schema = root
  let nearest: string | undefined
  for (const part of pointer.split('/').slice(1)) {
    schema = /^\d+$/.test(part) ? ((schema['items'] ?? {}) as Schema) : propertyOf(schema, part)
    if (typeof schema['description'] === 'string') nearest = schema['description']
  }
  return nearest
}

export function propertyOf(schema: Schema, name: string): Schema {
  return ((schema['properties'] ?? {}) as Record<string, Schema>)[name] ?? {}
}
