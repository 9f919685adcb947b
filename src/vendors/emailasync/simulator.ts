/**
 * Icypeas' API: POST requests with the raw key in Authorization. A search whose input contains
 * "pending" never ends.
 */
import { jobOf, startJob, type SimulatedJob } from '../../simulators/jobs.ts'
import { personFor } from '../../simulators/people.ts'
import { json, routed } from '../../simulators/routed.ts'
import { bodyField, type SimulatedReply, type SimulatedRequest } from '../../simulators/vendor.ts'

function failure(status: number, reason: string): SimulatedReply {
  return json(
    {
      success: false,
      code: reason === 'quota' ? 'UnpaidSubscriptionError' : 'SimulatedError',
      message: `Simulated failure (${reason}).`,
    },
    status,
  )
}

const emailasync = routed({
  credential: ({ headers }) => headers.authorization,
  quotaStatus: 403,
  failure,
  routes: {
    'POST /email-search': (request) => launch(request, ['domainOrCompany']),
    'POST /email-verification': (request) => launch(request, ['email']),
    'POST /domain-search': (request) => launch(request, ['domainOrCompany']),
    'POST /bulk-single-searchs/read': (request) => {
      const id = bodyField(request, 'id')
      if (typeof id !== 'string') return json({ success: true, items: [] })
      const job = jobOf(id, request.now)
      return job === undefined
        ? json({ success: false, code: 'SearchNotFoundError' })
        : json({ success: true, items: [itemOf(id, job)] })
    },
  },
})

/** Wrong input is rejected with status 200. */
function launch(request: SimulatedRequest, required: readonly string[]): SimulatedReply {
  const missing = required.filter((name) => typeof bodyField(request, name) !== 'string')
  if (missing.length > 0)
    return json({
      success: false,
      validationErrors: missing.map((name) => ({ field: name, type: 'required' })),
    })
  return json({
    success: true,
    item: { _id: startJob(request.body as Record<string, unknown>, request.now), status: 'NONE' },
  })
}

function itemOf(id: string, { input, state }: SimulatedJob): unknown {
  const texts = Object.values(input).filter((value) => typeof value === 'string')
  const name = [input['firstname'], input['lastname']]
    .filter((part) => typeof part === 'string')
    .join(' ')
  const at = typeof input['domainOrCompany'] === 'string' ? input['domainOrCompany'] : 'example.com'
  const person = personFor(
    typeof input['email'] === 'string' ? input['email'] : name,
    at.includes('.') ? at : undefined,
  )
  const running = state === 'running' || texts.some((text) => text.includes('pending'))
  const miss = texts.some((text) => /nobody|sim:miss/i.test(text))
  const emails = [
    {
      email: person.email,
      certainty: 'ultra_sure',
      mxProvider: 'google',
      mxRecords: [`mx.${person.domain}`],
    },
  ]
  return {
    _id: id,
    name: 'simulated',
    status: running ? 'IN_PROGRESS' : miss ? 'DEBITED_NOT_FOUND' : 'DEBITED',
    order: 0,
    results: {
      firstname: person.firstName,
      lastname: person.lastName,
      fullname: person.fullName,
      emails: running || miss ? [] : emails,
      phones: [],
      saasServices: [],
    },
    userData: { webhookUrl: '', externalId: '' },
    system: { createdAt: '2026-01-01T00:00:00Z', modifiedAt: '2026-01-01T00:00:01Z' },
  }
}

export const simulators = { emailasync }
