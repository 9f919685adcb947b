/** Joins separately written pieces of a paragraph so that their signs keep their meaning. */

const EMPHASIS = /^([ \t]*)(\*\*|\*|~~)(?=[^\s*~])([^\n]*[^\s*~\\])\2([ \t]*)$/u
const PUNCTUATION = /[\p{P}\p{S}]/u
const WORD = /[^\s\p{P}\p{S}]/u
/**
 * Punctuation without a meaning in markdown. Other signs may belong to a link, to code or to an
 * escape.
 */
const LOOSE = String.raw`[^\s\p{L}\p{N}\p{M}*_~\x60\\<>[\]()&#$!|]`
const LOOSE_END = new RegExp(`${LOOSE}+$`, 'u')
const LOOSE_START = new RegExp(`^${LOOSE}+`, 'u')

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
 * Moves punctuation at the edge of a run that touches a word outside the signs: `**Note**:text`. By
 * the rules of CommonMark, signs between punctuation and a word do not open or close emphasis.
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
