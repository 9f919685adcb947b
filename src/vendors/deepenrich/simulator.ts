/**
 * Nyne's API: two headers. POST submits (202), and GET on the same path polls. A request whose
 * input contains "pending" never ends.
 */
import { jobOf, startJob } from '../../simulators/jobs.ts'
import { companyFor, peopleFor, personFor, type SimulatedPerson } from '../../simulators/people.ts'
import { headerCredential, json, routed } from '../../simulators/routed.ts'
import type { SimulatedReply, SimulatedRequest } from '../../simulators/vendor.ts'

function failure(status: number, reason: string): SimulatedReply {
  const code =
    {
      quota: 'subscription_required',
      credentials: 'invalid_api_key',
      request_not_found: 'request_not_found',
    }[reason] ?? 'simulated'
  return json(
    { success: false, error: { code, message: `Simulated failure (${reason}).` } },
    status,
  )
}

type Input = Readonly<Record<string, unknown>>

function routesOf(path: string, resultOf: (input: Input) => unknown) {
  return {
    [`POST ${path}`]: ({ body, now }: SimulatedRequest) =>
      json(
        {
          success: true,
          data: {
            request_id: startJob(body as Input, now),
            status: 'queued',
            message: 'queued (simulated)',
          },
        },
        202,
      ),
    [`GET ${path}`]: ({ query, now }: SimulatedRequest) => {
      const requestId = query.get('request_id')
      if (requestId === null) return failure(400, 'missing_parameters')
      const job = jobOf(requestId, now)
      if (job === undefined) return failure(404, 'request_not_found')
      const told = JSON.stringify(job.input)
      if (job.state === 'running' || told.includes('pending'))
        return json({
          success: true,
          data: { request_id: requestId, status: 'processing', completed: false },
        })
      const result = /nobody|sim:miss/i.test(told) ? {} : resultOf(job.input)
      return json({
        success: true,
        data: { request_id: requestId, status: 'completed', completed: true, result },
      })
    },
  }
}

const deepenrich = routed({
  credential: headerCredential('x-api-key', 'x-api-secret'),
  quotaStatus: 403,
  failure,
  routes: {
    ...routesOf('/person/enrichment', enriched),
    ...routesOf('/company/funders', ({ company_name: name, company_domain: domain }) =>
      fundersOf(String(domain ?? name)),
    ),
    ...routesOf('/person/interactions', ({ social_media_url: profile, type }) => ({
      type,
      count: 3,
      interactions: peopleFor(String(profile), 3).map((person) => ({
        name: person.fullName,
        profile_url: person.linkedinUrl,
        bio: `${person.title} (simulated)`,
      })),
    })),
  },
})

function enriched(input: Input): unknown {
  const person = personFor(
    String(input['email'] ?? input['social_media_url'] ?? input['name'] ?? input['phone']),
  )
  const lite = liteOf(person)
  if (input['lite_enrich'] === true) return lite
  return {
    ...lite,
    bio: 'A simulated person.',
    location: person.city,
    fullphone: [{ fullphone: person.phone, type: 'mobile' }],
    altemails: [person.personalEmail],
    best_work_email: person.email,
    best_personal_email: person.personalEmail,
    schools_info: [],
    probability: 'high',
  }
}

function liteOf(person: SimulatedPerson) {
  return {
    displayname: person.fullName,
    firstname: person.firstName,
    lastname: person.lastName,
    organizations: [{ name: person.company, title: person.title }],
    social_profiles: { linkedin: { url: person.linkedinUrl } },
  }
}

function fundersOf(company: string): unknown {
  return peopleFor(company, 2).map((partner) => {
    const fund = companyFor(`fund of ${partner.fullName}`)
    return {
      name: `${fund.name} Ventures`,
      domain: fund.domain,
      headquarters: fund.city,
      partners: [partner.fullName],
      thesis: 'Simulated.',
      check_size: { min: 100_000, max: 1_000_000, currency: 'USD' },
      recent_investments: [],
    }
  })
}

export const simulators = { deepenrich }
