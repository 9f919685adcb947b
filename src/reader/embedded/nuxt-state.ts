/**
 * Reads the state that Nuxt 2 writes into a page as a call:
 * `window.__NUXT__=(function(a,b){a.x=b;return {…}}("…",1))`. The call is read, never run.
 */
import { readArguments, readReturned } from './object-literal.ts'
import { endOfValue } from './value-end.ts'

const CALL = /window\.__NUXT__\s{0,9}=\s{0,9}\(?function\s{0,9}\(([\w$,\s]*)\)\s{0,9}(?=\{)/
const OPENING = /^\s{0,9}\)?\s{0,9}\(/

/** Undefined for scripts without such a call. */
export function nuxtState(script: string): unknown {
  if (!script.includes('__NUXT__')) return undefined
  const call = CALL.exec(script)
  if (call === null) return undefined
  const from = call.index + call[0].length
  const end = endOfValue(script, from)
  const opening = OPENING.exec(script.slice(end, end + 30))
  if (opening === null) return undefined
  const values = readArguments(script.slice(end + opening[0].length))
  const names = (call[1] ?? '').split(',').map((name) => name.trim())
  return readReturned(
    script.slice(from + 1, end - 1),
    new Map(names.map((name, at) => [name, values[at]])),
  )
}
