/** Words of any script for ranking and for the comparison of sentences. */
const MAX_TEXT_CHARS = 4_000
const words = new Intl.Segmenter('en', { granularity: 'word' })

/** Of the first `maxChars` characters, in lower case, without accents and English plurals. Chinese, Japanese and Thai texts are split into words. */
export function termsOf(text: string, maxChars = MAX_TEXT_CHARS): string[] {
  const terms: string[] = []
  for (const { segment, isWordLike } of words.segment(fold(text.slice(0, maxChars)))) {
    if (isWordLike === true) terms.push(stem(segment))
  }
  return terms
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase()
}

function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word
}

const STOP_WORDS = new Set(
  'a an and are as at be by can did do does for from had has have how in is it its of on or that the their this to was were what when where which who whose why will with you your'.split(
    ' ',
  ),
)

/** The different words of a text that state its subject. */
export function contentTermsOf(text: string): string[] {
  return [...new Set(termsOf(text))].filter((term) => !STOP_WORDS.has(term))
}
