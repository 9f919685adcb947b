/** Counts tokens as OpenAI does, for what an upstream did not count itself. */
import { TokenMerger } from './merge-tokens.ts'
import { NO_RANK, readTokenVocabulary, type TokenVocabulary } from './token-vocabulary.ts'

const MARK = String.raw`[^\r\n\p{L}\p{N}]?`
const CAPITAL = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
const SMALL = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
const SHORTENED = String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)?`
/**
 * The pieces of a text, which are merged each for itself (o200k_base in tiktoken_ext/openai_public.py of tiktoken 0.14).
 * Every character is in one. White_Space is what \s means there: with U+0085 and without U+FEFF, unlike JavaScript's.
 */
const PIECE = new RegExp(
  [
    `${MARK}${CAPITAL}*${SMALL}+${SHORTENED}`,
    `${MARK}${CAPITAL}+${SMALL}*${SHORTENED}`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^\p{White_Space}\p{L}\p{N}]+[\r\n/]*`,
    String.raw`\p{White_Space}*[\r\n]+`,
    String.raw`\p{White_Space}+(?!\P{White_Space})`,
    String.raw`\p{White_Space}+`,
  ].join('|'),
  'gu',
)

// Text is read in windows, so that a piece takes little memory, and some million characters without a break do not use up
// the stack of the regular expression. A piece longer than a window is cut, which changes its count by a token or two.
const WINDOW_UNITS = 2 ** 14
/** What follows can change where a piece ends: 's and the like, or a small letter after capitals. */
const LOOK_AHEAD_UNITS = 128
const MOST_UTF8_BYTES_PER_UNIT = 3

// Counting holds up every other call: this much of a text takes a tenth of a second, 64 MB would take half a minute.
const MOST_COUNTED_UNITS = 400_000

/** Tokens of all texts together. Of very long ones a part is counted, each as much as its share, and the rest taken for like it. */
export function countTokensOf(texts: readonly string[]): number {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length <= MOST_COUNTED_UNITS) return texts.reduce((sum, text) => sum + countTokens(text), 0)
  const tokens = texts.reduce((sum, text) => {
    const counted = Math.ceil((text.length * MOST_COUNTED_UNITS) / length)
    return counted === 0 ? sum : sum + (countTokens(text.slice(0, counted)) * text.length) / counted
  }, 0)
  return Math.ceil(tokens)
}

type Counter = { readonly vocabulary: TokenVocabulary; readonly merger: TokenMerger; readonly bytes: Uint8Array }
let counter: Counter | undefined

/** Tokens of o200k_base. What looks like a control token is text. It takes 40 ms and 6 MB to load, when it is first needed. */
export function countTokens(text: string): number {
  counter ??= newCounter()
  let count = 0
  for (let start = 0; start < text.length; ) {
    const window = text.slice(start, start + WINDOW_UNITS)
    const sure = start + window.length === text.length ? window.length : window.length - LOOK_AHEAD_UNITS
    let counted = 0
    PIECE.lastIndex = 0
    while (PIECE.test(window) && (PIECE.lastIndex <= sure || counted === 0)) {
      count += countPiece(counter, window, counted, PIECE.lastIndex)
      counted = PIECE.lastIndex
    }
    start += counted
  }
  return count
}

function newCounter(): Counter {
  const vocabulary = readTokenVocabulary()
  const mostBytes = WINDOW_UNITS * MOST_UTF8_BYTES_PER_UNIT
  return { vocabulary, merger: new TokenMerger(vocabulary, mostBytes), bytes: new Uint8Array(mostBytes) }
}

function countPiece({ vocabulary, merger, bytes }: Counter, window: string, start: number, end: number): number {
  const length = writeUtf8(window, start, end, bytes)
  return vocabulary.rankOf(bytes, 0, length) === NO_RANK ? merger.count(bytes, length) : 1
}

const encoder = new TextEncoder()

/** The number of bytes. */
function writeUtf8(text: string, start: number, end: number, bytes: Uint8Array): number {
  for (let place = start; place < end; place += 1) {
    const unit = text.charCodeAt(place)
    if (unit >= 0x80) return encoder.encodeInto(text.slice(start, end), bytes).written
    bytes[place - start] = unit
  }
  return end - start
}
