import { fieldsOf } from '../../lib/json-fields.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { Pages } from '../../reader/create-pages.ts'
import type { EngineTools } from './find-pages.ts'

export type PageReader = Pick<Pages, 'semanticContents'>
/** The fields of `semantic/contents`, as far as the caller wants them. */
export type PageContents = {
  readonly title: string | null
  readonly text: string | null
  readonly highlights: readonly string[]
  readonly fields: Data
}

const READ_MS = 8_000

/** Reads pages without scripts. Pages that cannot be read in time are absent. By URL. */
export async function readContents(
  { semanticContents }: PageReader,
  urls: readonly string[],
  wish: Data,
  { accountId, signal, now, timeoutMs }: EngineTools,
): Promise<ReadonlyMap<string, PageContents>> {
  if (urls.length === 0) return new Map()
  const call = { accountId, signal, now, timeoutMs: Math.min(READ_MS, timeoutMs) }
  const { results } = await semanticContents({ ...wish, urls }, call)
  return new Map(
    results.map(({ id, url: _final, ...fields }) => {
      const { title, text, highlights } = fields
      return [
        id,
        {
          title: typeof title === 'string' ? title : null,
          text: typeof text === 'string' ? text : null,
          highlights: Array.isArray(highlights)
            ? highlights.filter((passage) => typeof passage === 'string')
            : [],
          fields: fieldsOf(fields),
        },
      ]
    }),
  )
}
