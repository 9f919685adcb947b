/** Converts the suppliers' replies into the fields of a row. Accepts several field names, because vendors rename them. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import { domainOf, isWebmail, toProfileUrl } from './identifiers.ts'
import type { Facts } from './person-row.ts'
import { withoutUndefined, toList, firstText } from './read-reply.ts'

/** contactfind/linkedin-contacts and contactfind/person-from-email: the person is in `profile`. */
export function readContactfind(data: Data): Facts {
  const profile = fieldsOf(data['profile'])
  const company = fieldsOf(profile['company'])
  const job = toList(profile['experience']).map(fieldsOf).find(isPresent)
  const [headlineTitle] = (firstText(profile['headline']) ?? '').split(/\s+(?:at|@)\s+/)
  const email = firstEmail(profile['work_email'], profile['email'], profile['personal_email'])
  return withoutUndefined({
    name: firstText(profile['full_name'], profile['name']),
    title: firstText(profile['title'], job?.['title'], headlineTitle),
    company: firstText(
      company['name'],
      typeof profile['company'] === 'string' ? profile['company'] : undefined,
      job?.['company_name'],
    ),
    location: firstText(profile['location']),
    linkedin: firstProfile(
      profile['url'],
      profile['linkedin'],
      profile['linkedin_url'],
      vanityUrl(profile['li_vanity']),
    ),
    email,
    phone: firstText(profile['phone'], profile['phones']),
    domain: firstHost(company['domain'], company['website'], workDomain(email)),
    industry: firstText(company['industry'], profile['industry']),
    headcount: firstText(company['size'], company['headcount'], company['employees']),
    hq: firstText(
      company['headquarter'],
      company['headquarters'],
      company['hq'],
      company['location'],
    ),
  })
}

/** emailintel/enrich and emailintel/linkedin-finder: the person is in `data`. Its `phone_number` is only a flag. */
export function readEmailintel(data: Data): Facts {
  const person = fieldsOf(data['data'])
  const email = firstEmail(person['email'], person['emails'])
  return withoutUndefined({
    name: firstText(
      person['full_name'],
      [person['first_name'], person['last_name']].map((part) => firstText(part) ?? '').join(' '),
    ),
    title: firstText(person['position'], person['title']),
    company: firstText(person['company'], person['organization']),
    location: firstText(person['location'], person['country']),
    linkedin: firstProfile(person['linkedin']),
    email,
    domain: firstHost(person['website_url'], person['domain'], workDomain(email)),
    industry: firstText(person['industry']),
    headcount: firstText(person['company_size']),
  })
}

function isPresent(job: Data): boolean {
  return (
    job['is_current'] === true ||
    (job['is_current'] === undefined && (job['end_date'] === undefined || job['end_date'] === null))
  )
}

/** The first email address of values, lists and objects with `email`. */
function firstEmail(...values: readonly unknown[]): string | undefined {
  const addresses = values
    .flatMap((value): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .map((value) => firstText(value, fieldsOf(value)['email']))
  return addresses.find((address) => address?.includes('@'))
}

function firstProfile(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const profile = toProfileUrl(firstText(value) ?? '')
    if (profile !== null) return profile
  }
  return undefined
}

function vanityUrl(value: unknown): string | undefined {
  const name = firstText(value)
  return name === undefined || name.includes('/') ? name : `https://www.linkedin.com/in/${name}`
}

function workDomain(email: string | undefined): string | undefined {
  return email === undefined || isWebmail(email) ? undefined : domainOf(email)
}

function firstHost(...values: readonly unknown[]): string | undefined {
  return firstText(...values)
    ?.toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[/?#].*$/, '')
}
