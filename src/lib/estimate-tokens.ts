/**
 * A guess of how many tokens a text makes, on the high side, in one pass and without a vocabulary: for deciding what
 * to hold before a call. A real tokenizer takes 70 MB and its time grows with the square of a long word.
 */
const LETTERS_PER_PIECE = 5
const SPACES_PER_TOKEN = 16
/** Tokenizers differ; this much over the guess covers those that cut finer. */
const MARGIN = 1.1

const KIND = { other: 0, lower: 1, upper: 2, digit: 3, space: 4, foreign: 5 } as const
type Kind = (typeof KIND)[keyof typeof KIND]

export function estimateTokens(text: string): number {
  let tokens = 0
  let run = 0
  let before: Kind = KIND.other
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place)
    const kind = kindOf(unit)
    const goesOn = place > 0 && (kind === before || (kind === KIND.lower && before === KIND.upper))
    run = goesOn ? run + 1 : 1
    tokens += costOfUnit(kind, unit, run)
    before = kind
  }
  return Math.ceil(tokens * MARGIN)
}

/** A run costs a token when it begins, and again when it grows beyond what one token holds. */
function costOfUnit(kind: Kind, unit: number, run: number): number {
  switch (kind) {
    case KIND.lower:
      return run % LETTERS_PER_PIECE === 1 ? 1 : 0
    case KIND.upper:
      // Capitals within a word, as in camelCase and base64, mostly begin a token of their own.
      return run === 1 ? 1 : 0.9
    case KIND.digit:
      return run % 2 === 1 ? 1 : 0
    case KIND.space:
      // A single space belongs to the word after it.
      if (run === 1) return unit === 0x20 ? 0 : 1
      return run % SPACES_PER_TOKEN === 2 ? 1 : 0
    case KIND.foreign:
      return unit < 0x0800 ? 0.5 : 1.1
    default:
      return run % 2 === 1 ? 1 : 0
  }
}

function kindOf(unit: number): Kind {
  if (unit >= 0x61 && unit <= 0x7a) return KIND.lower
  if (unit >= 0x41 && unit <= 0x5a) return KIND.upper
  if (unit >= 0x30 && unit <= 0x39) return KIND.digit
  if (unit <= 0x20) return KIND.space
  return unit < 0x80 ? KIND.other : KIND.foreign
}
