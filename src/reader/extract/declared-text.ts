import { hydrationContent } from '../embedded/hydration.ts'
import { linkedDataIn } from '../embedded/linked-data.ts'
import { contentOf } from '../embedded/node-content.ts'

const LEAST_CHARACTERS = 150

/**
 * The content that a page states in JSON-LD or in the data of its application, as HTML. The only
 * source for pages that scripts draw from it. Undefined if it is too short.
 */
export function declaredText(html: string): string | undefined {
  const described = linkedDataIn(html).map(contentOf)
  const longest = described.reduce((most, one) => (one.length > most.length ? one : most), '')
  return wordsLength(longest) >= LEAST_CHARACTERS ? longest : hydrationContent(html)
}

function wordsLength(html: string): number {
  return html.replaceAll(/<[^<>]*>/g, '').length
}
