import { READER_MODEL } from '../blocks/main-blocks.ts'
import { countWords } from '../blocks/text-size.ts'
import { hydrationContent } from '../embedded/hydration.ts'
import {
  estimateDeclaredYield,
  type DeclaredSource,
  type DeclaredYieldModel,
} from '../embedded/declared-yield.ts'
import { linkedDataIn } from '../embedded/linked-data.ts'
import { contentOf, sourceOf } from '../embedded/node-content.ts'

const LEAST_CHARACTERS = 150

/** Content that a page states for machines, as HTML. */
export type Declared = {
  readonly source: DeclaredSource
  readonly html: string
  readonly words: number
}

/** The longest content in JSON-LD and the one in the data of the application; too short ones are omitted. */
export function declaredContents(html: string): Declared[] {
  const described = linkedDataIn(html).map((node) => ({
    source: sourceOf(node),
    html: contentOf(node),
  }))
  const application = hydrationContent(html)
  const longest = described.reduce<{ source: DeclaredSource; html: string }>(
    (most, one) => (one.html.length > most.html.length ? one : most),
    { source: 'other', html: '' },
  )
  const found: Declared[] = []
  const text = textOf(longest.html)
  if (text.length >= LEAST_CHARACTERS) found.push({ ...longest, words: countWords(text) })
  if (application !== undefined)
    found.push({
      source: 'application',
      html: application,
      words: countWords(textOf(application)),
    })
  return found
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
