const DENSE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu
/** The characters of a word in scripts without spaces, and a word's characters in others with its space. */
const DENSE_CHARACTERS = 1.6
const SPACED_CHARACTERS = 5.6

/** Number of characters in scripts that write no spaces between words: Chinese, Japanese, Thai. */
export function countDense(text: string): number {
  return text.match(DENSE)?.length ?? 0
}

/** Length of a text in characters of a script with spaces, so that all scripts compare. */
export function sizeOf(text: string): number {
  const dense = countDense(text)
  return dense === 0
    ? text.length
    : Math.round(text.length + dense * (SPACED_CHARACTERS / DENSE_CHARACTERS - 1))
}

/** Number of words; for scripts without spaces, by the average length of their words. */
export function countWords(text: string): number {
  const dense = countDense(text)
  const spaced = dense === 0 ? text : text.replaceAll(DENSE, ' ')
  return (spaced.match(WORD)?.length ?? 0) + Math.round(dense / DENSE_CHARACTERS)
}
