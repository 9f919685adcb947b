/** Collapses white space as a browser does and removes invisible word-break characters. */
export function collapse(text: string): string {
  return text.replace(/[\u00ad\u200b\u2060]+/g, '').replace(/\s+/g, ' ')
}

/**
 * The length of a text after collapsing and trimming, and whether white space surrounds it. A text
 * of white space only has length 0 and space on both sides.
 */
export type TextMeasure = { length: number; startsWithSpace: boolean; endsWithSpace: boolean }

export const NO_TEXT: Readonly<TextMeasure> = {
  length: 0,
  startsWithSpace: false,
  endsWithSpace: false,
}

/** Measures without building the collapsed text. */
export function measureText(text: string): TextMeasure {
  let length = 0
  let startsWithSpace = false
  let isAfterSpace = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (isSpace(code)) {
      isAfterSpace = true
      if (length === 0) startsWithSpace = true
    } else if (code !== 0xad && code !== 0x200b && code !== 0x2060) {
      length += isAfterSpace && length > 0 ? 2 : 1
      isAfterSpace = false
    }
  }
  return { length, startsWithSpace, endsWithSpace: isAfterSpace }
}

/** The measure of two adjacent texts as one. */
export function joinMeasures(left: TextMeasure, right: TextMeasure): TextMeasure {
  const between =
    left.length > 0 && right.length > 0 && (left.endsWithSpace || right.startsWithSpace) ? 1 : 0
  return {
    length: left.length + right.length + between,
    startsWithSpace: left.startsWithSpace || (left.length === 0 && right.startsWithSpace),
    endsWithSpace: right.endsWithSpace || (right.length === 0 && left.endsWithSpace),
  }
}

/** White space by `\s`. */
function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 9 && code <= 13)
  if (code < 0xa0) return false
  return (
    code === 0xa0 ||
    code === 0x3000 ||
    code === 0xfeff ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f
  )
}
