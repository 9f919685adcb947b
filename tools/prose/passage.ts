/** The place of a text decides which idioms and limits apply. A row names one case of a test. */
export type Place = 'comment' | 'string' | 'test name' | 'row' | 'document' | 'heading' | 'subject'

/**
 * A text that people read. `text` has as many characters as its source from `start` on, so that an
 * offset in it is an offset in the file: markers are blanks, code is `CODE`.
 */
export interface Passage {
  readonly place: Place
  readonly start: number
  readonly text: string
}

/** Replaces code, addresses and placeholders: counts as a word and matches no idiom. */
export const CODE = '·'

/** Spaces of the same length. Line breaks stay. */
export function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}

/** Blanks the first match, or every match of a global pattern. */
export function blankAll(text: string, pattern: RegExp): string {
  return text.replace(pattern, blank)
}

/** `CODE` of the same length. Line breaks stay. */
export function maskAll(text: string, pattern: RegExp): string {
  return text.replace(pattern, (match) => match.replaceAll(/[^\n]/g, CODE))
}

/** Masks code in backticks and addresses, in comments and documents alike. */
export function maskCode(text: string): string {
  return maskAll(maskAll(text, /(`+)(?!`)[^`]+?\1(?!`)/g), /\b[a-z][a-z+.-]*:\/\/[^\s)>\]"']+/g)
}
