/** What the search actions of `core` take, and how it reads as a wish. */
import { Type, type Static } from 'typebox'
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
import { sinceOf, type SearchWish } from './wish.ts'

const domain = Type.String({ minLength: 1, maxLength: 300 })

export const searchFields = {
  query: text('What to look for, in plain words.', 400, NOT_BLANK),
  limit: whole('Maximum number of rows to return, 1 to 25.', 1, 25, { default: 10 }),
  freshness: optional(
    choice('Only what was published within this time.', ['day', 'week', 'month', 'year']),
  ),
  include_domains: optional(list('Only these domains, their subdomains included.', domain, 20)),
  exclude_domains: optional(list('Never these domains, nor their subdomains.', domain, 20)),
  country: optional(
    countryCode('Country whose results come first, as a two-letter code such as "de".'),
  ),
  topic: choice('What kind of thing to find.', ['web', 'news', 'papers', 'code'], {
    default: 'web',
  }),
}
export const onesearchInput = params(searchFields)
export type OnesearchInput = Static<typeof onesearchInput>

/** Services are asked for at least this many: what several of them find is the better result. */
const LEAST_COUNT = 10
const SPARE = 5
const MOST_COUNT = 20

/** Where code and the talk about it live: what topic code means when the caller names no domains. */
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

/** `nowMs` decides where the window of `freshness` starts. */
export function wishOf(input: OnesearchInput, nowMs: number): SearchWish {
  const includeDomains = domainsOf(input.include_domains, 'include_domains')
  return {
    query: input.query,
    count: Math.min(MOST_COUNT, Math.max(LEAST_COUNT, input.limit + SPARE)),
    topic: input.topic,
    freshness: input.freshness ?? null,
    since: input.freshness === undefined ? null : sinceOf(input.freshness, nowMs),
    includeDomains:
      includeDomains.length === 0 && input.topic === 'code' ? CODE_HOSTS : includeDomains,
    excludeDomains: domainsOf(input.exclude_domains, 'exclude_domains'),
    country: input.country?.toUpperCase() ?? null,
  }
}

/** Throws AppError invalid_params that names the first domain that is none. */
export function checkDomains({
  include_domains: included,
  exclude_domains: excluded,
}: Pick<OnesearchInput, 'include_domains' | 'exclude_domains'>): void {
  domainsOf(included, 'include_domains')
  domainsOf(excluded, 'exclude_domains')
}

/** Bare hosts, also of whole addresses; "www." and "*." say nothing. */
function domainsOf(texts: readonly string[] | undefined, param: string): string[] {
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
