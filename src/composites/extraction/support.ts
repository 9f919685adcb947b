import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { PageText, Support } from './extraction.ts'

/** A passage counts only if it stands in a page; models also quote what no page states. */
export function supportOf(
  data: Data,
  passages: Data,
  pages: readonly Pick<PageText, 'url' | 'text'>[],
): readonly Support[] {
  const texts = pages.map(({ url, text }) => ({ url, words: normalize(text) }))
  return Object.entries(data).map(([field, value]) => {
    const passage = passages[field]
    const excerpt = typeof passage === 'string' ? passage.trim() : ''
    const wanted = normalize(excerpt)
    const source = wanted === '' ? undefined : texts.find(({ words }) => words.includes(wanted))
    return {
      basisVersion: 1,
      field,
      value,
      status: value === null ? 'notFound' : source === undefined ? 'unverified' : 'supported',
      citations: source === undefined ? [] : [{ url: source.url, excerpt }],
    }
  })
}

/** Letters and digits only, because markdown marks and line breaks are not part of a quote. */
function normalize(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
