/**
 * Tomba's API: two headers, GET requests with the answer under `data`. A miss is a success without
 * content.
 */
import { companyFor, peopleFor, personFor, type SimulatedPerson } from '../../simulators/people.ts'
import { countOf, headerCredential, isMiss, json, routed } from '../../simulators/routed.ts'
import type { SimulatedReply, SimulatedRequest } from '../../simulators/vendor.ts'

function failure(status: number, reason: string): SimulatedReply {
  const message =
    reason === 'quota'
      ? 'You have used up the credits of your plan.'
      : `Simulated failure (${reason}).`
  return json({ errors: { type: reason, message, code: status } }, status)
}

/** A lookup by one of several query fields. Returns `found` for a hit and `none` for a miss. */
function lookup(
  names: readonly string[],
  found: (value: string, request: SimulatedRequest) => unknown,
  none: unknown,
) {
  return (request: SimulatedRequest): SimulatedReply => {
    const value = names
      .map((name) => request.query.get(name))
      .find((text) => text !== null && text !== '')
    if (value === undefined || value === null)
      return failure(400, `${names.join(' or ')} is missing`)
    return json({ data: isMiss(request, 'emailintel') ? none : found(value, request) })
  }
}

const NO_PERSON = {
  email: null,
  first_name: null,
  last_name: null,
  full_name: null,
  score: null,
  sources: [],
}

const emailintel = routed({
  credential: headerCredential('x-tomba-key', 'x-tomba-secret'),
  quotaStatus: 429,
  failure,
  routes: {
    'GET /email-verifier/:email': (_, { email = '' }) =>
      json({ data: { email: verdictOf(email), sources: [] } }),
    'GET /email-finder': lookup(
      ['domain', 'company'],
      (at, { query }) =>
        rowOf(personFor(nameOf(query), at.includes('.') ? at : companyFor(at).domain)),
      NO_PERSON,
    ),
    'GET /linkedin': lookup(['url'], (url) => rowOf(personFor(url)), NO_PERSON),
    'GET /author-finder': lookup(
      ['url'],
      (url) => ({
        ...rowOf(personFor('', URL.parse(url)?.hostname)),
        info: { title: 'A simulated article' },
      }),
      NO_PERSON,
    ),
    'GET /enrich': lookup(['email'], (email) => rowOf(personFor(email)), NO_PERSON),
    'GET /phone-finder': lookup(
      ['email', 'domain', 'linkedin'],
      (value, { query }) => phoneOf(personFor(value), query),
      null,
    ),
    'GET /domain-search': domainSearch,
  },
})

function nameOf(query: URLSearchParams): string {
  return (
    query.get('full_name') ?? `${query.get('first_name') ?? ''} ${query.get('last_name') ?? ''}`
  )
}

/** The local part of an address selects a verdict: risky@, undeliverable@. */
function verdictOf(email: string) {
  const asked = /^(risky|undeliverable|nobody)/.exec(email)?.[1] ?? 'deliverable'
  const result = asked === 'nobody' ? 'undeliverable' : asked
  return {
    email,
    mx_check: true,
    smtp_check: result === 'deliverable',
    accept_all: result === 'risky',
    disposable: false,
    webmail: false,
    regex: true,
    status:
      { deliverable: 'valid', risky: 'accept_all', undeliverable: 'invalid' }[result] ?? 'unknown',
    result,
    score: { deliverable: 97, risky: 50, undeliverable: 1 }[result] ?? 0,
  }
}

function rowOf(person: SimulatedPerson) {
  return {
    email: person.email,
    first_name: person.firstName,
    last_name: person.lastName,
    full_name: person.fullName,
    country: 'US',
    position: person.title,
    company: person.company,
    website_url: person.domain,
    linkedin: person.linkedinUrl,
    twitter: null,
    phone_number: true,
    score: 95,
    verification: { date: '2026-05-01', status: 'valid' },
    sources: [],
  }
}

function phoneOf({ email, domain, phone }: SimulatedPerson, query: URLSearchParams) {
  const digits = phone.replaceAll(/\D/g, '')
  return {
    email: query.get('email') ?? email,
    domain,
    linkedin: query.get('linkedin'),
    valid: true,
    local_format: phone.slice(3),
    intl_format: phone,
    e164_format: `+${digits}`,
    country_code: 'US',
    line_type: 'MOBILE',
    timezones: ['America/New_York'],
  }
}

const TOTAL = 31

function domainSearch(request: SimulatedRequest): SimulatedReply {
  const { query } = request
  const at = query.get('domain') ?? query.get('company') ?? ''
  const limit = countOf(query.get('limit'), 10)
  if (at === '') return failure(400, 'domain or company is missing')
  if (![10, 20, 50].includes(limit)) return failure(400, 'limit is 10, 20 or 50')
  const page = countOf(query.get('page'), 1)
  const total = isMiss(request, 'emailintel') ? 0 : TOTAL
  const { name, domain } = companyFor(at)
  const people = peopleFor(
    at,
    Math.max(0, Math.min(limit, total - (page - 1) * limit)),
    (page - 1) * limit,
  )
  const emails = people.map((person) => ({
    email: person.email.replace(/@.*$/, `@${domain}`),
    first_name: person.firstName,
    last_name: person.lastName,
    type: 'personal',
    position: person.title,
    department: query.get('department') ?? 'finance',
    seniority: 'executive',
    linkedin: null,
    score: 90,
    verification: { status: 'valid' },
    sources: [],
  }))
  return json({
    data: {
      organization: {
        website_url: domain,
        organization: name,
        pattern: '{first}.{last}',
        accept_all: false,
      },
      emails,
    },
    meta: {
      total,
      pageSize: limit,
      current: page,
      total_pages: Math.ceil(total / limit),
      params: { domain },
    },
  })
}

export const simulators = { emailintel }
