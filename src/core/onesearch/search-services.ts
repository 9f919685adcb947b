/**
 * The search services that are fused, one small record each: which topics it serves, how it wants to be asked, and
 * where its reply keeps the hits. What a service cannot filter is filtered here for all of them alike.
 */
import type { Data } from '../../catalog/outcome.ts'
import { listOf, textOf } from './reply.ts'
import type { Hit, SearchWish, Topic } from './wish.ts'

export type SearchService = {
  readonly service: string
  readonly action: string
  readonly topics: readonly Topic[]
  /** It keeps to the window of `freshness` itself. */
  readonly honoursFreshness: boolean
  readonly input: (wish: SearchWish) => Data
  readonly hits: (reply: Data) => readonly Hit[]
}

const SEMANTIC_CATEGORY: Readonly<Partial<Record<Topic, string>>> = { news: 'news', papers: 'research', code: 'github' }

const semantic: SearchService = {
  service: 'semantic',
  action: 'search',
  topics: ['web', 'news', 'papers', 'code'],
  honoursFreshness: true,
  input: (wish) => {
    // That category takes no other site.
    const isElsewhere = wish.topic === 'code' && wish.includeDomains.length > 0
    return {
      query: wish.query,
      numResults: wish.count,
      contents: { highlights: { maxCharacters: 400 } },
      ...(isElsewhere ? {} : optional('category', SEMANTIC_CATEGORY[wish.topic])),
      ...optional('start_published_date', wish.since ?? undefined),
      ...domainFields(wish, 'include_domains', 'exclude_domains'),
    }
  },
  hits: (reply) => listOf(reply['results']).map((row) => hitOf(row, { snippet: joined(row['highlights']), published: row['publishedDate'] })),
}

/** In the order in which a small budget takes them. */
export const searchServices: readonly SearchService[] = [semantic]

function hitOf(row: Data, { title = row['title'], snippet, published }: { readonly title?: unknown; readonly snippet: unknown; readonly published?: unknown }): Hit {
  return { url: textOf(row['url']) ?? '', title: textOf(title), snippet: textOf(snippet), published: textOf(published) }
}

/** Passages of a page as one text. */
function joined(passages: unknown): string {
  return Array.isArray(passages) ? passages.filter((passage) => typeof passage === 'string').join(' … ') : ''
}

function optional(name: string, value: unknown): Data {
  return value === undefined ? {} : { [name]: value }
}

/** Some services refuse both lists at once; the other one is kept to afterwards anyway. */
function domainFields({ includeDomains, excludeDomains }: SearchWish, include: string, exclude: string): Data {
  if (includeDomains.length > 0) return { [include]: includeDomains }
  return excludeDomains.length > 0 ? { [exclude]: excludeDomains } : {}
}
