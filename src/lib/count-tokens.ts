/** Counts tokens with a real vocabulary, for settling what an upstream did not count itself. */
export type TokenCounter = (text: string) => number

// Its time grows with the square of a word's length: long text is cut, at a space where there is one nearby.
const LONGEST_PIECE = 1_024
const LOOK_BACK = 200

let loading: Promise<TokenCounter> | undefined

/** The vocabulary (o200k) takes 0.1 s and 70 MB, so it is loaded when it is first needed. */
export function loadTokenCounter(): Promise<TokenCounter> {
  loading ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens }) => {
    // What looks like a control token in a text is ordinary text.
    const options = { disallowedSpecial: new Set<string>() }
    return (text) => piecesOf(text).reduce((sum, piece) => sum + countTokens(piece, options), 0)
  })
  return loading
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
