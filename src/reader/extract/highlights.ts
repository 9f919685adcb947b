/** A sentence and its BM25 score for a query, computed over the text's sentences. */
export type Highlight = { text: string; score: number }

const MAX_SENTENCES = 2_000
const MAX_SENTENCE = 600
const K1 = 1.2
const B = 0.75

/** At most `count` sentences, best first; for an empty query, the first ones. */
export function highlightsOf(text: string, query: string, count: number): Highlight[] {
  const sentences = sentencesOf(text)
  const terms = new Set(termsOf(query))
  if (terms.size === 0)
    return sentences.slice(0, count).map((sentence) => ({ text: sentence, score: 0 }))
  const documents = sentences.map(termsOf)
  const averageLength =
    documents.reduce((sum, words) => sum + words.length, 0) / Math.max(1, documents.length)
  const containing = new Map(
    [...terms].map((term) => [term, documents.filter((words) => words.includes(term)).length]),
  )
  const scored = sentences.map((sentence, index) => ({
    text: sentence,
    score: score(documents[index] ?? [], containing, documents.length, averageLength),
  }))
  return scored
    .filter(({ score: value }) => value > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, count)
}

/** The first highlights with at most `maxCharacters` in total. */
export function withinCharacters(
  highlights: readonly Highlight[],
  maxCharacters: number,
): Highlight[] {
  let left = maxCharacters
  return highlights.flatMap((highlight) => {
    const text = highlight.text.slice(0, left)
    left -= text.length
    return text === '' ? [] : [{ ...highlight, text }]
  })
}

function score(
  words: readonly string[],
  containing: ReadonlyMap<string, number>,
  total: number,
  averageLength: number,
): number {
  let sum = 0
  for (const [term, documents] of containing) {
    const frequency = words.filter((word) => word === term).length
    const rarity = Math.log(1 + (total - documents + 0.5) / (documents + 0.5))
    sum +=
      (rarity * frequency * (K1 + 1)) /
      (frequency + K1 * (1 - B + (B * words.length) / averageLength))
  }
  return Number(sum.toFixed(4))
}

function sentencesOf(text: string): string[] {
  const lines = text.split('\n').map((line) =>
    line
      .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
      .replace(/^[#>\s*|-]+|[*_`|]+/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
  const sentences = lines.flatMap((line) =>
    line.split(/(?<=[.!?])\s+(?=[\p{Lu}\p{N}"“'(])|(?<=[。！？])/u),
  )
  // Count a repeated sentence once.
  return [...new Set(sentences)]
    .filter((sentence) => sentence.length > 20)
    .slice(0, MAX_SENTENCES)
    .map((sentence) => sentence.slice(0, MAX_SENTENCE))
}

/** Words without plural and past endings, so that "commits" matches "commit". */
function termsOf(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .normalize('NFKC')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return words
    .filter((word) => word.length > 1 && !STOP_WORDS.has(word))
    .map((word) => (word.length > 4 ? word.replace(/(ies|es|s|ed|ing)$/, '') : word))
}

const STOP_WORDS = new Set(
  'a an and are as at be by for from has how in is it its of on or that the this to was what when where which who why will with you your do does can'.split(
    ' ',
  ),
)
