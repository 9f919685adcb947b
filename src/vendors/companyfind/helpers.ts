/** The free actions of companyfind: lookups, and actions on its jobs. */
import { Type, type Static, type TObject } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { call, params, type CallAction } from '../../catalog/vocabulary/define.ts'
import { choice, domainName, list, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { done, type Data } from '../../catalog/vocabulary/outcome.ts'
import { free } from '../../catalog/vocabulary/tariff.ts'
import { get, post, type WireRequest } from '../../catalog/vocabulary/wire.ts'
import { jobPath } from './vendor.ts'

type Helper<S extends TObject> = Pick<CallAction, 'title' | 'summary' | 'keywords'> & {
  readonly description?: string
  readonly untrustedContent?: true
  readonly input: S
  readonly example: Partial<Static<S>>
  readonly request: (input: Static<S>) => WireRequest
  readonly check?: (input: Static<S>) => void
  readonly ownership?: { readonly targetId: (input: Static<S>) => string }
}

function helper<S extends TObject>(spec: Helper<S>): CallAction {
  return call({
    ...spec,
    price: free,
    timeoutMs: 60_000,
    reply: Type.Object({}),
    outcome: ({ body }, input) => done(withRequestedId(body as Data, input)),
  })
}

/**
 * The answer contains the job_id that the caller sent, which core/result knows too, and the
 * vendor's own id.
 */
function withRequestedId(body: Data, { job_id: requested }: Data): Data {
  return requested === undefined || body['job_id'] === requested || body['job_id'] === undefined
    ? body
    : { ...body, job_id: requested, vendor_job_id: body['job_id'] }
}

const company = params(
  {
    name: optional(text('Name.', 200)),
    domain: optional(domainName('Domain.')),
    linkedin_url: optional(text('LinkedIn URL.', 500)),
  },
  { minProperties: 1 },
)

export const lookupCompanies = helper({
  title: 'Look up companies',
  summary: 'Look up to 100 companies by name, domain or LinkedIn URL. Free.',
  keywords: ['resolve company', 'company id', 'match accounts'],
  input: params({ companies: list('Companies to look up.', company, 100) }),
  example: { companies: [{ domain: 'example.com' }, { name: 'Example' }] },
  request: (input) => post('/api/v1/account/lookup-companies', input),
})

export const options = helper({
  title: 'Filter values of companyfind',
  summary: 'List the values that the filters of companyfind accept. Free.',
  keywords: ['country codes', 'filter values'],
  input: params({
    kind: choice('The kind of values.', ['country', 'icp'], { default: 'country' }),
  }),
  example: { kind: 'country' },
  request: ({ kind }) =>
    get(kind === 'icp' ? '/api/v1/icp/options' : '/api/v2/tech/country-options'),
})

export const balance = helper({
  title: 'Vendor credit of companyfind',
  summary: 'Show the remaining credit at the vendor behind companyfind. Free.',
  keywords: ['vendor credits'],
  input: params({}),
  example: {},
  request: () => get('/api/v1/credits/balance'),
})

const kind = choice('Kind of job: tam for tam-build, lookalikes for lookalikes-bulk.', [
  'tam',
  'lookalikes',
  'tech-intent',
])
const jobId = text(
  'The job_id that companyfind/tam-build, lookalikes-bulk or tech-intent returned.',
  2_000,
)

export const results = helper({
  untrustedContent: true,
  title: 'Company search results',
  summary: 'Read the status and the rows of a companyfind job, page by page. Free.',
  description:
    "status is pending, running, pausing, paused, cancelling, cancelled, completed or failed. Continue with next_cursor. While the job runs, a next_cursor of null means that there are no more rows yet: poll until the status is final. job_id is the id that you sent; vendor_job_id is the vendor's.",
  keywords: ['poll job', 'job rows', 'tam results'],
  input: params({
    kind,
    job_id: jobId,
    cursor: optional(text('next_cursor of the previous answer.', 500)),
    limit: optional(whole('Maximum number of rows, for lookalikes.', 1, 100)),
  }),
  example: { kind: 'lookalikes', job_id: 'sim-0-eyJxdWVyeSI6InBheXJvbGwiLCJsaW1pdCI6M30' },
  request: ({ kind: of, job_id, cursor, limit }) =>
    get(jobPath(of, job_id), { cursor, limit: of === 'lookalikes' ? limit : undefined }),
  ownership: { targetId: ({ job_id }) => job_id },
})

export const jobControl = helper({
  title: 'Pause or cancel a company search',
  summary: 'Pause, resume or cancel a companyfind job. Results delivered until then are charged.',
  keywords: ['cancel job', 'stop search'],
  input: params({
    kind,
    job_id: jobId,
    action: choice('The command. Only a tam job can be paused.', ['pause', 'resume', 'cancel']),
  }),
  example: { kind: 'tam', job_id: 'sim-0-eyJxdWVyeSI6ImJha2VyaWVzIn0', action: 'cancel' },
  check: ({ kind: of, action }) => {
    if (of === 'tam' || action === 'cancel') return
    throw new AppError('invalid_params', `A job of kind "${of}" can only be cancelled.`, {
      param: 'action',
      fix: 'Send "cancel".',
    })
  },
  request: ({ kind: of, job_id, action }) => post(`${jobPath(of, job_id)}/${action}`, {}),
  ownership: { targetId: ({ job_id }) => job_id },
})
