/** ContactOut's API: the header token. A miss is a 404, and the body repeats the status. */
import { personFor, peopleFor, type SimulatedPerson } from '../../simulators/people.ts'
import { countOf, headerCredential, isMiss, json, routed } from '../../simulators/routed.ts'
import { bodyField, type SimulatedReply, type SimulatedRequest } from '../../simulators/vendor.ts'

function failure(status: number, reason: string): SimulatedReply {
  return json({ status_code: status, message: `Simulated failure (${reason}).` }, status)
}

const contactfind = routed({
  credential: headerCredential('token'),
  quotaStatus: 403,
  failure,
  routes: {
    'POST /v1/people/search': search,
    'GET /v1/people/linkedin': (request) => {
      const profile = request.query.get('profile') ?? ''
      if (!/linkedin\.com\/(in|pub)\//i.test(profile))
        return failure(400, 'profile is not an address of LinkedIn')
      return isMiss(request, 'contactfind')
        ? failure(404, 'Not Found')
        : json({ status_code: 200, profile: contactsOf(request, personFor(profile)) })
    },
    'GET /v1/email/enrich': (request) => {
      const email = request.query.get('email') ?? ''
      if (!email.includes('@')) return failure(400, 'email is missing')
      return isMiss(request, 'contactfind')
        ? failure(404, 'Not Found')
        : json({ status_code: 200, profile: profileOf(personFor(email)) })
    },
    'GET /v1/email/verify': (request) => {
      const email = request.query.get('email') ?? ''
      const status = isMiss(request, 'contactfind')
        ? 'invalid'
        : (/^(valid|invalid|accept_all|disposable|unknown)@/.exec(email)?.[1] ?? 'valid')
      return json({ status_code: 200, data: { status } })
    },
  },
})

const TOTAL = 40

/** Forty people match every description, so that pages run out. */
function search(request: SimulatedRequest): SimulatedReply {
  const page = countOf(bodyField(request, 'page'), 1)
  const size = countOf(bodyField(request, 'page_size'), 25)
  if (size < 1 || size > 25) return failure(400, 'page_size is 1 to 25')
  const from = (page - 1) * size
  const total = isMiss(request, 'contactfind') ? 0 : TOTAL
  const {
    page: _page,
    page_size: _size,
    ...filters
  } = (request.body ?? {}) as Record<string, unknown>
  const people = peopleFor(JSON.stringify(filters), Math.max(0, Math.min(size, total - from)), from)
  const profiles = Object.fromEntries(
    people.map((person, index) => [
      `https://www.linkedin.com/in/simulated-${from + index + 1}`,
      foundOf(person),
    ]),
  )
  return json({
    status_code: 200,
    metadata: { page, page_size: size, total_results: total },
    profiles: people.length === 0 ? [] : profiles,
  })
}

function foundOf(person: SimulatedPerson) {
  return {
    full_name: person.fullName,
    title: person.title,
    headline: `${person.title} at ${person.company}`,
    location: person.city,
    company: { name: person.company, domain: person.domain },
    contact_availability: { work_email: true, personal_email: false, phone: true },
  }
}

function contactsOf({ query }: SimulatedRequest, person: SimulatedPerson) {
  const wanted = query.get('email_type') ?? 'personal,work'
  const work = wanted.includes('work') ? [person.email] : []
  const personal = wanted.includes('personal') ? [person.personalEmail] : []
  return {
    url: query.get('profile'),
    email: [...work, ...personal],
    work_email: work,
    work_email_status: Object.fromEntries(work.map((email) => [email, 'Verified'])),
    personal_email: personal,
    phone: query.get('include_phone') === 'true' ? [person.phone] : [],
    github: [],
  }
}

function profileOf(person: SimulatedPerson) {
  return {
    url: person.linkedinUrl,
    full_name: person.fullName,
    headline: `${person.title} at ${person.company}`,
    title: person.title,
    location: person.city,
    email: [person.email],
    company: { name: person.company, domain: person.domain },
    experience: [
      {
        title: person.title,
        company_name: person.company,
        start_date_year: 2022,
        is_current: true,
      },
    ],
    education: [],
    skills: ['simulated'],
  }
}

export const simulators = { contactfind }
