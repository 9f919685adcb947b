/** From Tomba's API reference. */
import { uncheckedField } from '../../catalog/answers/unchecked.ts'
import {
  address,
  answer,
  anything,
  count,
  flag,
  maybe,
  number,
  oneOf,
  open,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const sources = maybe(
  records('Public pages with the address.', {
    uri: maybe(address('The URL of the page.')),
    website_url: maybe(text('The site of the page.')),
    extracted_on: maybe(time('When the vendor first saw the address there.')),
    last_seen_on: maybe(time('When the vendor last saw the address there.')),
    still_on_page: maybe(flag('Whether the address is still on the page.')),
  }),
)
const STATUSES = ['valid', 'invalid', 'accept_all', 'webmail', 'disposable', 'unknown']
const verification = maybe(
  record('The last check of the address.', {
    date: maybe(time('When the address was checked.')),
    status: maybe(oneOf('Whether the address receives email.', STATUSES)),
  }),
)
const score = maybe(number('How sure the address is, from 0 to 100.'))
const acceptAll = maybe(flag('Whether the server accepts every address of the domain.'))
const person = {
  email: maybe(text('The email address. Null if none was found.')),
  first_name: maybe(text('The first name.')),
  last_name: maybe(text('The last name.')),
  full_name: maybe(text('The full name.')),
  gender: maybe(text('The gender, as the vendor infers it from the name.')),
  country: maybe(text('The country as a two-letter code.')),
  position: maybe(text('The job title.')),
  company: maybe(text('The employer.')),
  website_url: maybe(text('The domain of the employer.')),
  linkedin: maybe(address('The LinkedIn profile.')),
  twitter: maybe(text('The Twitter name or profile.')),
  phone_number: maybe(
    anything('Whether emailintel/phone-finder knows a number: true or false, not the number.'),
  ),
  disposable: maybe(flag('Whether the domain gives out temporary addresses.')),
  webmail: maybe(flag('Whether the domain belongs to an email provider.')),
  accept_all: acceptAll,
  score,
  verification,
  sources,
}
const nothing = 'The person. Null if none was found.'
const emailFound = answer({ data: maybe(record(nothing, person)) })
/** This gateway finds some addresses itself. */
const emailFoundHere = answer({ ...uncheckedField, data: maybe(record(nothing, person)) })
const checks = maybe(
  record('The checks of the address.', {
    email: maybe(text('The address.')),
    result: maybe(
      oneOf('Whether email reaches the address.', ['deliverable', 'undeliverable', 'risky']),
    ),
    status: maybe(oneOf('The reason for the result.', STATUSES)),
    score: maybe(number('How sure the result is, from 0 to 100.')),
    regex: maybe(flag('Whether the address has a valid form.')),
    mx_check: maybe(flag('Whether the domain has email servers.')),
    mx: maybe(record('The email servers.', { records: maybe(words('The hosts.')) })),
    smtp_server: maybe(flag('Whether an email server answered.')),
    smtp_check: maybe(flag('Whether the email server accepts the address.')),
    smtp_provider: maybe(text('The operator of the email server, such as "google".')),
    accept_all: acceptAll,
    block: maybe(flag('Whether the server refused the check.')),
    gibberish: maybe(flag('Whether the name looks random.')),
    disposable: maybe(flag('Whether the domain gives out temporary addresses.')),
    webmail: maybe(flag('Whether the domain belongs to an email provider.')),
    greylisted: maybe(flag('Whether the server wants a second attempt.')),
    whois: maybe(open('The registration of the domain.')),
  }),
)

export const returns: Returns = {
  'email-verifier': answer({
    ...uncheckedField,
    email: checks,
    data: maybe(
      record('The verdict. Null if the vendor has none.', {
        email: checks,
        sources,
      }),
    ),
  }),
  'email-finder': emailFoundHere,
  'linkedin-finder': emailFound,
  'domain-search': answer({
    data: maybe(
      record('The company and its addresses.', {
        organization: maybe(
          record('The company.', {
            website_url: maybe(text('The domain.')),
            organization: maybe(text('The name.')),
            description: maybe(text('What the company does.')),
            industries: maybe(text('The industry.')),
            founded: maybe(anything('The year of foundation.')),
            company_size: maybe(text('The number of employees as a range.')),
            company_type: maybe(text('The legal form.')),
            revenue: maybe(text('The yearly revenue as a range.')),
            location: maybe(open('The head office.')),
            social_links: maybe(open('The profiles of the company.')),
            phone_number: maybe(anything('The phone number, or whether one is known.')),
            pattern: maybe(text('The usual form of its addresses, such as "{first}.{last}".')),
            accept_all: acceptAll,
            disposable: maybe(flag('Whether the domain gives out temporary addresses.')),
            webmail: maybe(flag('Whether the domain belongs to an email provider.')),
          }),
        ),
        emails: maybe(
          records('The addresses of this page.', {
            ...person,
            type: maybe(
              oneOf('Whether the address belongs to a person or a role.', ['personal', 'generic']),
            ),
            department: maybe(text('The department, such as "sales".')),
            seniority: maybe(text('The rank, such as "executive".')),
          }),
        ),
      }),
    ),
    meta: maybe(
      record('Facts about the list.', {
        total: maybe(count('The number of all addresses.', 'addresses')),
        pageSize: maybe(count('The size of a page.', 'addresses')),
        current: maybe(count('The page number, from 1.')),
        total_pages: maybe(count('The number of pages.', 'pages')),
        params: maybe(open('The parameters that the vendor applied.')),
      }),
    ),
  }),
  'author-finder': answer({
    ...uncheckedField,
    data: maybe(record(nothing, { ...person, info: maybe(open('Facts about the article.')) })),
  }),
  enrich: emailFound,
  'phone-finder': answer({
    data: maybe(
      record('The number. Null if none was found.', {
        email: maybe(text('The email address of the call.')),
        domain: maybe(text('The domain of the company.')),
        linkedin: maybe(address('The LinkedIn profile.')),
        valid: maybe(flag('Whether the number has a valid form.')),
        local_format: maybe(text('The number as it is written in its country.')),
        intl_format: maybe(text('The number with the country code and spaces.')),
        e164_format: maybe(text('The number for machines, such as "+33100000000".')),
        country_code: maybe(text('The country as a two-letter code.')),
        line_type: maybe(oneOf('The kind of line.', ['MOBILE', 'FIXED_LINE', 'VOIP'])),
        carrier: maybe(text('The network of the number.')),
        timezones: maybe(words('The time zones of the number.')),
      }),
    ),
  }),
}
