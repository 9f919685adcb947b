/** Searches in the reply shapes of vendors that return passages of the pages. */
import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import { newId, publicId } from '../../lib/ids.ts'
import { cents } from '../../lib/money.ts'
import { stringsOf } from '../../reader/lanes/lane-call.ts'
import type { Freshness, Topic } from '../onesearch/search-request.ts'
import { answerQuestion, withoutNumbers, type AnswerDeps } from './answer-question.ts'
import type { FindPages } from './find-pages.ts'
import { languageOf } from './language.ts'
import { periodBetween, periodOf } from './period.ts'
import { readContents } from './read-contents.ts'
import { engineFieldsOf, searchFor } from './row-searches.ts'

export type PassageDeps = AnswerDeps & { readonly findPages: FindPages }

/** Four fifths of the price of a search. */
const ANSWER_COST = cents('0.8')
const ANSWER_READS = 3
const EXCERPT_READS = 5
const MAX_QUERIES = 3
/** As in the requests to the vendor. */
const MAX_QUERY_CHARS = 200
const DAY_CHARACTERS = 10
const CATEGORY_TOPICS: Readonly<Record<string, Topic>> = { news: 'news', research: 'papers' }

export function passageSearches(deps: PassageDeps) {
  const { findPages, pages } = deps
  return {
    'rag.search': async (input, tools) => {
      const startedMs = tools.now()
      const { query, topic, country, max_results: count, include_raw_content: raw } = input
      const found = await findPages(
        searchFor(query, topic === 'news' ? 'news' : 'web', Math.max(Number(count), 1), {
          period: periodOf((input['time_range'] as Freshness | undefined) ?? null, startedMs),
          language: languageOf(undefined, country),
          includeDomains: stringsOf(input['include_domains']),
          excludeDomains: stringsOf(input['exclude_domains']),
        }),
        tools,
      )
      const rows = found.rows.slice(0, Number(count))
      const contents = await readContents(
        pages,
        isWanted(raw) ? rows.map(({ url }) => url) : [],
        { text: true },
        tools,
      )
      return {
        query,
        ...(isWanted(input['include_answer']) ? await answer(String(query), found) : {}),
        results: rows.map(({ url, title, snippet, score, published_at: at }) => ({
          title,
          url,
          content: snippet,
          score,
          raw_content: contents.get(url)?.text ?? null,
          ...(topic === 'news' ? { published_date: at } : {}),
        })),
        images: [],
        response_time: (tools.now() - startedMs) / 1_000,
        request_id: publicId('request', newId(startedMs)),
        ...engineFieldsOf(found),
      }

      async function answer(question: string, { rows: all }: typeof found): Promise<Data> {
        const limits = { reads: ANSWER_READS, mostMicros: ANSWER_COST }
        const { answer: text, answeredBy } = await answerQuestion(
          deps,
          question,
          all,
          limits,
          tools,
        )
        return text === null ? {} : { answer: withoutNumbers(text), answered_by: answeredBy }
      }
    },
    'semantic.search': async (input, tools) => {
      const { query, numResults, category, contents } = input
      const { start_published_date: from, end_published_date: to } = input as Record<
        string,
        string | undefined
      >
      const found = await findPages(
        searchFor(query, CATEGORY_TOPICS[String(category)] ?? 'web', numResults, {
          period: periodBetween(from, to, tools.now()),
          includeDomains:
            category === 'github' ? ['github.com'] : hostsOf(input['include_domains']),
          excludeDomains: hostsOf(input['exclude_domains']),
        }),
        tools,
      )
      const urls = contents === undefined ? [] : found.rows.map(({ url }) => url)
      const read = await readContents(pages, urls, toWish(contents, query), tools)
      return {
        requestId: publicId('request', newId(tools.now())),
        searchType: 'keyword',
        results: found.rows.map(({ url, title, score, published_at: at }) => {
          const { text, highlights, highlightScores } = read.get(url)?.fields ?? {}
          return {
            id: url,
            url,
            title,
            ...(at === null ? {} : { publishedDate: at }),
            score,
            ...(text === undefined ? {} : { text }),
            ...(highlights === undefined ? {} : { highlights, highlightScores }),
          }
        }),
        ...engineFieldsOf(found),
      }
    },
    'agentic.search': async (input, tools) => {
      const { objective, query, max_results: count, mode } = input
      const named = [...(query === undefined ? [] : [query]), ...stringsOf(input['search_queries'])]
      const all =
        named.length === 0 ? [String(objective).slice(0, MAX_QUERY_CHARS)] : named.map(String)
      const [first = '', ...others] = [...new Set(all)].slice(0, MAX_QUERIES)
      const found = await findPages(
        searchFor(first, 'web', count, { queries: [first, ...others] }),
        tools,
      )
      const purpose = [objective, first].filter((one) => typeof one === 'string').join(' ')
      const reads = mode === 'turbo' ? 0 : EXCERPT_READS
      const read = await readContents(
        pages,
        found.rows.slice(0, reads).map(({ url }) => url),
        { highlights: { query: purpose } },
        tools,
      )
      return {
        search_id: publicId('request', newId(tools.now())),
        results: found.rows.map(({ url, title, snippet, published_at: at }) => {
          const passages = read.get(url)?.highlights ?? []
          return {
            url,
            title,
            publish_date: at?.slice(0, DAY_CHARACTERS) ?? null,
            excerpts: passages.length > 0 || snippet === null ? passages : [snippet],
          }
        }),
        ...engineFieldsOf(found),
      }
    },
  } satisfies Record<string, InHouseHandler>
}

function isWanted(value: unknown): boolean {
  return value !== undefined && value !== false
}

/** Domains, also with a path, as hosts. */
function hostsOf(domains: unknown): readonly string[] {
  return stringsOf(domains).map((domain) =>
    domain.replace(/^[a-z]+:\/\//i, '').replace(/\/.*$/, ''),
  )
}

/** Passages fit the query of the search by default. */
function toWish(contents: unknown, query: unknown): Data {
  const { text, highlights } = fieldsOf(contents)
  return {
    ...(text === undefined ? {} : { text }),
    ...(isWanted(highlights) ? { highlights: { query, ...fieldsOf(highlights) } } : {}),
  }
}
