/** Reads the rows that React's server components stream into a page: `self.__next_f.push([1, "…"])`. */
import { parseJson } from './linked-data.ts'

const PUSH = /^\s*\(?self\.__next_f\s*=?[^;]{0,60}push\(\s*(\[1,[^]*\])\s*\)\s*;?\s*$/
const ROW = /^[0-9a-f]*:/
const TEXT_ROW = /^T([0-9a-f]+),/

/** The chunk of the stream in a script; empty for other scripts. */
export function flightChunk(script: string): string {
  if (!script.includes('__next_f')) return ''
  const chunk = parseJson(PUSH.exec(script)?.[1] ?? 'null')
  return Array.isArray(chunk) && typeof chunk[1] === 'string' ? chunk[1] : ''
}

/** The values of all rows. Text rows state their length in bytes; the others end with their line. */
export function* flightValues(stream: string): Generator {
  const bytes = Buffer.from(stream)
  for (let at = 0; at < bytes.length;) {
    const start = bytes.toString('utf8', at, Math.min(bytes.length, at + 40))
    const id = ROW.exec(start)?.[0] ?? ''
    const size = id === '' ? undefined : TEXT_ROW.exec(start.slice(id.length))
    if (size === undefined || size === null) {
      const newline = bytes.indexOf(10, at)
      const end = newline === -1 ? bytes.length : newline
      const row = bytes.toString('utf8', at + id.length, end)
      if (/^[[{]/.test(row)) yield parseJson(row)
      at = end + 1
    } else {
      const from = at + id.length + size[0].length
      at = from + Number.parseInt(size[1] ?? '0', 16)
      yield [bytes.toString('utf8', from, at)]
    }
  }
}
