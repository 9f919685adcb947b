/** Searches in the reply shapes of vendors that return titles, URLs and descriptions. */
import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import { asText } from '../../catalog/answers/vendor-failure.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { Pages } from '../../reader/create-pages.ts'
import { stringsOf } from '../../reader/lanes/lane-call.ts'
import type { SearchRow } from '../onesearch/fuse.ts'
import type { Freshness, Topic } from '../onesearch/search-request.ts'
import {
  ANY_TIME,
  type EngineTools,
  type FindPages,
  type FoundPages,
  type PageSearch,
  type Period,
} from './find-pages.ts'
import { languageOf } from './language.ts'
import { mapInTime } from '../extraction/map-in-time.ts'
import { periodBetween, periodOf, periodOfTbs } from './period.ts'

type RowDeps = {
  readonly findPages: FindPages
  readonly pages: Pick<Pages, 'render2Scrape'>
}

const FRESHNESS: Readonly<Record<string, Freshness>> = {
  pd: 'day',
  pw: 'week',
  pm: 'month',
  py: 'year',
}
const SAFE_SEARCH: Readonly<Record<string, PageSearch['safeSearch']>> = {
  off: 0,
  moderate: 1,
  strict: 2,
}
const READ_MS = 8_000
const FORMATS = ['markdown', 'html', 'rawHtml', 'links'] as const

/** A search for one query with the defaults of the engines. */
export function searchFor(
  query: unknown,
  topic: Topic,
  count: unknown,
  more: Partial<PageSearch> = {},
): PageSearch {
  return {
    queries: [String(query)],
    topic,
    period: ANY_TIME,
    language: null,
    includeDomains: [],
    excludeDomains: [],
    count: Number(count),
    page: 1,
    safeSearch: 1,
    ...more,
  }
}

/** The fields that every in-house search adds to the vendor's. */
export function engineFieldsOf({ engines, undated }: FoundPages): Data {
  return { engines, ...(undated === 0 ? {} : { undated }) }
}

export function rowSearches({ findPages, pages }: RowDeps) {
  return {
    'indep.search': async (input, tools) => {
      const found = await findPages(toIndepSearch(input, 'web', tools), tools)
      const { rows } = found
      return {
        type: 'search',
        query: toIndepQuery(input, rows),
        ...(rows.length === 0 ? {} : { web: { results: rows.map(toIndepRow) } }),
        ...engineFieldsOf(found),
      }
    },
    'indep.news': async (input, tools) => {
      const found = await findPages(toIndepSearch(input, 'news', tools), tools)
      const results = found.rows.map((row) => ({ ...toIndepRow(row), source: hostOf(row) }))
      return {
        type: 'news',
        query: toIndepQuery(input, found.rows),
        results,
        ...engineFieldsOf(found),
      }
    },
    'render.search': async (input, tools) => {
      const groups = await searchGroups(findPages, input, tools, {
        language: languageOf(undefined, input['country']),
      })
      const data: Data = Object.fromEntries(
        groups.map(({ source, found }) => [source, found.rows.map(RENDER_ROWS[source])] as const),
      )
      return { success: true, data, ...mergedEngines(groups) }
    },
    'render2.search': async (input, tools) => {
      const startedMs = tools.now()
      const groups = await searchGroups(findPages, input, tools, {
        language: languageOf(input['lang'], undefined),
      })
      const read = async ({ rows }: FoundPages) =>
        readRows(pages, { rows, options: input['scrapeOptions'], startedMs }, tools)
      const lists = await Promise.all(groups.map(async ({ found }) => read(found)))
      const data =
        input['sources'] === undefined
          ? lists[0]
          : Object.fromEntries(groups.map(({ source }, at) => [source, lists[at]]))
      return { success: true, data, ...mergedEngines(groups) }
    },
  } satisfies Record<string, InHouseHandler>
}

function toIndepSearch(input: Data, topic: Topic, { now }: EngineTools): PageSearch {
  const { q, count, offset, country, search_lang: language, safesearch, freshness } = input
  return searchFor(q, topic, count, {
    period: indepPeriod(freshness, now()),
    language: languageOf(language, country),
    page: Number(offset ?? 0) + 1,
    safeSearch: SAFE_SEARCH[asText(safesearch)] ?? 1,
  })
}

function indepPeriod(freshness: unknown, nowMs: number): Period {
  if (typeof freshness !== 'string') return ANY_TIME
  const [from = '', to] = freshness.split('to')
  return to === undefined
    ? periodOf(FRESHNESS[freshness] ?? null, nowMs)
    : periodBetween(from, to, nowMs)
}

function toIndepQuery({ q, count }: Data, rows: readonly SearchRow[]): Data {
  return { original: q, more_results_available: rows.length === count }
}

function toIndepRow({ title, url, snippet, published_at: at, sources }: SearchRow): Data {
  const { protocol, host, hostname, pathname } = new URL(url)
  return {
    title,
    url,
    description: snippet,
    ...(at === null ? {} : { page_age: at }),
    meta_url: { scheme: protocol.slice(0, -1), netloc: host, hostname, path: pathname },
    engines: sources,
  }
}

type Source = 'web' | 'news'
type Group = { readonly source: Source; readonly found: FoundPages }

/** One search for each kind of results in `sources`. */
async function searchGroups(
  findPages: FindPages,
  { query, limit, sources, tbs }: Data,
  tools: EngineTools,
  more: Partial<PageSearch>,
): Promise<readonly Group[]> {
  const wanted = sources === undefined ? ['web'] : stringsOf(sources)
  const kinds = (['web', 'news'] as const).filter((source) => wanted.includes(source))
  const period = periodOfTbs(tbs, tools.now())
  return Promise.all(
    kinds.map(async (source) => ({
      source,
      found: await findPages(searchFor(query, source, limit, { ...more, period }), tools),
    })),
  )
}

function mergedEngines(groups: readonly Group[]): Data {
  const all = groups.map(({ found }) => found)
  const answered = [...new Set(all.flatMap(({ engines }) => engines.answered))]
  const failed = all.flatMap(({ engines }) => engines.failed)
  const byName = new Map(failed.map((one) => [one.name, one]))
  return engineFieldsOf({
    rows: [],
    engines: { answered, failed: [...byName.values()] },
    undated: all.reduce((sum, { undated }) => sum + undated, 0),
  })
}

const RENDER_ROWS: Readonly<Record<Source, (row: SearchRow, at: number) => Data>> = {
  web: ({ url, title, snippet }, at) => ({ url, title, description: snippet, position: at + 1 }),
  news: ({ url, title, snippet, published_at: date }, at) => ({
    url,
    title,
    snippet,
    date,
    position: at + 1,
  }),
}

/** The rows, with the content of their pages if the caller wants it. */
async function readRows(
  { render2Scrape }: RowDeps['pages'],
  { rows, options, startedMs }: { rows: readonly SearchRow[]; options: unknown; startedMs: number },
  tools: EngineTools,
): Promise<readonly Data[]> {
  const listed = rows.map(({ url, title, snippet, score }, at) => ({
    url,
    title,
    description: snippet,
    snippet,
    position: at + 1,
    score,
  }))
  if (options === undefined) return listed
  const contents = await mapInTime<SearchRow, Data>(tools, {
    items: rows,
    startedMs,
    late: {},
    work: async ({ url }, signal) => {
      const call = { ...tools, signal, timeoutMs: READ_MS }
      const reply = await render2Scrape({ ...(options as Data), url, renderJs: false }, call)
      if (!reply.success || reply.data.metadata.statusCode >= 400) return {}
      const wanted = FORMATS.flatMap((format) =>
        reply.data[format] === undefined ? [] : [[format, reply.data[format]] as const],
      )
      return Object.fromEntries(wanted)
    },
  })
  return listed.map((row, at) => ({ ...row, ...contents[at] }))
}

function hostOf({ url }: SearchRow): string {
  return new URL(url).hostname.replace(/^www\./, '')
}
