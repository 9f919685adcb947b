/**
 * A guess of how many tokens a text makes, on the high side, in one pass and without a vocabulary: for deciding what
 * to hold before a call. Counting takes ten times as long, and models have vocabularies of their own.
 */
const LETTERS_PER_PIECE = 5
/** Longer runs of letters are no words, and are cut finer. */
const LONGEST_WORD = 12
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
    tokens += costOfUnit(kind, unit, run, kind === KIND.space && goesOn && unit === text.charCodeAt(place - 1))
    before = kind
  }
  // A single space belongs to a word, and where there is none it is a token by itself.
  return text === '' ? 0 : Math.max(1, Math.ceil(tokens * MARGIN))
}

/** A run costs a token when it begins, and again when it grows beyond what one token holds. */
function costOfUnit(kind: Kind, unit: number, run: number, isRepeated: boolean): number {
  switch (kind) {
    case KIND.lower:
      return run % (run > LONGEST_WORD ? 2 : LETTERS_PER_PIECE) === 1 ? 1 : 0
    case KIND.upper:
      // Capitals within a word, as in camelCase and base64, mostly begin a token of their own.
      return run === 1 ? 1 : 0.9
    case KIND.digit:
      return run % 2 === 1 ? 1 : 0
    case KIND.space:
      // A single space belongs to the word after it.
      if (run === 1) return unit === 0x20 ? 0 : 1
      return !isRepeated || run % SPACES_PER_TOKEN === 2 ? 1 : 0
    case KIND.foreign:
      return isRarePlane(unit) ? 3 : (FOREIGN[unit >> 7] ?? 0)
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

/** The first half of a pair that is no emoji: four bytes, four tokens. */
function isRarePlane(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00 && (unit < 0xd83c || unit > 0xd83e)
}

/**
 * Tokens a UTF-16 unit, by blocks of 128. Scripts that vocabularies hardly know are cut into the bytes of UTF-8, up to
 * three a unit; those not listed are such.
 */
const FOREIGN = new Float64Array(512).fill(3)
const KNOWN_SCRIPTS: readonly (readonly [from: number, until: number, tokens: number])[] = [
  // Latin, Greek, Cyrillic, Hebrew, Arabic; smaller scripts of two bytes.
  [0x0080, 0x0700, 0.5], [0x0700, 0x0800, 2],
  // Of India, Thailand, Burma and Georgia; Lao and Tibetan; of Cambodia; Vietnamese; old Greek.
  [0x0900, 0x0e80, 0.8], [0x0e80, 0x1000, 2], [0x1000, 0x1100, 1.1], [0x1200, 0x1380, 2.5], [0x1780, 0x1800, 1.1], [0x1e00, 0x1f00, 1.1], [0x1f00, 0x2000, 2],
  // Punctuation, arrows, signs.
  [0x2000, 0x2080, 1.1], [0x2080, 0x2800, 2],
  // Of China, Japan and Korea, with wide Latin.
  [0x3000, 0x3100, 1.1], [0x4e00, 0xa000, 1.1], [0xac00, 0xd800, 1.1], [0xff00, 0xff80, 2],
  // Halves of pairs, of which emoji take two or three tokens.
  [0xd800, 0xe000, 1.1],
  // Selects how the emoji before it looks.
  [0xfe00, 0xfe80, 1.1],
]
for (const [from, until, tokens] of KNOWN_SCRIPTS) FOREIGN.fill(tokens, from >> 7, until >> 7)
