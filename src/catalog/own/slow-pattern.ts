/**
 * Whether a regular expression can take long. The engine of JavaScript tries every way to divide a text among
 * repetitions, so a check by one takes seconds for hostile text, during which every other call waits.
 */

import { matchesOneWay } from './one-way-pattern.ts'

/** A body has at most this many characters. */
const LONGEST_TEXT = 1024 * 1024
const MOST_WAYS = 1_000_000
/** The flag `u` of the validator permits only these in front of a character. */
const GROUP = /^\((?:\?:|\?<[A-Za-z_]\w*>)?/
const UNBOUNDED = /^(?:\(\?[=!<]|\\[1-9k])/
const ATOM = /^(?:\[(?:\\[^]|[^\]\\])*\]|\\u\{[^}]*\}|\\[pP]\{[^}]*\}|\\[^]|[^])/
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/

/** `maxLength`: of the text. Without a number the text is as long as a body. */
export function isSlowPattern(pattern: string, maxLength: unknown): boolean {
  const length = typeof maxLength === 'number' ? Math.min(maxLength, LONGEST_TEXT) : LONGEST_TEXT
  if (matchesOneWay(pattern)) return false
  const ways = countWays(pattern, Math.max(1, length))
  return ways === null || ways > MOST_WAYS
}

/** How many ways at most there are to match a text. Null if no product bounds them. */
function countWays(pattern: string, length: number): number | null {
  let rest = pattern
  let ways: number | null = readAlternatives()
  if (rest !== '') return null
  if (!pattern.startsWith('^') || hasAlternative(pattern))
    ways = ways === null ? null : ways * length
  return ways

  function readAlternatives(): number | null {
    let [sum, product]: [number | null, number | null] = [0, 1]
    while (rest !== '' && !rest.startsWith(')')) {
      if (rest.startsWith('|')) {
        rest = rest.slice(1)
        sum = sum === null || product === null ? null : sum + product
        product = 1
        continue
      }
      const part = readPart()
      product = part === null || product === null ? null : product * part
    }
    return sum === null || product === null ? null : sum + product
  }

  function readPart(): number | null {
    if (UNBOUNDED.test(rest) && !/^\(\?<[A-Za-z_]/.test(rest)) {
      rest = rest.slice(1)
      return null
    }
    const [opening] = GROUP.exec(rest) ?? []
    if (opening === undefined) {
      rest = rest.slice(ATOM.exec(rest)?.[0].length ?? 1)
      return choicesOf(readQuantifier())
    }
    rest = rest.slice(opening.length)
    const inner = readAlternatives()
    rest = rest.slice(1)
    const [least, most] = readQuantifier()
    if (inner === null) return null
    // A repeated group with one way to match divides a text like a repeated character.
    if (inner === 1 || most <= 1) return inner * choicesOf([least, most])
    return inner ** most * choicesOf([least, most])
  }

  function readQuantifier(): readonly [number, number] {
    const [text, low, comma, high] = QUANTIFIER.exec(rest) ?? []
    if (text === undefined) return [1, 1]
    rest = rest.slice(text.length)
    if (text.startsWith('?')) return [0, 1]
    if (low === undefined) return [0, length]
    const least = Number(low)
    return [least, comma === undefined ? least : high ? Number(high) : least + length]
  }

  function choicesOf([least, most]: readonly [number, number]): number {
    return Math.min(most - least + 1, length + 1)
  }
}

/** Whether a part of the pattern may begin anywhere although the pattern begins with "^". */
function hasAlternative(pattern: string): boolean {
  return pattern.replaceAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|\([^()]*\)/g, '').includes('|')
}
