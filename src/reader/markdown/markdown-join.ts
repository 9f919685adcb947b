/** Pieces of one paragraph, each written by itself, as they must stand beside each other. */

const EMPHASIS = /^([ \t]*)(\*\*|\*|~~)(?=[^\s*~])([^\n]*[^\s*~\\])\2([ \t]*)$/u
const PUNCTUATION = /[\p{P}\p{S}]/u
const WORD = /[^\s\p{P}\p{S}]/u
/** Punctuation that is only itself: the rest may belong to a link, to code or to an escape. */
const LOOSE = String.raw`[^\s\p{L}\p{N}\p{M}*_~\x60\\<>[\]()&#$!|]`
const LOOSE_END = new RegExp(`${LOOSE}+$`, 'u')
const LOOSE_START = new RegExp(`^${LOOSE}+`, 'u')

/** Longer runs are put together without being looked at as one, since they would be copied each time. */
const LONGEST_RUN = 1_000

export function joinInline(pieces: readonly string[]): string {
  const merged = mergedEmphasis(pieces.filter((piece) => piece !== ''))
  const out: string[] = []
  for (const [index, piece] of merged.entries()) {
    const last = out.at(-1) ?? ''
    const next = looseSigns(piece, last.at(-1) ?? '', merged[index + 1]?.[0] ?? '')
    // A sign of exclamation before a link would make a picture of it.
    if (next.startsWith('[') && /(?<!\\)(\\\\)*!$/.test(last.slice(-9)))
      out[out.length - 1] = `${last.slice(0, -1)}\\!`
    out.push(next)
  }
  return out.join('')
}

/** Two bold runs that touch are one: their signs between them would be four of another meaning. */
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
 * Signs between punctuation and a word do not open or close what they should, by the rules of CommonMark, so punctuation
 * at the edge of a run that touches a word goes outside: `**Note**:text`.
 */
function looseSigns(piece: string, before: string, after: string): string {
  const [, gap, sign, inner, gapAfter] = EMPHASIS.exec(piece) ?? []
  if (sign === undefined || inner === undefined) return piece
  const start =
    gap === '' && WORD.test(before) && PUNCTUATION.test(inner[0] ?? '')
      ? (LOOSE_START.exec(inner)?.[0] ?? '')
      : ''
  const end =
    gapAfter === '' && WORD.test(after) && PUNCTUATION.test(inner.at(-1) ?? '')
      ? (LOOSE_END.exec(inner.slice(start.length))?.[0] ?? '')
      : ''
  const words = inner.slice(start.length, inner.length - end.length)
  if (words === inner) return piece
  const [left = '', core = '', right = ''] = /^(\s*)([^]*?)(\s*)$/.exec(words)?.slice(1) ?? []
  return `${gap}${core === '' ? inner : `${start}${left}${sign}${core}${sign}${right}${end}`}${gapAfter}`
}
