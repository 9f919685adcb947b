/**
 * Splits a text into the pieces of o200k_base (tiktoken_ext/openai_public.py of tiktoken 0.14).
 * Hand-written, because this regular expression would take most of the time of a count:
 *
 *   1 [^\r\n\p{L}\p{N}]?[capital]*[small]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?   capital: \p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}
 *   2 [^\r\n\p{L}\p{N}]?[capital]+[small]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?   small:   \p{Ll}\p{Lm}\p{Lo}\p{M}
 *   3 \p{N}{1,3}
 *   4  ?[^\s\p{L}\p{N}]+[\r\n/]*
 *   5 \s*[\r\n]+
 *   6 \s+(?!\S)
 *   7 \s+
 *
 * \s is White_Space: with U+0085, without U+FEFF.
 */
const [OTHER, UPPER, LOWER, BOTH, MARK, NUMBER, BLANK, BREAK] = [0, 1, 2, 3, 4, 5, 6, 7]

const SPACE = 0x20
/** Matches an s when case is ignored. */
const LONG_S = 0x17f

const PLANE_SIZE = 0x1_0000
const CLASSES: readonly (readonly [RegExp, number])[] = [
  [/[\p{Lu}\p{Lt}]+/gu, UPPER],
  [/\p{Ll}+/gu, LOWER],
  [/[\p{Lm}\p{Lo}]+/gu, BOTH],
  [/\p{M}+/gu, MARK],
  [/\p{N}+/gu, NUMBER],
  [/\p{White_Space}+/gu, BLANK],
  [/[\r\n]+/gu, BREAK],
]

/** The class of each character of a plane, read on first use. */
const planes = new Map<number, Uint8Array>()

function readPlane(plane: number): Uint8Array {
  const classes = new Uint8Array(PLANE_SIZE)
  const characters: string[] = []
  // Surrogate halves are not characters; pairs of them would be characters of another plane.
  for (let low = 0; low < PLANE_SIZE; low += 1)
    characters.push(
      plane === 0 && low >= 0xd800 && low < 0xe000
        ? '\0'
        : String.fromCodePoint(plane * PLANE_SIZE + low),
    )
  const text = characters.join('')
  const unitsEach = plane === 0 ? 1 : 2
  for (const [pattern, kind] of CLASSES) {
    for (const { 0: run, index } of text.matchAll(pattern))
      classes.fill(kind, index / unitsEach, (index + run.length) / unitsEach)
  }
  planes.set(plane, classes)
  return classes
}

let basic: Uint8Array | undefined

export class TokenPieces {
  readonly #text: string
  readonly #basic: Uint8Array
  /** UTF-16 units of the last classified character. */
  #units = 1

  constructor(text: string) {
    this.#text = text
    basic ??= readPlane(0)
    this.#basic = basic
  }

  /** The end of the piece that starts at `start`, which is before the end of the text. */
  endOf(start: number): number {
    const kind = this.#classAt(start)
    const next = start + this.#units
    if (kind === NUMBER) return this.#endOfNumber(next)
    if (kind !== BREAK) {
      // A mark is both a capital and a small letter, so a word may start with it.
      const end = this.#endOfWord(kind === OTHER || kind === BLANK ? next : start)
      if (end > 0) return this.#endOfShortened(end)
      if (kind === OTHER) return this.#endOfSigns(next)
      if (this.#text.charCodeAt(start) === SPACE && next < this.#text.length) {
        const following = this.#classAt(next)
        if (following === OTHER || following === MARK) return this.#endOfSigns(next)
      }
    }
    return this.#endOfBlank(start)
  }

  /** The end of alternative 1 or 2 without its prefix; 0 if no word starts here. */
  #endOfWord(start: number): number {
    const { length } = this.#text
    let at = start
    let ambiguous = 0
    let kind = OTHER
    for (; at < length; at += this.#units) {
      kind = this.#classAt(at)
      if (kind !== UPPER && kind !== BOTH && kind !== MARK) break
      // Alternative 1 needs a small letter at the end. Remembers the last character that may count
      // as one.
      if (kind !== UPPER) ambiguous = at + this.#units
    }
    if (at < length && kind === LOWER) {
      for (at += this.#units; at < length; at += this.#units) {
        kind = this.#classAt(at)
        if (kind !== LOWER && kind !== BOTH && kind !== MARK) break
      }
      return at
    }
    if (ambiguous > 0) return ambiguous
    return at > start ? at : 0
  }

  #endOfShortened(end: number): number {
    const text = this.#text
    if (text.charCodeAt(end) !== 0x27) return end
    switch (text.charCodeAt(end + 1) | 0x20) {
      case 0x6c:
        return (text.charCodeAt(end + 2) | 0x20) === 0x6c ? end + 3 : end
      case 0x72:
      case 0x76:
        return (text.charCodeAt(end + 2) | 0x20) === 0x65 ? end + 3 : end
      case 0x73:
      case 0x74:
      case 0x6d:
      case 0x64:
        return end + 2
      default:
        return text.charCodeAt(end + 1) === LONG_S ? end + 2 : end
    }
  }

  #endOfNumber(second: number): number {
    let at = second
    for (
      let count = 1;
      count < 3 && at < this.#text.length && this.#classAt(at) === NUMBER;
      count += 1
    )
      at += this.#units
    return at
  }

  /** The end of alternative 4, whose first sign ends or starts here. */
  #endOfSigns(start: number): number {
    const { length } = this.#text
    let at = start
    for (; at < length; at += this.#units) {
      const kind = this.#classAt(at)
      if (kind !== OTHER && kind !== MARK) break
    }
    for (; at < length; at += 1) {
      const unit = this.#text.charCodeAt(at)
      if (unit !== 0x0a && unit !== 0x0d && unit !== 0x2f) break
    }
    return at
  }

  /** The end of alternative 5, 6 or 7. */
  #endOfBlank(start: number): number {
    const { length } = this.#text
    let at = start
    let afterBreak = 0
    for (; at < length; at += 1) {
      const kind = this.#classAt(at)
      if (kind === BREAK) afterBreak = at + 1
      else if (kind !== BLANK) break
    }
    if (afterBreak > 0) return afterBreak
    return at === length || at === start + 1 ? at : at - 1
  }

  #classAt(at: number): number {
    const unit = this.#text.charCodeAt(at)
    if (unit >= 0xd800 && unit < 0xdc00) {
      const low = this.#text.charCodeAt(at + 1)
      if (low >= 0xdc00 && low < 0xe000) {
        this.#units = 2
        const plane = ((unit - 0xd800) >> 6) + 1
        return (
          (planes.get(plane) ?? readPlane(plane))[((unit & 0x3f) << 10) | (low & 0x3ff)] ?? OTHER
        )
      }
    }
    this.#units = 1
    return this.#basic[unit] ?? OTHER
  }
}
