import { AppError } from '../../errors/app-error.ts'
import type { Visitor } from '../../lib/fairness/fair-slots.ts'
import { isRoleName } from '../shared/mail-address.ts'
import { isWebmailDomain } from '../shared/mail-domains.ts'
import type { AddressReport, CheckAddress } from './check-address.ts'
import { formsOf, mailboxNames, parsePersonName } from './person-names.ts'
import type { PublishedAddress, ReadSiteAddresses, SiteAddresses } from './read-site-addresses.ts'
import { UNCHECKED } from './verdicts.ts'

/**
 * The address of a person. `report` is the check that confirmed it; `published` the pages that name
 * it. `unchecked` is the reason why no guess could be confirmed or excluded.
 */
export type FoundAddress = {
  readonly report: AddressReport | null
  readonly published: PublishedAddress | null
  readonly readMs: number
  readonly unchecked?: string
}

export type FindAddressDeps = {
  readonly checkAddress: CheckAddress
  readonly readSite: ReadSiteAddresses
  /** The time to read the site, and of the whole search. */
  readonly findTimes: { readonly siteMs: number; readonly wholeMs: number }
}

const LATE = 'The email server was too slow for the forms of the name. Try again later.'
const ACCEPTS_ALL =
  'The email server accepts every address of the domain, so no address can be confirmed.'

/**
 * Confirms the usual forms of a name at a domain with its email server, published addresses first.
 * Returns only an address that the server accepts while it rejects others. Throws AppError
 * `no_results` for a domain of an email provider and a name without Latin letters.
 */
export async function findAddress(
  { checkAddress, readSite, findTimes }: FindAddressDeps,
  { name, domain }: { readonly name: string; readonly domain: string },
  { accountId, signal: ended }: Visitor,
): Promise<FoundAddress> {
  const person = parsePersonName(name)
  if (person === null || isWebmailDomain(domain))
    throw new AppError(
      'no_results',
      person === null
        ? `"${name.slice(0, 100)}" has no Latin letters, as addresses have. Nothing was charged.`
        : `${domain} belongs to an email provider, so a name identifies no address there. Nothing was charged.`,
    )
  const signal = AbortSignal.any([ended, AbortSignal.timeout(findTimes.wholeMs)])
  const site = await readWithin(findTimes.siteMs, readSite, domain, { accountId, signal })
  const own = site.addresses.filter(({ email }) => email.endsWith(`@${domain}`))
  const localOf = ({ email }: PublishedAddress) => email.slice(0, email.lastIndexOf('@'))
  const forms = new Set(formsOf(person))
  // A first name alone could be that of another person.
  const published = own.find(
    (address) => localOf(address) !== person.first && forms.has(localOf(address)),
  )
  const personal = own.map(localOf).filter((local) => !isRoleName(local))
  const names = published === undefined ? mailboxNames(person, personal) : [localOf(published)]
  for (const local of names) {
    const report = await checkAddress(`${local}@${domain}`, { accountId, signal }).catch(
      (error: unknown) => {
        if (!signal.aborted || ended.aborted) throw error
        return null
      },
    )
    if (report === null)
      return { report: null, published: null, readMs: site.readMs, unchecked: LATE }
    const known = { published: published ?? null, readMs: site.readMs }
    if (report.finding === 'accepted') return { ...known, report }
    // A published address needs no guess, so a server that hides its mailboxes does not matter.
    if (published !== undefined && report.finding !== 'rejected') return { ...known, report }
    if (report.finding === 'no_mail_server') break
    if (report.finding !== 'rejected')
      return {
        report: null,
        published: null,
        readMs: site.readMs,
        unchecked: reasonOf(report),
      }
  }
  return { report: null, published: null, readMs: site.readMs }
}

/** The published addresses; an empty list for a site that cannot be read within its time. */
async function readWithin(
  siteMs: number,
  readSite: ReadSiteAddresses,
  domain: string,
  { accountId, signal }: Visitor,
): Promise<SiteAddresses> {
  const late = AbortSignal.timeout(siteMs)
  try {
    return await readSite(domain, { accountId, signal: AbortSignal.any([signal, late]) })
  } catch (error) {
    const isUnreadable = error instanceof AppError && error.code === 'no_results'
    if (!isUnreadable && (!late.aborted || signal.aborted)) throw error
    return { addresses: [], readMs: 0 }
  }
}

function reasonOf({ finding }: AddressReport): string {
  if (finding === 'accepts_all') return ACCEPTS_ALL
  return UNCHECKED[finding] ?? 'The email server gave no clear answer. Try again later.'
}
