/** The searches of companyfind that run in the background and are billed by their results. */
import { Type, type Static, type TObject } from '../../lib/schema.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { job, params, type JobAction, type Progress } from '../../catalog/vocabulary/define.ts'
import { atLeastOne, list, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { empty, failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { chargedPerUnit, type NumberField } from '../../catalog/vocabulary/tariff.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'
import { get, post, type Reply } from '../../catalog/vocabulary/wire.ts'
import { JOB_PATHS, jobPath, lookalikeFilters, techFilters, type JobKind } from './vendor.ts'

const SIX_HOURS = 6 * 3_600

const pollReply = Type.Object({
  status: Type.String(),
  manifest: Type.Optional(Type.Unknown()),
  error_message: Type.Optional(Type.Unknown()),
})
type PollReply = Reply<Static<typeof pollReply>>

type Count = 'count' | 'unique_count' | 'credits_consumed' | 'companies_qualified'

/**
 * The number of delivered results so far: the first of these counts in the vendor's manifest. It
 * may be lower than the number of processed ones.
 */
function deliveredOf({ body }: Reply, counts: readonly Count[]): number {
  const manifest = field(body, 'manifest')
  const counted = counts
    .map((name) => field(manifest, name))
    .find((value) => typeof value === 'number')
  return Math.max(0, counted ?? 0)
}

/**
 * A cancelled or failed job is finished, too. Its results so far belong to the caller and are
 * billed.
 */
function progressOf({ body }: PollReply, delivered: number): Progress {
  if (body.status === 'completed' || body.status === 'cancelled') return { kind: 'finished' }
  if (body.status !== 'failed') return { kind: 'pending' }
  const message =
    typeof body.error_message === 'string' ? body.error_message.slice(0, 500) : 'The search failed.'
  return delivered > 0 ? { kind: 'finished' } : { kind: 'failed', message }
}

type Search<S extends TObject> = Pick<JobAction, 'title' | 'summary' | 'keywords'> & {
  readonly kind: JobKind
  readonly input: S
  readonly example: Partial<Static<S>>
  readonly rate: Micros
  readonly unit: string
  /** The parameter that limits the number of billed results. */
  readonly most: NumberField<Static<S>>
  /** Fields of the manifest that count billed results; the first existing one applies. */
  readonly counts: readonly Count[]
  /**
   * The vendor's input for a search without a limit. The gateway then stops the search at the
   * caller's limit. By default the vendor applies the limit itself.
   */
  readonly withoutLimit?: (input: Static<S>) => unknown
}

function search<S extends TObject>({
  kind,
  rate,
  unit,
  most,
  counts,
  withoutLimit,
  ...spec
}: Search<S>): JobAction {
  const mostOf = (input: Data): number => Number(input[most])
  return job({
    ...spec,
    description: `Returns a job_id immediately. Read status and rows with companyfind/results {"kind": "${kind}", "job_id": …}, which is free. The maximum cost is held until the job ends. Then only the delivered results are charged. Cancelling with companyfind/job-control charges the results so far.${withoutLimit === undefined ? '' : ` stopped_at in the result means that the search ended because it reached ${most}.`}`,
    price: { kind: 'unit', rate, unit, atMost: mostOf, counted: { by: 'number', field: most } },
    priceSource: 'List price of this gateway, 2026-11.',
    billing: chargedPerUnit,
    timeoutMs: 60_000,
    launch: {
      request: (input) => post(JOB_PATHS[kind], withoutLimit?.(input) ?? input),
      reply: Type.Object({ job_id: Type.String({ minLength: 1 }) }),
      reference: ({ body }) => body.job_id,
    },
    poll: {
      request: (reference) => get(jobPath(kind, reference)),
      progress: (reply) => progressOf(reply, deliveredOf(reply, counts)),
      everySeconds: 5,
      giveUpAfterSeconds: SIX_HOURS,
      ...(withoutLimit === undefined
        ? {}
        : {
            isEnough: (reply: PollReply, input: Static<S>) =>
              deliveredOf(reply, counts) >= mostOf(input),
          }),
      stop: (reference) => post(`${jobPath(kind, reference)}/cancel`, {}),
    },
    reply: pollReply,
    outcome: (reply, input): Outcome => {
      const units = deliveredOf(reply, counts)
      const { manifest } = reply.body
      // A search that the gateway stopped at its limit looks like a cancelled one.
      const isEnough =
        withoutLimit !== undefined && reply.body.status !== 'completed' && units >= mostOf(input)
      const data = {
        status: reply.body.status,
        manifest,
        ...(isEnough ? { stopped_at: most } : {}),
      }
      if (units > 0)
        return { kind: reply.body.status === 'completed' ? 'done' : 'partial', data, units }
      return reply.body.status === 'failed'
        ? failed('upstream_error', 'The search failed.')
        : empty(data)
    },
  })
}

export const lookalikesBulk = search({
  kind: 'lookalikes',
  title: 'Find similar companies in bulk',
  summary:
    'Find up to 2,000 companies that match a description or resemble given ones, in the background. 1¢ per company delivered.',
  keywords: ['similar companies', 'large account list', 'bulk prospecting'],
  input: params(
    {
      ...lookalikeFilters,
      limit: whole(
        'Maximum number of companies, 1 to 2,000. Each delivered one is charged.',
        1,
        2_000,
        {
          default: 100,
        },
      ),
    },
    atLeastOne('query', 'seed_domains'),
  ),
  example: { seed_domains: ['example.com'], limit: 250 },
  rate: cents('1'),
  unit: 'company',
  most: 'limit',
  counts: ['count', 'unique_count', 'credits_consumed'],
})

export const tamBuild = search({
  kind: 'tam',
  title: 'Whole market for a description',
  summary:
    'List the whole addressable market for a description, in the background. 1¢ per company delivered.',
  keywords: ['total addressable market', 'market map', 'all companies of a kind'],
  input: params({
    query: text('Description of the companies.', 500),
    max_companies: whole(
      'Maximum number of companies to pay for. The job stops when it reaches this number.',
      1,
      5_000,
      { default: 500 },
    ),
  }),
  example: { query: 'independent bakeries with an online shop in France', max_companies: 200 },
  rate: cents('1'),
  unit: 'company',
  most: 'max_companies',
  counts: ['unique_count', 'count', 'credits_consumed'],
  withoutLimit: ({ query }) => ({ query }),
})

export const techIntent = search({
  kind: 'tech-intent',
  title: 'Companies that plan with a technology',
  summary:
    'Find companies that plan something with a technology, based on their job postings, in the background. 20¢ per qualified company.',
  keywords: [
    'buying intent',
    'migration plans',
    'qualified leads',
    'companies adopting a technology',
  ],
  input: params({
    ...techFilters,
    activity: text('The plan or activity to look for.', 500),
    limit: whole('Maximum number of qualified companies, 1 to 25. Each is charged.', 1, 25, {
      default: 10,
    }),
    exclude_company_slugs: optional(
      list('Companies to exclude, by slug.', Type.String({ maxLength: 200 }), 500),
    ),
  }),
  example: { tech: 'PostgreSQL', activity: 'migrating from Oracle', limit: 5 },
  rate: cents('20'),
  unit: 'qualified company',
  most: 'limit',
  counts: ['companies_qualified'],
})
