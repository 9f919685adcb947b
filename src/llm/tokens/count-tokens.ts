/** Counts tokens as OpenAI does, if an upstream does not report them. */
import { TokenMerger } from './merge-tokens.ts'
import { TokenPieces } from './token-pieces.ts'
import { NO_RANK, readTokenVocabulary, type TokenVocabulary } from './token-vocabulary.ts'

// Longer pieces are split, which changes their count by a token or two.
const LONGEST_PIECE_UNITS = 2 ** 14
const MOST_UTF8_BYTES_PER_UNIT = 3

type Counter = {
  readonly vocabulary: TokenVocabulary
  readonly merger: TokenMerger
  readonly bytes: Uint8Array
}
let counter: Counter | undefined

/**
 * Counts tokens of o200k_base. Control tokens count as text. The first text takes 40 ms and 6 MB to
 * load the vocabulary.
 */
export function countTokens(text: string): number {
  if (text === '') return 0
  counter ??= newCounter()
  const pieces = new TokenPieces(text)
  let count = 0
  for (let start = 0; start < text.length;) {
    const end = pieces.endOf(start)
    for (; end - start > LONGEST_PIECE_UNITS; start += LONGEST_PIECE_UNITS)
      count += countPiece(counter, text, start, start + LONGEST_PIECE_UNITS)
    count += countPiece(counter, text, start, end)
    start = end
  }
  return count
}

function newCounter(): Counter {
  const vocabulary = readTokenVocabulary()
  const mostBytes = LONGEST_PIECE_UNITS * MOST_UTF8_BYTES_PER_UNIT
  return {
    vocabulary,
    merger: new TokenMerger(vocabulary, mostBytes),
    bytes: new Uint8Array(mostBytes),
  }
}

function countPiece(
  { vocabulary, merger, bytes }: Counter,
  text: string,
  start: number,
  end: number,
): number {
  const length = writeUtf8(text, start, end, bytes)
  return vocabulary.rankOf(bytes, 0, length) === NO_RANK ? merger.count(bytes, length) : 1
}

/** Returns the number of bytes. Unpaired surrogates are written as U+FFFD, as by TextEncoder. */
function writeUtf8(text: string, start: number, end: number, bytes: Uint8Array): number {
  let length = 0
  for (let place = start; place < end; place += 1) {
    let unit = text.charCodeAt(place)
    if (unit < 0x80) {
      bytes[length++] = unit
      continue
    }
    if (unit < 0x800) {
      bytes[length++] = 0xc0 | (unit >> 6)
    } else {
      if (unit >= 0xd800 && unit < 0xe000)
        unit = place + 1 < end || unit >= 0xdc00 ? (text.codePointAt(place) ?? 0) : REPLACEMENT
      if (unit >= 0x1_0000) {
        place += 1
        bytes[length++] = 0xf0 | (unit >> 18)
        bytes[length++] = 0x80 | ((unit >> 12) & 0x3f)
      } else {
        if (unit >= 0xd800 && unit < 0xe000) unit = REPLACEMENT
        bytes[length++] = 0xe0 | (unit >> 12)
      }
      bytes[length++] = 0x80 | ((unit >> 6) & 0x3f)
    }
    bytes[length++] = 0x80 | (unit & 0x3f)
  }
  return length
}

const REPLACEMENT = 0xfffd
