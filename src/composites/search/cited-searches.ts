/** `cited/search` and `cited/deep-search`: answers with sources, results, or data in a schema. */
import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { stringsOf } from '../../reader/lanes/lane-call.ts'
import { requireSchema } from '../extraction/extract-data.ts'
import type { ExtractData } from '../extraction/extraction.ts'
import type { SchemaChecker } from '../extraction/schema-checker.ts'
import { answerQuestion, withoutNumbers } from './answer-question.ts'
import type { EngineTools, FoundPages } from './find-pages.ts'
import type { PassageDeps } from './passage-searches.ts'
import { periodBetween } from './period.ts'
import { readContents } from './read-contents.ts'
import { engineFieldsOf, searchFor } from './row-searches.ts'
import { contentTermsOf } from './terms.ts'

export type CitedDeps = PassageDeps & {
  readonly checker: SchemaChecker
  /** Null without a language model. */
  readonly extractData: ExtractData | null
}

/** `mostMicros` is four fifths of the price. */
type Depth = { readonly rows: number; readonly reads: number; readonly mostMicros: Micros }
const STANDARD: Depth = { rows: 10, reads: 4, mostMicros: cents('0.8') }
const DEEP: Depth = { rows: 20, reads: 10, mostMicros: cents('4') }
const MAX_SNIPPET_CHARS = 500

export function citedSearches(deps: CitedDeps) {
  return {
    'cited.search': createCited(deps, STANDARD),
    'cited.deep-search': createCited(deps, DEEP),
  } satisfies Record<string, InHouseHandler>
}

function createCited(deps: CitedDeps, depth: Depth): InHouseHandler {
  return async (input, tools) => {
    const { outputType, includeInlineCitations } = input
    const question = String(input['q'])
    const schema = await readSchema(deps, input, tools)
    const found = await search(deps, input, depth, tools)
    if (outputType === 'searchResults')
      return {
        results: found.rows.map(({ url, title, snippet }) => ({
          type: 'text',
          name: title,
          url,
          content: snippet,
        })),
        ...engineFieldsOf(found),
      }
    if (schema !== null) return fill(deps, { question, schema, found, depth }, tools)
    const { answer, sources, answeredBy } = await answerQuestion(
      deps,
      question,
      found.rows,
      depth,
      tools,
    )
    return {
      ...(answer === null
        ? {}
        : { answer: includeInlineCitations === true ? answer : withoutNumbers(answer) }),
      sources: sources.map(({ name, url, text }) => ({
        name,
        url,
        snippet: text.slice(0, MAX_SNIPPET_CHARS),
      })),
      ...(answeredBy === null ? {} : { answered_by: answeredBy }),
      ...engineFieldsOf(found),
    }
  }
}

/** A deep search also searches for the words of the question alone, which other engines understand. */
function search(
  { findPages }: CitedDeps,
  input: Data,
  { rows }: Depth,
  tools: EngineTools,
): Promise<FoundPages> {
  const question = String(input['q'])
  const words = contentTermsOf(question).join(' ')
  const { fromDate, toDate } = input as Record<string, string | undefined>
  return findPages(
    searchFor(question, 'web', rows, {
      queries: rows === DEEP.rows && words !== '' ? [question, words] : [question],
      period: periodBetween(fromDate, toDate, tools.now()),
      includeDomains: stringsOf(input['includeDomains']),
      excludeDomains: stringsOf(input['excludeDomains']),
    }),
    tools,
  )
}

/** Null for another output than data. Throws AppError for an unusable schema, and without a model. */
async function readSchema(
  { checker, extractData }: CitedDeps,
  { outputType, structuredOutputSchema }: Data,
  { accountId, signal }: EngineTools,
): Promise<Data | null> {
  if (outputType !== 'structured') return null
  if (extractData === null)
    throw new AppError(
      'upstream_not_configured',
      'This gateway has no language model to fill a schema. Nothing was charged.',
      {
        param: 'outputType',
        fix: 'Use outputType sourcedAnswer or searchResults. The operator of this gateway can set UPSTREAM_LLM_KEY, UPSTREAM_LLM_URL or UPSTREAM_CITED_KEY.',
      },
    )
  const schema = fieldsOf(structuredOutputSchema)
  await requireSchema(checker, { schema, param: 'structuredOutputSchema' }, { accountId, signal })
  return schema
}

type Filling = {
  readonly question: string
  readonly schema: Data
  readonly found: FoundPages
  readonly depth: Depth
}

/** The data as the whole reply. Nothing without data, which is free. */
async function fill(
  { pages, extractData }: CitedDeps,
  { question, schema, found, depth }: Filling,
  tools: Parameters<InHouseHandler>[1],
): Promise<Data> {
  const urls = found.rows.slice(0, depth.reads).map(({ url }) => url)
  const read = await readContents(pages, urls, { text: true }, tools)
  const texts = [...read].map(([url, { title, text }]) => ({
    url,
    title: title ?? url,
    text: text ?? '',
  }))
  if (texts.length === 0 || extractData === null) return {}
  const { accountId, signal, mode } = tools
  const extracted = await extractData({
    wanted: { prompt: question, schema },
    pages: texts,
    mostMicros: depth.mostMicros,
    mode,
    visitor: { accountId, signal },
  })
  return extracted.kind === 'data' ? extracted.data : {}
}
