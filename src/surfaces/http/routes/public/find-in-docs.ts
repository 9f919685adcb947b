import { LRUCache } from 'lru-cache'
import type {
  DocumentationHit,
  DocumentationSearch,
} from '../../documentation/search-documentation.ts'
import type { PublicWork } from '../../guards/limit-public-work.ts'

const STORED_SEARCHES = 200

/** Hits of a query, best first. Throws AppError rate_limited or overloaded for a query that is not stored. */
export type FindInDocs = (query: string, ip: string) => Promise<readonly DocumentationHit[]>

export function createFindInDocs({ search }: DocumentationSearch, work: PublicWork): FindInDocs {
  const results = new LRUCache<string, readonly DocumentationHit[]>({ max: STORED_SEARCHES })
  return async (query, ip) => {
    const known = query === '' ? [] : results.get(query)
    if (known !== undefined) return known
    work.start(ip)
    const hits = await search(query)
    results.set(query, hits)
    return hits
  }
}
