/** Joins separately written pieces of a paragraph so that their signs keep their meaning. */

const EMPHASIS = /^([ \t]*)(\*\*|\*|~~)(?=[^\s*~])([^\n]*[^\s*~\\])\2([ \t]*)$/u
const PUNCTUATION = /[\p{P}\p{S}]/u
const WORD = /[^\s\p{P}\p{S}]/u
/** Stops of Western text may stand outside the signs. */
const LOOSE_END = /[:;,.?]+$/
const TAGS: Readonly<Record<string, string>> = { '**': 'strong', '*': 'em', '~~': 'del' }

/** Longer runs are appended without merging, because each merge copies the run. */
const LONGEST_RUN = 1_000

export function joinInline(pieces: readonly string[]): string {
  const merged = mergedEmphasis(pieces.filter((piece) => piece !== ''))
  const out: string[] = []
  for (const [index, piece] of merged.entries()) {
    const last = out.at(-1) ?? ''
    const next = looseSigns(piece, last.at(-1) ?? '', merged[index + 1]?.[0] ?? '')
    // An exclamation mark before a link would make it an image.
    if (next.startsWith('[') && /(?<!\\)(\\\\)*!$/.test(last.slice(-9)))
      out[out.length - 1] = `${last.slice(0, -1)}\\!`
    out.push(next)
  }
  return out.join('')
}

/** Merges adjacent bold runs: four adjacent asterisks would have another meaning. */
function mergedEmphasis(pieces: readonly string[]): string[] {
  const merged: string[] = []
  for (const piece of pieces) {
    const last = merged.at(-1) ?? ''
    const sign = /(?:(?<!\\)\*\*|(?<![\\*])\*)$/.exec(last.slice(-3))?.[0]
    if (sign === undefined || !piece.startsWith(sign) || (sign === '*' && piece.startsWith('**'))) {
      merged.push(piece)
      continue
    }
    const [before, after] = [last.slice(0, -sign.length), piece.slice(sign.length)]
    merged.splice(-1, 1, ...(last.length < LONGEST_RUN ? [before + after] : [before, after]))
  }
  return merged
}

/**
 * By the rules of CommonMark, signs between punctuation and a word do not open or close emphasis,
 * as in `は**「二等」**で`. A Western stop moves outside the signs: `**Note**:text`. Other runs get tags.
 */
function looseSigns(piece: string, before: string, after: string): string {
  const [, gap, sign = '', inner, gapAfter] = EMPHASIS.exec(piece) ?? []
  if (inner === undefined) return piece
  const opens = gap !== '' || !WORD.test(before) || !PUNCTUATION.test(inner[0] ?? '')
  const closes = gapAfter !== '' || !WORD.test(after) || !PUNCTUATION.test(inner.at(-1) ?? '')
  if (opens && closes) return piece
  if (!WORD.test(inner)) return `${gap}${inner}${gapAfter}`
  const words = inner.replace(LOOSE_END, '').trimEnd()
  return opens && words !== inner && WORD.test(words.at(-1) ?? '')
    ? `${gap}${sign}${words}${sign}${inner.slice(words.length)}${gapAfter}`
    : `${gap}<${TAGS[sign]}>${inner}</${TAGS[sign]}>${gapAfter}`
}
