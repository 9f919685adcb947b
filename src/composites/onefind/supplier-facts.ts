/** What the suppliers' replies say of a person, in the fields of a row. They are read leniently: vendors rename leaves. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import { domainOf, isWebmail, profileUrlOf } from './identifiers.ts'
import type { Facts } from './person-row.ts'
import { known, listOf, textOf } from './read-reply.ts'

/** contactfind/linkedin-contacts and contactfind/person-from-email: everything stands under `profile`. */
export function factsOfContactfind(data: Data): Facts {
  const profile = fieldsOf(data['profile'])
  const company = fieldsOf(profile['company'])
  const job = listOf(profile['experience']).map(fieldsOf).find(isPresent)
  const [headlineTitle] = (textOf(profile['headline']) ?? '').split(/\s+(?:at|@)\s+/)
  const email = emailOf(profile['work_email'], profile['email'], profile['personal_email'])
  return known({
    name: textOf(profile['full_name'], profile['name']),
    title: textOf(profile['title'], job?.['title'], headlineTitle),
    company: textOf(
      company['name'],
      typeof profile['company'] === 'string' ? profile['company'] : undefined,
      job?.['company_name'],
    ),
    location: textOf(profile['location']),
    linkedin: profileOf(
      profile['url'],
      profile['linkedin'],
      profile['linkedin_url'],
      vanity(profile['li_vanity']),
    ),
    email,
    phone: textOf(profile['phone'], profile['phones']),
    domain: hostOf(company['domain'], company['website'], workDomain(email)),
    industry: textOf(company['industry'], profile['industry']),
    headcount: textOf(company['size'], company['headcount'], company['employees']),
    hq: textOf(company['headquarter'], company['headquarters'], company['hq'], company['location']),
  })
}

/** emailintel/enrich and emailintel/linkedin-finder: one person under `data`. `phone_number` there only says whether one exists. */
export function factsOfEmailintel(data: Data): Facts {
  const person = fieldsOf(data['data'])
  const email = emailOf(person['email'], person['emails'])
  return known({
    name: textOf(
      person['full_name'],
      [person['first_name'], person['last_name']].map((part) => textOf(part) ?? '').join(' '),
    ),
    title: textOf(person['position'], person['title']),
    company: textOf(person['company'], person['organization']),
    location: textOf(person['location'], person['country']),
    linkedin: profileOf(person['linkedin']),
    email,
    domain: hostOf(person['website_url'], person['domain'], workDomain(email)),
    industry: textOf(person['industry']),
    headcount: textOf(person['company_size']),
  })
}

function isPresent(job: Data): boolean {
  return (
    job['is_current'] === true ||
    (job['is_current'] === undefined && (job['end_date'] === undefined || job['end_date'] === null))
  )
}

/** Lists may hold addresses or objects that hold one. */
function emailOf(...values: readonly unknown[]): string | undefined {
  const addresses = values
    .flatMap((value): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .map((value) => textOf(value, fieldsOf(value)['email']))
  return addresses.find((address) => address?.includes('@'))
}

function profileOf(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const profile = profileUrlOf(textOf(value) ?? '')
    if (profile !== null) return profile
  }
  return undefined
}

function vanity(value: unknown): string | undefined {
  const name = textOf(value)
  return name === undefined || name.includes('/') ? name : `https://www.linkedin.com/in/${name}`
}

function workDomain(email: string | undefined): string | undefined {
  return email === undefined || isWebmail(email) ? undefined : domainOf(email)
}

function hostOf(...values: readonly unknown[]): string | undefined {
  return textOf(...values)
    ?.toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[/?#].*$/, '')
}
