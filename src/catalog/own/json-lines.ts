import type { Fault } from './faults.ts'
import { joinPointer } from './json-pointer.ts'

export type JsonLines = {
  /** The line of the value at the pointer, from 1. Without such a value, that of the nearest value around it. */
  lineOf(pointer: string): number
  /** Members that programs read differently: of names that occur twice, `JSON.parse` keeps only the last. */
  readonly faults: readonly Fault[]
}

/** Takes valid JSON that is nested at most a few hundred levels deep. */
export function indexLines(text: string): JsonLines {
  const lines = new Map<string, number>()
  const faults: Fault[] = []
  let [at, line] = [0, 1]

  function skipBlanks(): void {
    for (; at < text.length && /\s/.test(text.charAt(at)); at += 1)
      if (text.charAt(at) === '\n') line += 1
  }

  function readText(): string {
    const start = at
    at += 1
    while (text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1
    at += 1
    return JSON.parse(text.slice(start, at)) as string
  }

  function readMembers(pointer: string, isObject: boolean): void {
    const names = new Set<string>()
    at += 1
    for (let index = 0; ; index += 1) {
      skipBlanks()
      if (text.charAt(at) === '}' || text.charAt(at) === ']') break
      const name = isObject ? readText() : String(index)
      const own = joinPointer(pointer, name)
      if (names.has(name)) faults.push({ pointer: own, problem: 'occurs twice in its object' })
      if (name === '__proto__')
        faults.push({ pointer: own, problem: 'is not a name that JSON files may use' })
      names.add(name)
      skipBlanks()
      if (isObject) at += 1
      readValue(own)
      skipBlanks()
      if (text.charAt(at) === ',') at += 1
    }
    at += 1
  }

  function readValue(pointer: string): void {
    skipBlanks()
    lines.set(pointer, line)
    const first = text.charAt(at)
    if (first === '{' || first === '[') readMembers(pointer, first === '{')
    else if (first === '"') readText()
    else while (at < text.length && !/[\s,\]}]/.test(text.charAt(at))) at += 1
  }

  readValue('')
  return {
    faults,
    lineOf(pointer) {
      let around = pointer
      while (!lines.has(around) && around !== '') around = around.slice(0, around.lastIndexOf('/'))
      return lines.get(around) ?? 1
    },
  }
}
