/** Parts of the inputs of search services. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { SearchRequest } from './search-request.ts'

/** A field, or nothing for a missing value. */
export function optional(name: string, value: unknown): Data {
  return value === undefined || value === null ? {} : { [name]: value }
}

/** Adds the domains to the query as search operators, if they fit within the limits. */
export function withSites(
  {
    query,
    includeDomains,
    excludeDomains,
  }: Pick<SearchRequest, 'query' | 'includeDomains' | 'excludeDomains'>,
  maxChars: number,
  maxWords: number,
): string {
  const words = query.split(/\s+/).slice(0, maxWords).join(' ').slice(0, maxChars)
  const sites = includeDomains.map((domain) => `site:${domain}`).join(' OR ')
  const whole = [
    words,
    includeDomains.length > 1 ? `(${sites})` : sites,
    ...excludeDomains.map((domain) => `-site:${domain}`),
  ]
    .filter((part) => part !== '')
    .join(' ')
  return whole.length <= maxChars && whole.split(' ').length <= maxWords ? whole : words
}

/** Sends one list, because some services reject both. `fuse` applies the other. */
export function domainFields(
  { includeDomains, excludeDomains }: SearchRequest,
  include: string,
  exclude: string,
): Data {
  if (includeDomains.length > 0) return { [include]: includeDomains }
  return excludeDomains.length > 0 ? { [exclude]: excludeDomains } : {}
}
