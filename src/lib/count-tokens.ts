/** Counts tokens with a real vocabulary, for what an upstream did not count itself. */
import { createRequire } from 'node:module'

// Its time grows with the square of a word's length: long text is cut, at a space where there is one nearby.
const LONGEST_PIECE = 1_024
const LOOK_BACK = 200
// What looks like a control token in a text is ordinary text.
const OPTIONS = { disallowedSpecial: new Set<string>() }

type Vocabulary = typeof import('gpt-tokenizer/encoding/o200k_base')
let vocabulary: Vocabulary | undefined

/** Tokens of the o200k vocabulary. It takes 0.1 s and 70 MB to load, so that is done when it is first needed. */
export function countTokens(text: string): number {
  vocabulary ??= createRequire(import.meta.url)('gpt-tokenizer/encoding/o200k_base') as Vocabulary
  let count = 0
  for (const piece of piecesOf(text)) count += vocabulary.countTokens(piece, OPTIONS)
  return count
}

function piecesOf(text: string): string[] {
  if (text.length <= LONGEST_PIECE) return [text]
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + LONGEST_PIECE
    const space = end >= text.length ? -1 : text.lastIndexOf(' ', end)
    const cut = space > end - LOOK_BACK && space > start ? space : end
    pieces.push(text.slice(start, cut))
    start = cut
  }
  return pieces
}
