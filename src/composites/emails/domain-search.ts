import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { departmentOf, isRoleName } from '../shared/mail-address.ts'
import type { PublishedAddress, SiteAddresses } from './read-site-addresses.ts'

/** The reply of emailintel/domain-search: addresses with the pages that publish them. */
export function searchDomain(domain: string, site: SiteAddresses, input: Data): Data {
  const { department, type, page, limit } = input
  const matching = site.addresses
    .map((address) => ({ address, local: localOf(address) }))
    .filter(({ local }) => department === undefined || departmentOf(local) === department)
    .filter(({ local }) => type === undefined || typeOf(local) === type)
  const [size, current] = [Number(limit), Number(page)]
  const shown = matching.slice((current - 1) * size, current * size)
  return {
    data: {
      organization: { website_url: domain },
      emails: shown.map(({ address, local }) => ({
        email: address.email,
        type: typeOf(local),
        department: departmentOf(local),
        sources: sourcesOf(address, site.readMs),
      })),
    },
    meta: {
      total: matching.length,
      pageSize: size,
      current,
      total_pages: Math.ceil(matching.length / size),
      params: { domain },
    },
  }
}

/** The status and results of an emailasync search for role addresses. */
export function toDomainScan({ addresses }: SiteAddresses): Data {
  const emails = addresses
    .filter((address) => isRoleName(localOf(address)))
    .map(({ email }) => ({ email, certainty: 'sure' }))
  return { status: emails.length > 0 ? 'FOUND' : 'NOT_FOUND', results: { emails } }
}

function localOf({ email }: PublishedAddress): string {
  return email.slice(0, email.lastIndexOf('@'))
}

function typeOf(local: string): 'personal' | 'generic' {
  return isRoleName(local) ? 'generic' : 'personal'
}

/** The pages that publish the address, in the vendor's shape. */
export function sourcesOf({ pages }: PublishedAddress, readMs: number): readonly Data[] {
  const seen = new Date(readMs).toISOString()
  return pages.map((uri) => ({
    uri,
    website_url: new URL(uri).hostname,
    last_seen_on: seen,
    still_on_page: true,
  }))
}
