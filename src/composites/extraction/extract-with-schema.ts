import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import { isFields } from '../../lib/json-fields.ts'
import { cents } from '../../lib/money.ts'
import type { Pages } from '../../reader/create-pages.ts'
import type { AgenticExtractReply } from '../../reader/lanes/extract-pages.ts'
import { requireSchema } from './extract-data.ts'
import { withoutModel } from './extract-handlers.ts'
import type { Extracted, ExtractData } from './extraction.ts'
import { mapInTime } from './map-in-time.ts'
import type { SchemaChecker } from './schema-checker.ts'

type Row = AgenticExtractReply['results'][number]

/** The most that the model may cost for a page: four fifths of its price. */
const PAGE_COST = cents('0.8')
const LATE: Extracted = { kind: 'failed', reason: 'The time limit of the call was reached.' }

/**
 * `agentic/extract` with `schema`: `data` of each result fits it. Pages without data are listed in
 * `errors` and not charged. Throws AppError upstream_not_configured without a language model,
 * invalid_params for an unusable schema.
 */
export function createExtractWithSchema({
  pages,
  extractData,
  checker,
}: {
  readonly pages: Pick<Pages, 'agenticExtract'>
  readonly extractData: ExtractData | null
  readonly checker: SchemaChecker
}): InHouseHandler {
  return async (input, tools) => {
    const { schema, objective, full_content: isWhole } = input
    if (!isFields(schema)) return pages.agenticExtract(input, tools)
    if (extractData === null) throw withoutModel('schema')
    const { accountId, signal, mode, now } = tools
    await requireSchema(checker, { schema, param: 'schema' }, { accountId, signal })
    const startedMs = now()
    const reply = await pages.agenticExtract({ ...input, full_content: true }, tools)
    const found = await mapInTime<Row, Extracted>(tools, {
      items: reply.results,
      startedMs,
      work: ({ url, title, full_content: text }, limit) =>
        extractData({
          wanted: { schema, ...(typeof objective === 'string' ? { prompt: objective } : {}) },
          pages: [{ url, title: title ?? '', text: text ?? '' }],
          mostMicros: PAGE_COST,
          mode,
          visitor: { accountId, signal: limit },
        }),
      late: LATE,
    })
    const rows = reply.results.map((row, at) => ({ row, extracted: found[at] ?? LATE }))
    return {
      ...reply,
      results: rows.flatMap(({ row, extracted }) =>
        extracted.kind === 'data'
          ? {
              ...row,
              full_content: isWhole === true ? row.full_content : null,
              data: extracted.data,
            }
          : [],
      ),
      errors: [
        ...reply.errors,
        ...rows.flatMap(({ row: { url }, extracted }) =>
          extracted.kind === 'failed'
            ? { url, error_type: 'no_data', http_status_code: null, content: extracted.reason }
            : [],
        ),
      ],
    }
  }
}
