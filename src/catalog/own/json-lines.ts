import type { Fault } from './faults.ts'
import { joinPointer } from '../../lib/json-pointer.ts'

export type JsonLines = {
  /** The line of the value at the pointer, from 1. Without such a value, that of the nearest value around it. */
  lineOf(pointer: string): number
  /** Members that programs read differently: of names that occur twice, `JSON.parse` keeps only the last. */
  readonly faults: readonly Fault[]
}

/** Takes valid JSON that is nested at most a few hundred levels deep. Finds lines only when the first is requested. */
export function indexLines(text: string): JsonLines {
  const faults: Fault[] = []
  const report = (path: readonly string[], problem: string): void =>
    void faults.push({ pointer: path.reduce<string>(joinPointer, ''), problem })
  walk(text, { report })
  let lines: Map<string, number> | undefined
  return {
    faults,
    lineOf(pointer) {
      if (lines === undefined) {
        const found = new Map<string, number>()
        walk(text, { visit: (path, line) => found.set(path.reduce<string>(joinPointer, ''), line) })
        lines = found
      }
      let around = pointer
      while (!lines.has(around) && around !== '') around = around.slice(0, around.lastIndexOf('/'))
      return lines.get(around) ?? 1
    },
  }
}

type Visitor = {
  readonly visit?: (path: readonly string[], line: number) => void
  readonly report?: (path: readonly string[], problem: string) => void
}

const [NEW_LINE, QUOTE, COMMA, BACKSLASH] = [10, 34, 44, 92]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]
const SPACE = 32

function walk(text: string, { visit, report }: Visitor): void {
  const path: string[] = []
  let [at, line] = [0, 1]
  readValue()

  /** JSON has no other characters up to the space. */
  function skipBlanks(): void {
    for (; text.charCodeAt(at) <= SPACE; at += 1) if (text.charCodeAt(at) === NEW_LINE) line += 1
  }

  function skipText(): void {
    at += 1
    while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
    at += 1
  }

  function readName(): string {
    const start = at
    skipText()
    return JSON.parse(text.slice(start, at)) as string
  }

  function readMembers(isObject: boolean): void {
    const names = new Set<string>()
    at += 1
    for (let index = 0; ; index += 1) {
      skipBlanks()
      const first = text.charCodeAt(at)
      if (first === CLOSE_OBJECT || first === CLOSE_LIST) break
      const name = isObject ? readName() : String(index)
      path.push(name)
      if (isObject) {
        if (names.has(name)) report?.(path, 'occurs twice in its object')
        if (name === '__proto__') report?.(path, 'is not a name that JSON files may use')
        names.add(name)
        skipBlanks()
        at += 1
      }
      readValue()
      path.pop()
      skipBlanks()
      if (text.charCodeAt(at) === COMMA) at += 1
    }
    at += 1
  }

  function readValue(): void {
    skipBlanks()
    visit?.(path, line)
    const first = text.charCodeAt(at)
    if (first === OPEN_OBJECT || first === OPEN_LIST) readMembers(first === OPEN_OBJECT)
    else if (first === QUOTE) skipText()
    else while (isOfWord(text.charCodeAt(at))) at += 1
  }
}

/** Of a number, `true`, `false` or `null`. False at the end of the text. */
function isOfWord(code: number): boolean {
  return code > SPACE && code !== COMMA && code !== CLOSE_LIST && code !== CLOSE_OBJECT
}
