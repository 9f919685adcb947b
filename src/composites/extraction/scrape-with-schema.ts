import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import { isFields } from '../../lib/json-fields.ts'
import { cents } from '../../lib/money.ts'
import type { Pages } from '../../reader/create-pages.ts'
import { requireSchema } from './extract-data.ts'
import type { ExtractData } from './extraction.ts'
import { withoutModel } from './extract-handlers.ts'
import { toPageText } from './extract-page.ts'
import type { SchemaChecker } from './schema-checker.ts'

/** The most that the model may cost: four fifths of the price of the call. */
const MODEL_COST = cents('0.8')

/**
 * `render2/scrape` with `jsonSchema`: `json` has the data of the page. Throws AppError
 * upstream_not_configured without a language model, invalid_params for an unusable schema. A page
 * without content and data that do not fit the schema are not charged.
 */
export function createScrapeWithSchema({
  pages,
  extractData,
  checker,
}: {
  readonly pages: Pick<Pages, 'render2Scrape'>
  readonly extractData: ExtractData | null
  readonly checker: SchemaChecker
}): InHouseHandler {
  return async (input, tools) => {
    const { jsonSchema: schema } = input
    if (!isFields(schema)) return pages.render2Scrape(input, tools)
    if (extractData === null) throw withoutModel('jsonSchema')
    const { accountId, signal, mode } = tools
    const visitor = { accountId, signal }
    await requireSchema(checker, { schema, param: 'jsonSchema' }, visitor)
    const formats = (input['formats'] as readonly string[]).filter((name) => name !== 'json')
    const reply = await pages.render2Scrape(
      { ...input, formats: [...new Set([...formats, 'markdown'])] },
      tools,
    )
    const page = toPageText(reply, String(input['url']))
    if (!reply.success || typeof page === 'string')
      return { success: false, error: typeof page === 'string' ? page : '' }
    const found = await extractData({
      wanted: { schema },
      pages: [page],
      mostMicros: MODEL_COST,
      mode,
      visitor,
    })
    if (found.kind === 'failed') return { success: false, error: found.reason }
    const { markdown, ...rest } = reply.data
    return {
      success: true,
      data: {
        ...rest,
        ...(formats.includes('markdown') ? { markdown } : {}),
        json: found.data,
        ...(found.isCut
          ? { warning: 'The language model read only the beginning of the page.' }
          : {}),
      },
    }
  }
}
