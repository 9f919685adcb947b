import type { Fields } from '../../lib/json-fields.ts'
import { READER_MODEL } from '../blocks/main-blocks.ts'
import { countWords } from '../blocks/text-size.ts'
import { hydrationContent } from '../embedded/hydration.ts'
import {
  estimateDeclaredYield,
  type DeclaredSource,
  type DeclaredYieldModel,
} from '../embedded/declared-yield.ts'
import { linkedDataIn } from '../embedded/linked-data.ts'
import { microdataIn } from '../embedded/microdata.ts'
import { contentOf, sourceOf } from '../embedded/node-content.ts'

const LEAST_CHARACTERS = 150

/** Content that a page states for machines, as HTML. */
export type Declared = {
  readonly source: DeclaredSource
  readonly html: string
  readonly words: number
}

/**
 * The longest content in JSON-LD and the one in the data of the application, or else the longest in
 * microdata. Short ones are omitted.
 */
export function declaredContents(html: string): Declared[] {
  const described = longestOf(linkedDataIn(html))
  const application = hydrationContent(html)
  const found: Declared[] = described === undefined ? [] : [described]
  if (application !== undefined)
    found.push({ source: 'application', html: application, words: countWords(textOf(application)) })
  const stated = found.length === 0 ? longestOf(microdataIn(html)) : undefined
  return stated === undefined ? found : [stated]
}

/** Undefined if no node has enough content. */
function longestOf(nodes: readonly Fields[]): Declared | undefined {
  let longest: Omit<Declared, 'words'> = { source: 'other', html: '' }
  for (const node of nodes) {
    const content = contentOf(node)
    if (content.length > longest.html.length) longest = { source: sourceOf(node), html: content }
  }
  const text = textOf(longest.html)
  return text.length < LEAST_CHARACTERS ? undefined : { ...longest, words: countWords(text) }
}

/**
 * The declared content with the best expected word F1, which is its `yield`. The only source for
 * pages that scripts draw from it.
 */
export function declaredText(
  html: string,
  model: DeclaredYieldModel = READER_MODEL.declared,
): { readonly html: string; readonly yield: number } | undefined {
  const [best] = declaredContents(html)
    .map((one) => ({ html: one.html, yield: estimateDeclaredYield(model, one.source, one.words) }))
    .toSorted((one, other) => other.yield - one.yield)
  return best === undefined ? undefined : { ...best, yield: Number(best.yield.toFixed(2)) }
}

function textOf(html: string): string {
  return html.replaceAll(/<[^<>]*>/g, ' ').trim()
}
