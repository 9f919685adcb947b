import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { fieldsOf, isFields } from '../../lib/json-fields.ts'
import { cents, type Micros } from '../../lib/money.ts'
import type { Pages } from '../../reader/create-pages.ts'
import type { ContentsReply } from '../../reader/lanes/semantic-contents.ts'
import { requireSchema } from './extract-data.ts'
import type { Summarize, Summary } from './extraction.ts'
import { mapInTime } from './map-in-time.ts'
import type { SchemaChecker } from './schema-checker.ts'

type Deps = {
  readonly pages: Pick<Pages, 'semanticContents'>
  readonly checker: SchemaChecker
  /** Null without a language model. */
  readonly summarize: Summarize | null
}
type Row = ContentsReply['results'][number]

/** Four fifths of the price of a summary, and of the least price of a call. */
const PAGE_COST = cents('0.08')
const LEAST_CALL_COST = cents('0.8')
const LATE: Summary = { kind: 'failed', reason: 'The time limit of the call was reached.' }

/**
 * `semantic/contents` with summaries by a language model. Without one, the reader reports that
 * summaries are missing. A page without a summary is named in `notices` and not charged for it.
 * Throws AppError invalid_params for an unusable schema.
 */
export function createContentsWithSummaries({ pages, checker, summarize }: Deps): InHouseHandler {
  return async (input, tools) => {
    const { summary } = input
    if (summary === undefined || summary === false || summarize === null)
      return pages.semanticContents(input, tools)
    const { accountId, signal, mode, now } = tools
    const { query, schema } = readWish(summary)
    await requireSchema(checker, { schema, param: 'summary.schema' }, { accountId, signal })

    const startedMs = now()
    const reply = await pages.semanticContents(withWholeText(input), tools)
    const mostMicros = costOfPage(reply.results.length)
    const summaries = await mapInTime<Row, Summary>(tools, {
      items: reply.results,
      startedMs,
      work: ({ url, title, text }, limit) =>
        summarize({
          page: { url, title: typeof title === 'string' ? title : '', text: String(text) },
          query,
          schema,
          mostMicros,
          mode,
          visitor: { accountId, signal: limit },
        }),
      late: LATE,
    })
    return {
      ...reply,
      results: reply.results.map((row, at) => toResult(row, summaries[at] ?? LATE, input)),
      ...noticesOf(summaries),
    }
  }
}

function readWish(summary: unknown): { readonly query: string; readonly schema?: Data } {
  const { query, schema } = fieldsOf(summary)
  return {
    query: typeof query === 'string' ? query : '',
    ...(isFields(schema) ? { schema } : {}),
  }
}

/** The model reads the whole text, even if the caller wants less of it. */
function withWholeText({ text, ...input }: Data): Data {
  return {
    ...input,
    summary: undefined,
    text: isFields(text) ? { ...text, maxCharacters: undefined } : true,
  }
}

/** The most that the model may cost for each of `pages` pages. */
function costOfPage(pages: number): Micros {
  const share = LEAST_CALL_COST / BigInt(Math.max(1, pages))
  return share > PAGE_COST ? share : PAGE_COST
}

function toResult(row: Row, summary: Summary, { text }: Data): Row {
  const { text: whole, format, yield: verdict, fields, ...rest } = row
  const { maxCharacters } = fieldsOf(text)
  const isTextWanted = text !== undefined && text !== false
  const content = String(whole)
  return {
    ...rest,
    ...(isTextWanted
      ? {
          text: typeof maxCharacters === 'number' ? content.slice(0, maxCharacters) : content,
          format,
          yield: verdict,
          fields,
        }
      : {}),
    ...(summary.kind === 'summary' ? { summary: summary.text } : {}),
  }
}

function noticesOf(summaries: readonly Summary[]): Pick<ContentsReply, 'notices'> {
  const failed = summaries.flatMap((one) => (one.kind === 'failed' ? one.reason : []))
  const cut = summaries.filter((one) => one.kind === 'summary' && one.isCut).length
  const notices = [
    ...(failed.length === 0
      ? []
      : [
          {
            field: 'summary',
            code: 'no_results' as const,
            message: `${failed.length} of ${summaries.length} pages have no summary, which is not charged: ${[...new Set(failed)].join(' ')}`,
            fix: 'Repeat the call for the pages without a summary, with fewer pages.',
          },
        ]),
    ...(cut === 0
      ? []
      : [
          {
            field: 'summary',
            code: 'partial' as const,
            message: `The language model read only the beginning of ${cut} of ${summaries.length} pages.`,
            fix: 'Request "text" for the whole page.',
          },
        ]),
  ]
  return notices.length === 0 ? {} : { notices }
}
