import { Type, type Static, type TObject } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import {
  choice,
  countryCode,
  domainName,
  emailAddress,
  flag,
  optional,
  pageAddress,
  text,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { call, defineService, params, type CallAction } from '../../catalog/vocabulary/define.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { done, empty, type Data } from '../../catalog/vocabulary/outcome.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { uncheckedOutcome } from '../../catalog/answers/unchecked.ts'
import { flat, type Billing } from '../../catalog/vocabulary/tariff.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { requireWebAddress, type AddressCheck } from '../../catalog/validate/web-address.ts'
import { get, keyHeaders, type QueryValue, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { requirePublicDomain } from '../../composites/emails/require-domain.ts'
import { rejectInHouse } from '../shared/in-house-pages.ts'
import { returns } from './returns.ts'

const tomba: Vendor = {
  baseUrl: 'https://api.tomba.io/v1',
  auth: keyHeaders({ 'x-tomba-key': 'KEY', 'x-tomba-secret': 'SECRET' }),
  docsUrl: 'https://docs.tomba.io/',
  readFailure: (reply) => {
    const errors = field(reply.body, 'errors')
    const message = field(errors, 'message')
    const spent =
      reply.status === 429 &&
      typeof message === 'string' &&
      /credit|quota|limit of your plan/i.test(message)
    // 402 is not a demand for payment: the checked server gave an odd answer.
    const code = spent ? 'upstream_payment' : reply.status === 402 ? 'upstream_error' : undefined
    return vendorFailure(reply, { code, vendorCode: field(errors, 'type'), message })
  },
}

/** An executed lookup is charged even without a result. */
const chargedOnMiss: Billing = { chargeWhen: 'success', onMiss: 'charged', onPartial: 'full_price' }

type Lookup<S extends TObject> = {
  readonly title: string
  readonly summary: string
  readonly description?: string
  readonly keywords: readonly string[]
  readonly input: S
  readonly example: Partial<Static<S>>
  readonly priceCents: string
  readonly path: string | ((input: Static<S>) => string)
  /** The caller's input by default. */
  readonly query?: (input: Static<S>) => Record<string, QueryValue>
  readonly check?: (input: Static<S>, checkAddress: AddressCheck) => void
  readonly isHit: (data: unknown) => boolean
  /** The answer contains no text by third parties. */
  readonly isTrusted?: true
  /** Fields added next to the vendor's body, where callers expect them. */
  readonly extraFields?: (data: unknown) => Data
  /** A retry often succeeds after a server error of this route. */
  readonly flaky?: true
  /** The handler of the part `emails`, and the input that it does not support. */
  readonly inHouse?: string
  readonly inHouseCheck?: (input: Static<S>) => void
}

/** Every action is one GET with its answer under `data`. */
function lookup<S extends TObject>({
  priceCents,
  path,
  query,
  isHit,
  isTrusted,
  extraFields,
  flaky,
  inHouse,
  inHouseCheck,
  ...spec
}: Lookup<S>): CallAction {
  const request = (input: Static<S>) =>
    get(
      typeof path === 'string' ? path : path(input),
      query?.(input) ?? (input as Record<string, QueryValue>),
    )
  return call({
    ...spec,
    price: flat(cents(priceCents)),
    priceSource:
      'List price of this gateway, 2026-11: a lookup is charged, with or without a result.',
    billing: chargedOnMiss,
    timeoutMs: 90_000,
    untrustedContent: isTrusted !== true,
    request: (input) => ({
      ...request(input),
      ...(flaky === true ? { retry: { times: 2, afterMs: 1_500 } } : {}),
    }),
    // No retry, because a merchant is paid for each attempt.
    merchant: { at: tempoMerchant('https://mpp.orthogonal.com/tomba/v1'), request },
    ...(inHouse === undefined ? {} : { inHouse, inHousePart: 'emails', inHouseCheck }),
    reply: Type.Object({ data: Type.Unknown() }),
    outcome: ({ body }) => {
      const data = { ...extraFields?.(body.data), ...body }
      return uncheckedOutcome(data) ?? (isHit(body.data) ? done(data) : empty(data))
    },
  })
}

const hasEmail = (data: unknown) => isFilled(field(data, 'email'))

const companyOrDomain = {
  domain: optional(domainName('Domain of the company; more reliable than its name.')),
  company: optional(text('Name of the company, 3 to 75 characters.', 75, { minLength: 3 })),
}
const DOMAIN_OR_COMPANY = { anyOf: [{ required: ['domain'] }, { required: ['company'] }] }

/** The vendor accepts both and may answer for either. */
function preferDomain({
  company,
  ...input
}: Readonly<Record<string, QueryValue>>): Record<string, QueryValue> {
  return { ...input, ...(input['domain'] === undefined ? { company } : {}) }
}

const profileUrl = (description: string) =>
  text(description, 500, { pattern: '[Ll][Ii][Nn][Kk][Ee][Dd][Ii][Nn]\\.[Cc][Oo][Mm]/' })
const DEPARTMENTS = [
  'engineering',
  'sales',
  'finance',
  'hr',
  'it',
  'marketing',
  'operations',
  'management',
] as const
const PHONE_KEYS = ['email', 'domain', 'linkedin'] as const

const phoneInput = params(
  {
    email: optional(emailAddress('Email address of the person.')),
    domain: optional(domainName('Domain of the company.')),
    linkedin: optional(profileUrl('URL of the LinkedIn profile. It must contain linkedin.com/.')),
    full: optional(flag('Returns every known number.')),
  },
  { anyOf: PHONE_KEYS.map((name) => ({ required: [name] })) },
)

function checkOneKey(input: Static<typeof phoneInput>): void {
  const [, second] = PHONE_KEYS.filter((name) => input[name] !== undefined)
  if (second === undefined) return
  throw new AppError(
    'invalid_params',
    `"${second}" is not allowed: send only one of ${PHONE_KEYS.join(', ')} to look up a phone number.`,
    {
      param: second,
      fix: 'Send exactly one of them.',
    },
  )
}

export const service = defineService({
  id: 'emailintel',
  title: 'Find, verify and enrich email addresses',
  category: 'people and companies',
  vendor: tomba,
  returns,
  actions: {
    'email-verifier': lookup({
      title: 'Verify an email address',
      summary:
        'Check whether an email address is deliverable. The verdict is at data.email.result.',
      description:
        'The verdict is deliverable, undeliverable or risky, with details about mail server and syntax.',
      keywords: ['verify email', 'email validation', 'bounce check', 'deliverability'],
      input: params({ email: emailAddress('The email address to check.') }),
      example: { email: 'ana.example@example.com' },
      priceCents: '2',
      path: ({ email }) => `/email-verifier/${encodeURIComponent(email)}`,
      query: () => ({}),
      // Makes the path "data.email.result" valid in the answer as well as in the vendor's body.
      extraFields: (data) => ({ email: field(data, 'email') ?? null }),
      isHit: (data) => isFilled(field(data, 'email')),
      isTrusted: true,
      inHouse: 'emailintel.email-verifier',
    }),
    'email-finder': lookup({
      title: 'Find a person’s email address',
      summary: 'Find the email address of a person by name and company.',
      keywords: ['find email', 'guess email', 'email of a person at a company', 'work email'],
      input: params(
        { ...companyOrDomain, full_name: text('First and last name.', 200) },
        DOMAIN_OR_COMPANY,
      ),
      example: { domain: 'example.com', full_name: 'Ana Example' },
      priceCents: '4',
      path: '/email-finder',
      query: preferDomain,
      isHit: hasEmail,
      inHouse: 'emailintel.email-finder',
      inHouseCheck: ({ domain }) => void requirePublicDomain(domain, 'domain'),
    }),
    'linkedin-finder': lookup({
      title: 'Email address of a LinkedIn profile',
      summary: 'Find the email address of a LinkedIn profile. Takes about twelve seconds.',
      keywords: ['email from linkedin', 'linkedin to email'],
      input: params({
        url: profileUrl('URL of the LinkedIn profile. It must contain linkedin.com/.'),
        full: optional(flag('Returns every known address.')),
      }),
      example: { url: 'https://www.linkedin.com/in/ana-example' },
      priceCents: '5',
      path: '/linkedin',
      isHit: (data) => hasEmail(data) || isFilled(field(data, 'emails')),
      flaky: true,
    }),
    'domain-search': lookup({
      title: 'Email addresses at a company',
      summary: 'List the known email addresses at a company, by department and country.',
      keywords: ['emails of a company', 'company contacts', 'email pattern', 'staff emails'],
      input: params(
        {
          ...companyOrDomain,
          department: optional(choice('Only this department.', DEPARTMENTS)),
          country: optional(countryCode('Only people in this country, as two letters.')),
          type: optional(
            choice('Personal addresses, or role addresses such as info@.', ['personal', 'generic']),
          ),
          page: whole('Page number, from 1.', 1, 1_000, { default: 1 }),
          limit: Type.Enum([10, 20, 50], {
            default: 10,
            description: 'Addresses per page: 10, 20 or 50.',
          }),
        },
        DOMAIN_OR_COMPANY,
      ),
      example: { domain: 'example.com', department: 'sales', limit: 10 },
      priceCents: '4',
      path: '/domain-search',
      query: (input) => ({ ...preferDomain(input), country: input.country?.toUpperCase() }),
      isHit: (data) => isFilled(field(data, 'emails')),
      inHouse: 'emailintel.domain-search',
      inHouseCheck({ domain, country }) {
        rejectInHouse('country', country)
        requirePublicDomain(domain, 'domain')
      },
    }),
    'author-finder': lookup({
      title: 'Email address of an article’s author',
      summary: 'Find the email address of the author of an article.',
      keywords: ['journalist email', 'blogger contact', 'writer of an article'],
      input: params({ url: pageAddress('URL of the article (http or https).') }),
      example: { url: 'https://blog.rust-lang.org/2015/05/15/Rust-1.0/' },
      priceCents: '4',
      path: '/author-finder',
      inHouse: 'emailintel.author-finder',
      check: ({ url }, checkAddress) => requireWebAddress(url, 'url', checkAddress),
      isHit: hasEmail,
    }),
    enrich: lookup({
      title: 'Person behind an email address',
      summary: 'Find the person behind an email address: name, position, company and profiles.',
      keywords: ['reverse email lookup', 'enrich email', 'person behind address'],
      input: params({ email: emailAddress('The email address to look up.') }),
      example: { email: 'ana.example@example.com' },
      priceCents: '4',
      path: '/enrich',
      isHit: (data) => isFilled(field(data, 'full_name')) || isFilled(field(data, 'first_name')),
    }),
    'phone-finder': lookup({
      title: 'Find a phone number',
      summary: 'Find a phone number by email address, company domain or LinkedIn profile.',
      keywords: ['phone number', 'mobile number', 'phone lookup', 'look up a phone', 'call a lead'],
      input: phoneInput,
      example: { email: 'ana.example@example.com' },
      priceCents: '10',
      path: '/phone-finder',
      check: checkOneKey,
      isTrusted: true,
      isHit: (data) =>
        ['e164_format', 'intl_format', 'local_format', 'phones'].some((name) =>
          isFilled(field(data, name)),
        ) ||
        (Array.isArray(data) && data.length > 0),
    }),
  },
})
