/** The input of the search actions, and its conversion into a `SearchRequest`. */
import { Type, type Static } from '../../lib/schema.ts'
import {
  choice,
  countryCode,
  list,
  NOT_BLANK,
  optional,
  text,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { parseTypedAddress } from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import { params } from '../../catalog/vocabulary/define.ts'
import { windowStart, type SearchRequest } from './search-request.ts'

const domain = Type.String({ minLength: 1, maxLength: 300 })

export const searchFields = {
  query: text('The search query, in plain words.', 400, NOT_BLANK),
  limit: whole('Maximum number of rows to return, 1 to 25.', 1, 25, { default: 10 }),
  freshness: optional(
    choice('Only results published within this time.', ['day', 'week', 'month', 'year']),
  ),
  include_domains: optional(list('Only these domains, including their subdomains.', domain, 20)),
  exclude_domains: optional(list('Excludes these domains and their subdomains.', domain, 20)),
  country: optional(
    countryCode('Country to prefer in the results, as a two-letter code such as "de".'),
  ),
  topic: choice('The type of results.', ['web', 'news', 'papers', 'code'], {
    default: 'web',
  }),
}
export const onesearchInput = params(searchFields)
export type OnesearchInput = Static<typeof onesearchInput>

/** The least number of rows to request: results found by several services rank higher. */
const LEAST_COUNT = 10
const SPARE = 5
const MOST_COUNT = 20

/** The domains of the topic `code` if the caller names none. */
const CODE_HOSTS = [
  'github.com',
  'gitlab.com',
  'codeberg.org',
  'stackoverflow.com',
  'npmjs.com',
  'pypi.org',
  'crates.io',
  'pkg.go.dev',
  'huggingface.co',
]

/** `nowMs` is the end of the `freshness` window. */
export function toSearchRequest(input: OnesearchInput, nowMs: number): SearchRequest {
  const includeDomains = toHosts(input.include_domains, 'include_domains')
  return {
    query: input.query,
    count: Math.min(MOST_COUNT, Math.max(LEAST_COUNT, input.limit + SPARE)),
    topic: input.topic,
    freshness: input.freshness ?? null,
    since: input.freshness === undefined ? null : windowStart(input.freshness, nowMs),
    includeDomains:
      includeDomains.length === 0 && input.topic === 'code' ? CODE_HOSTS : includeDomains,
    excludeDomains: toHosts(input.exclude_domains, 'exclude_domains'),
    country: input.country?.toUpperCase() ?? null,
  }
}

/** Throws AppError invalid_params with the name of the first invalid domain. */
export function checkDomains({
  include_domains: included,
  exclude_domains: excluded,
}: Pick<OnesearchInput, 'include_domains' | 'exclude_domains'>): void {
  toHosts(included, 'include_domains')
  toHosts(excluded, 'exclude_domains')
}

/** The hosts of domains or URLs, without a leading "www." or "*.". */
function toHosts(texts: readonly string[] | undefined, param: string): string[] {
  const hosts = (texts ?? []).map((written, index) => {
    const host = parseTypedAddress(written.trim().replace(/^\*?\./, ''))
      ?.hostname.replace(/^www\./, '')
      .replace(/\.+$/, '')
    if (host !== undefined && host.includes('.')) return host
    throw new AppError('invalid_params', `"${param}[${index}]" is not a domain.`, {
      param: `${param}[${index}]`,
      fix: 'Send a domain such as "example.com".',
    })
  })
  return [...new Set(hosts)]
}
