import {
  address,
  answer,
  count,
  flag,
  maybe,
  oneOf,
  record,
  records,
  text,
  orNull,
} from '../../catalog/vocabulary/returns.ts'
import { PERSON_FIELDS } from './person-row.ts'
import { calls, chargedCents, chargedMicros, hops, next, spending } from '../shared/returns.ts'

const SKIPS = ['webmail', 'not_needed']
const SUPPLIERS = ['semantic', 'contactfind', 'emailintel', 'input']

const source = (field: string) => maybe(oneOf(`The supplier of \`${field}\`.`, SUPPLIERS))

const row = {
  id: text('The LinkedIn URL if it is known, otherwise the text that identified the person.'),
  input: maybe(text('The text of your row, if `rows` was sent.')),
  name: orNull(text('The full name.')),
  title: orNull(text('The current job title.')),
  company: orNull(text('The current employer.')),
  location: orNull(text('Where the person lives or works.')),
  linkedin: orNull(address('The URL of the LinkedIn profile.')),
  email: orNull(
    text(
      'An email address. null with `enriched` false: not looked up; with true: no supplier has it.',
    ),
  ),
  phone: orNull(text('A phone number.')),
  domain: orNull(text("The employer's domain.")),
  industry: orNull(text("The employer's industry.")),
  headcount: orNull(text("The employer's number of employees: a number or a range.")),
  hq: orNull(text("The place of the employer's head office.")),
  sources: record(
    'The supplier of each known field: a service, or "input" if you sent it.',
    Object.fromEntries(PERSON_FIELDS.map((field) => [field, source(field)])),
  ),
  enriched: flag('Whether contact data was looked up.'),
  hops: hops('The calls made for this person, in order.', SKIPS),
  charged_cents: chargedCents('The charge of this row'),
  charged_micros: chargedMicros('The charge of this row'),
  error: maybe(
    oneOf('Why the row is incomplete. Absent if it is complete.', [
      'over budget',
      'not found',
      'lookup failed',
      'cancelled',
      'deadline',
      'a phone number cannot be looked up',
      'no person named',
      'no person profile',
    ]),
  ),
}

export const returns = {
  onefind: answer({
    query: text('Your query.'),
    person: flag('Whether the query names one person. Then there is exactly one row.'),
    row_count: count('The number of people.'),
    enriched: flag('Always false: core/onefind-deep looks up contact data.'),
    rows: records('The people, best match first.', row),
    calls: calls(SKIPS),
    next,
  }),
  'onefind-deep': answer({
    query: orNull(text('Your query. null if `rows` was sent.')),
    row_count: count('The number of rows.'),
    enriched_count: count('The number of rows whose contact data was looked up.'),
    skipped_count: count('The number of rows that the budget did not cover.'),
    stats: record('What the lookups found. Fields that you sent do not count.', {
      emails: count('The number of rows with a found email address.'),
      phones: count('The number of rows with a found phone number.'),
    }),
    rows: records('The people, in the order of `rows` or best match first.', row),
    calls: calls(SKIPS),
    next,
    ...spending,
  }),
}
