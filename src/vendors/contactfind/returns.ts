/** From ContactOut's API documentation. */
import { uncheckedField } from '../../catalog/answers/unchecked.ts'
import {
  address,
  answer,
  anything,
  count,
  either,
  flag,
  items,
  mapOf,
  maybe,
  number,
  oneOf,
  open,
  record,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const status = maybe(count("The vendor's status of the answer. 200 is success."))
const company = {
  name: maybe(text('The name of the company.')),
  url: maybe(address('The LinkedIn page of the company.')),
  linkedin_company_id: maybe(count('The id of the company at LinkedIn.')),
  domain: maybe(text('The main domain of the company.')),
  email_domain: maybe(text('The domain of its email addresses.')),
  overview: maybe(text('What the company states about itself.')),
  type: maybe(text('The legal form, such as "Privately Held".')),
  size: maybe(either('The number of employees.', number('A number.'), text('A range.'))),
  country: maybe(text('The country of the head office.')),
  headquarter: maybe(text('The city of the head office.')),
  industry: maybe(text('The industry.')),
  founded_at: maybe(count('The year of foundation.')),
  revenue: maybe(anything('The yearly revenue, as the vendor estimates it.')),
  website: maybe(address('The website.')),
  logo_url: maybe(address('The logo.')),
  specialties: maybe(words('What the company works on.')),
  locations: maybe(words('The offices.')),
}
const year = (what: string) => maybe(count(`The year of the ${what}.`))
const month = (what: string) => maybe(count(`The month of the ${what}, from 1.`))
const period = {
  start_date_year: year('start'),
  start_date_month: month('start'),
  end_date_year: year('end'),
  end_date_month: month('end'),
}
const person = {
  full_name: maybe(text('The full name.')),
  headline: maybe(text('The line under the name at LinkedIn.')),
  title: maybe(text('The current job title.')),
  location: maybe(text('The place, as the person writes it.')),
  country: maybe(text('The country.')),
  industry: maybe(text('The industry.')),
  summary: maybe(text('What the person states in the profile.')),
  company: maybe(record('The current employer.', company)),
  experience: maybe(
    items(
      'The jobs, newest first.',
      either(
        'A job: in fields, or as one text in a search.',
        text('A job.'),
        record('A job.', {
          title: maybe(text('The job title.')),
          summary: maybe(text('A description of the job.')),
          locality: maybe(text('The place of the job.')),
          company_name: maybe(text('The employer.')),
          linkedin_url: maybe(address('The LinkedIn page of the employer.')),
          ...period,
          is_current: maybe(flag('Whether the person still has this job.')),
        }),
      ),
    ),
  ),
  education: maybe(
    items(
      'The schools, newest first.',
      either(
        'A school: in fields, or as one text in a search.',
        text('A school.'),
        record('A school.', {
          field_of_study: maybe(text('The subject.')),
          description: maybe(text('A description of the studies.')),
          school_name: maybe(text('The name of the school.')),
          degree: maybe(text('The degree.')),
          ...period,
        }),
      ),
    ),
  ),
  skills: maybe(words('Skills that the profile lists.')),
  languages: maybe(items('Languages that the profile lists.', anything('A language.'))),
  certifications: maybe(items('Certificates of the person.', anything('A certificate.'))),
  followers: maybe(count('The number of followers at LinkedIn.', 'followers')),
  profile_picture_url: maybe(address('The photo.')),
  li_vanity: maybe(text('The name in the URL of the LinkedIn profile.')),
  updated_at: maybe(time('When the vendor last changed the record.')),
}
const emails = (description: string) => maybe(words(description))
const contacts = {
  email: emails('All email addresses.'),
  work_email: emails('Email addresses at employers.'),
  work_email_status: maybe(
    open('By work email address: "Verified", or "Unverified" if the mailbox was not checked.'),
  ),
  personal_email: emails('Private email addresses.'),
  phone: maybe(words('Phone numbers, if requested.')),
  github: maybe(words('GitHub names.')),
}

export const returns: Returns = {
  'people-search': answer({
    status_code: status,
    metadata: maybe(
      record('Facts about the list.', {
        page: maybe(count('The page number, from 1.')),
        page_size: maybe(count('The size of a page.', 'profiles')),
        total_results: maybe(count('The number of all matches.', 'profiles')),
      }),
    ),
    profiles: maybe(
      either(
        'The people by the URL of their LinkedIn profile. A page without people may be an empty list.',
        mapOf(
          'The people by the URL of their LinkedIn profile.',
          record('A person.', {
            ...person,
            contact_availability: maybe(
              record('Which contact data linkedin-contacts would find.', {
                work_email: maybe(flag('Whether an address at the employer is known.')),
                personal_email: maybe(flag('Whether a private address is known.')),
                phone: maybe(flag('Whether a phone number is known.')),
              }),
            ),
          }),
        ),
        items('Empty.', anything('Nothing.')),
      ),
    ),
  }),
  'linkedin-contacts': answer({
    status_code: status,
    profile: record('The contact data.', {
      url: maybe(address('The URL of the LinkedIn profile.')),
      ...contacts,
    }),
  }),
  'person-from-email': answer({
    status_code: status,
    profile: record('The person.', {
      url: maybe(address('The URL of the LinkedIn profile.')),
      ...contacts,
      ...person,
    }),
  }),
  'email-verify': answer({
    ...uncheckedField,
    status_code: status,
    data: record('The verdict.', {
      status: maybe(
        oneOf('Whether the address receives email. accept_all: the server accepts any address.', [
          'valid',
          'invalid',
          'accept_all',
          'disposable',
          'unknown',
        ]),
      ),
    }),
  }),
}
