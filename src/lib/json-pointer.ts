/** JSON Pointers (RFC 6901): "/rows/0/name", and "" for the whole value. */

export const JSON_POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/

/** The value at the pointer; undefined if it does not exist. Never throws. */
export function readPointer(value: unknown, pointer: string): unknown {
  let found = value
  for (const part of partsOf(pointer)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
    if (Array.isArray(found) && !/^(?:0|[1-9]\d*)$/.test(part)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[part]
  }
  return found
}

/** The names and indexes of a pointer, unescaped. */
export function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function joinPointer(pointer: string, part: string | number): string {
  return `${pointer}/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
