import { Type, type Static } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import {
  choice,
  emailAddress,
  flag,
  list,
  optional,
  text,
  texts,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { done, empty, failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { filledRows, isFilled } from '../../catalog/answers/filled.ts'
import { uncheckedOutcome } from '../../catalog/answers/unchecked.ts'
import { computed, flat } from '../../catalog/vocabulary/tariff.ts'
import { mapStatusToCode, field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { get, keyHeader, post, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const contactOut: Vendor = {
  baseUrl: 'https://api.contactout.com',
  auth: keyHeader('token'),
  docsUrl: 'https://api.contactout.com/',
  limits: { perMinute: 1_000 },
  // The vendor's edge rejects requests without a user agent.
  readFailure: (reply) =>
    vendorFailure(reply, {
      code: mapVendorCode(reply.status),
      message: field(reply.body, 'message'),
    }),
}

/** 403 means used-up credit or a plan without the endpoint; 404 means a miss. */
function mapVendorCode(status: number) {
  if (status === 403) return 'upstream_payment'
  return status === 404 ? 'no_results' : mapStatusToCode(status)
}

const reply = Type.Object({
  status_code: Type.Optional(Type.Integer()),
  message: Type.Optional(Type.Unknown()),
  profile: Type.Optional(Type.Unknown()),
})

/**
 * The body can disagree with the HTTP status. A trial key gets sample data with a message about
 * unlocking.
 */
function failureInBody({ body }: Reply<Static<typeof reply>>): Outcome | undefined {
  const { status_code: status = 200, message } = body
  const words = typeof message === 'string' ? message.slice(0, 500) : ''
  if (status >= 400)
    return failed(
      mapVendorCode(status),
      words === '' ? `The vendor returned status ${status}.` : words,
      {
        upstream: {
          service: 'contactfind',
          status,
          code: null,
          message: words === '' ? null : words,
        },
      },
    )
  return /\bsample\b|\bunlock\b/i.test(words)
    ? failed(
        'upstream_not_configured',
        'The key of this gateway returns sample data only. Nothing was charged.',
      )
    : undefined
}

function profileOutcome(
  answer: Reply<Static<typeof reply>>,
  isHit: (profile: unknown) => boolean,
): Outcome {
  const failure = failureInBody(answer)
  if (failure !== undefined) return failure
  return isHit(answer.body.profile)
    ? done(answer.body)
    : failed('no_results', 'No data about this person was found.')
}

const SENIORITIES = [
  'Owner / Founder',
  'CXO',
  'Partner',
  'VP',
  'Head',
  'Director',
  'Manager',
  'Senior',
  'Entry',
  'Intern',
] as const
const anySpelling = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')
const SENIORITY_BY_SPELLING = new Map([
  ...SENIORITIES.map((name): [string, string] => [anySpelling(name), name]),
  ['owner', 'Owner / Founder'],
  ['founder', 'Owner / Founder'],
])
const BOOLEAN_WORDS = 'AND, OR and NOT in capitals work within an element.'
const words = (description: string) => optional(texts(description))

const searchInput = params({
  job_title: words(`Job titles. ${BOOLEAN_WORDS}`),
  past_job_title: words('Previous job titles.'),
  exclude_job_titles: words('Job titles to exclude.'),
  job_function: words('Departments, such as finance.'),
  skills: words(`Skills. ${BOOLEAN_WORDS}`),
  seniority: words(`Seniority levels, in any spelling of: ${SENIORITIES.join(', ')}.`),
  location: words('Places as free text.'),
  location_radius: optional(whole('Radius around the places in miles, 1 to 500.', 1, 500)),
  current_work_location: words('Places of the current job.'),
  past_work_location: words('Places of previous jobs.'),
  company: words('Company names.'),
  past_company: words('Previous companies.'),
  exclude_companies: words('Companies to exclude.'),
  domain: words('Company domains.'),
  industry: words('Industries.'),
  company_size: words('Company sizes by head count, such as 51_200.'),
  company_filter: optional(
    choice('The jobs to which "company" applies.', ['current', 'past', 'past_only', 'both']),
  ),
  current_company_only: optional(flag('Only people who currently work there; true if omitted.')),
  years_of_experience: words('Codes such as 0_1, 1_2, 3_5, 6_10, 10.'),
  years_in_current_role: words('Codes such as 0_2, 3_5.'),
  education: words('Schools or degrees.'),
  languages: words('Languages.'),
  keyword: optional(text(`Words anywhere in the profile. ${BOOLEAN_WORDS}`, 1_000)),
  name: optional(text('Name of the person.', 200)),
  recently_changed_jobs: optional(flag('Only people who recently changed jobs.')),
  current_titles_only: optional(flag('Only current titles; true if omitted.')),
  include_related_job_titles: optional(flag('Also titles with the same meaning.')),
  match_experience: optional(
    choice('The jobs to which all filters apply.', ['current', 'past', 'both']),
  ),
  data_types: optional(
    list(
      'Only people with this kind of contact data.',
      Type.Enum(['personal_email', 'work_email', 'phone']),
      3,
    ),
  ),
  page: whole('Page number, from 1.', 1, 1_000, { default: 1 }),
  page_size: whole('Profiles per page, 1 to 25. Each returned profile costs 1¢.', 1, 25, {
    default: 10,
  }),
})
type SearchInput = Static<typeof searchInput>

/** Pairs of parameters that the vendor rejects with 400. */
const EXCLUSIVE = [
  ['match_experience', 'current_titles_only'],
  ['match_experience', 'company_filter'],
  ['recently_changed_jobs', 'years_in_current_role'],
] as const

function checkSearch(input: SearchInput): void {
  for (const [one, other] of EXCLUSIVE) {
    if (input[one] === undefined || input[other] === undefined) continue
    throw new AppError('invalid_params', `"${other}" cannot be combined with "${one}".`, {
      param: other,
      fix: `Remove one of the two.`,
    })
  }
  const unknown = (input.seniority ?? []).findIndex(
    (level) => !SENIORITY_BY_SPELLING.has(anySpelling(level)),
  )
  if (unknown < 0) return
  throw new AppError(
    'invalid_params',
    `"${input.seniority?.[unknown]}" is not a seniority level.`,
    {
      param: `seniority[${unknown}]`,
      fix: `Use one of: ${SENIORITIES.join(', ')}.`,
    },
  )
}

/**
 * A later page starts where the previous one ends, so a smaller page size would return other
 * people.
 */
function leastPageSize({ page, page_size: size }: Static<typeof searchInput>): number {
  return page === 1 ? 1 : size
}

/** Maps LinkedIn URLs to profiles. An empty page may be a list. */
const searchReply = Type.Object({ ...reply.properties, profiles: Type.Optional(Type.Unknown()) })

function searchOutcome(answer: Reply<Static<typeof searchReply>>): Outcome {
  const failure = failureInBody(answer)
  if (failure !== undefined) return failure
  const { profiles } = answer.body
  const units =
    typeof profiles === 'object' && profiles !== null
      ? filledRows(Object.values(profiles)).length
      : 0
  return units === 0 ? empty(answer.body) : { kind: 'done', data: answer.body, units }
}

const contactsInput = params({
  profile: text(
    'URL of the LinkedIn profile. It must contain linkedin.com/in/ or linkedin.com/pub/.',
    500,
    {
      pattern: '[Ll][Ii][Nn][Kk][Ee][Dd][Ii][Nn]\\.[Cc][Oo][Mm]/([Ii][Nn]|[Pp][Uu][Bb])/[^/\\s]+',
    },
  ),
  include_phone: flag('Also returns phone numbers. A hit then costs 30¢ instead of 10¢.', {
    default: false,
  }),
  email_type: optional(
    choice('Type of addresses; both types if omitted.', [
      'personal',
      'work',
      'personal,work',
      'none',
    ]),
  ),
})
type ContactsInput = Static<typeof contactsInput>

function checkContacts({ include_phone: phone, email_type: kind }: ContactsInput): void {
  if (kind === 'none' && !phone)
    throw new AppError('invalid_params', 'The call asks for neither addresses nor phone numbers.', {
      param: 'email_type',
      fix: 'Choose another "email_type", or set "include_phone" to true.',
    })
}

/** Whether a field contains only the requested value. */
function isOnly(value: unknown, requested: string): boolean {
  return [value]
    .flat()
    .every((part) => typeof part === 'string' && part.toLowerCase() === requested.toLowerCase())
}

const CONTACT_FIELDS = ['email', 'work_email', 'personal_email', 'phone']

export const service = defineService({
  id: 'contactfind',
  title: 'Find people and how to reach them',
  category: 'people and companies',
  vendor: contactOut,
  returns,
  actions: {
    'people-search': call({
      title: 'Search people by title and company',
      summary:
        'Search people by title, company, place, skills and twenty more filters. 1¢ per profile found.',
      description:
        'Profiles contain title, company and place, and list the available contact data. contactfind/linkedin-contacts reveals that data.',
      keywords: [
        'prospecting',
        'lead list',
        'find contacts',
        'linkedin search',
        'employees of a company',
        'decision makers',
      ],
      input: searchInput,
      example: {
        job_title: ['CFO OR "Finance Director"'],
        location: ['Lyon'],
        seniority: ['cxo'],
        page_size: 3,
      },
      price: {
        kind: 'unit',
        rate: cents('1'),
        unit: 'profile',
        atMost: ({ page_size }) => page_size,
        counted: { by: 'number', field: 'page_size', least: leastPageSize },
      },
      priceSource:
        'List price of this gateway, 2026-11; the vendor bills one search credit per profile.',
      timeoutMs: 60_000,
      untrustedContent: true,
      limits: { perMinute: 60 },
      check: checkSearch,
      request: ({ seniority, ...filters }) =>
        post('/v1/people/search', {
          ...filters,
          seniority: seniority?.map((level) => SENIORITY_BY_SPELLING.get(anySpelling(level))),
        }),
      reply: searchReply,
      outcome: searchOutcome,
    }),
    'linkedin-contacts': call({
      title: 'Contact details of a LinkedIn profile',
      summary: 'Get the email addresses, and optionally the phone numbers, of a LinkedIn profile.',
      description:
        'Returns `profile` with the lists email, work_email, personal_email and phone. A lookup with include_phone costs 30¢, even if the profile has addresses but no phone number. A miss is free.',
      keywords: ['email from linkedin', 'phone from linkedin', 'reveal contact', 'contact details'],
      input: contactsInput,
      example: { profile: 'https://www.linkedin.com/in/ana-example' },
      price: computed(
        ({ include_phone }: ContactsInput) => cents(include_phone ? '30' : '10'),
        cents('10'),
        cents('30'),
      ),
      priceSource: 'List price of this gateway, 2026-11.',
      timeoutMs: 60_000,
      check: checkContacts,
      request: ({ profile, include_phone, email_type }) =>
        get('/v1/people/linkedin', {
          profile,
          include_phone: include_phone ? 'true' : undefined,
          email_type,
        }),
      reply,
      outcome: (answer) =>
        profileOutcome(answer, (profile) =>
          CONTACT_FIELDS.some((name) => isFilled(field(profile, name))),
        ),
    }),
    'person-from-email': call({
      title: 'Person behind an email address, with work history',
      summary:
        'Find the person behind an email address: name, title, company, LinkedIn profile and work history.',
      keywords: [
        'reverse email lookup',
        'who is this',
        'enrich email',
        'person behind address',
        'linkedin profile from email',
      ],
      input: params({ email: emailAddress('The email address to look up.') }),
      example: { email: 'ana.example@example.com' },
      price: flat(cents('10')),
      priceSource: 'List price of this gateway, 2026-11.',
      timeoutMs: 60_000,
      untrustedContent: true,
      request: ({ email }) => get('/v1/email/enrich', { email }),
      reply,
      outcome: (answer, { email }) =>
        profileOutcome(
          answer,
          (profile) =>
            typeof profile === 'object' &&
            profile !== null &&
            Object.values(profile).some((value) => isFilled(value) && !isOnly(value, email)),
        ),
    }),
    'email-verify': call({
      title: 'Check whether an address accepts mail',
      summary:
        'Check whether an email address accepts mail: valid, invalid, accept_all, disposable or unknown.',
      keywords: ['verify email', 'email validation', 'deliverable', 'bounce check'],
      input: params({ email: emailAddress('The email address to check.') }),
      example: { email: 'ana.example@example.com' },
      price: flat(cents('2')),
      priceSource:
        'List price of this gateway, 2026-11; the vendor bills one verifier credit per check.',
      timeoutMs: 60_000,
      request: ({ email }) => get('/v1/email/verify', { email }),
      reply: Type.Object({
        ...reply.properties,
        data: Type.Optional(Type.Object({ status: Type.String({ minLength: 1 }) })),
      }),
      inHouse: 'contactfind.email-verify',
      inHousePart: 'emails',
      outcome: (answer) =>
        failureInBody(answer) ??
        uncheckedOutcome(answer.body) ??
        (answer.body.data === undefined
          ? failed('upstream_error', 'The vendor returned no verdict.')
          : done(answer.body)),
    }),
  },
})
