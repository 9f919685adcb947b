import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { choice, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import {
  anyObject,
  found,
  foundInOpenSource,
  merchant,
  merchantPrice,
  recordFound,
  rowsOf,
} from '../shared/records.ts'
import { vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { get, noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const trialBase = merchant(
  'https://api.trialbase-db.org/v1',
  'https://api.trialbase-db.org/openapi.json',
)

const clinicalTrials: Vendor = {
  label: 'clinicaltrials',
  baseUrl: 'https://clinicaltrials.gov/api/v2',
  auth: noAuth,
  limits: { perSecond: 0.8 },
  docsUrl: 'https://clinicaltrials.gov/data-api/api',
  // The source's errors are sentences.
  readFailure: (reply) => vendorFailure(reply, { message: reply.body }),
}

const STATUSES = [
  'RECRUITING',
  'NOT_YET_RECRUITING',
  'ACTIVE_NOT_RECRUITING',
  'ENROLLING_BY_INVITATION',
  'COMPLETED',
  'SUSPENDED',
  'TERMINATED',
  'WITHDRAWN',
  'UNKNOWN',
] as const
const PHASES = ['EARLY_PHASE1', 'PHASE1', 'PHASE2', 'PHASE3', 'PHASE4', 'NA'] as const
const paid = { at: tempoMerchant(trialBase.baseUrl) }
const shared = { priceSource: 'Cap: the merchant’s listed price, 2026-08.', timeoutMs: 30_000 }

export const service = defineService({
  id: 'trials',
  title: 'Clinical trials',
  category: 'public records',
  vendor: trialBase,
  returns,
  actions: {
    search: call({
      ...shared,
      title: 'Search clinical trials',
      summary: 'Find clinical trials by words, status and phase.',
      keywords: ['clinical study', 'recruiting', 'medical research', 'nct'],
      input: params(
        {
          q: optional(text('Condition, treatment, sponsor or other words.', 500)),
          status: optional(choice('Status of the trial.', [...STATUSES])),
          phase: optional(choice('Phase of the trial.', [...PHASES])),
          limit: whole('Maximum number of trials.', 1, 100, { default: 10 }),
        },
        { anyOf: ['q', 'status', 'phase'].map((name) => ({ required: [name] })) },
      ),
      example: { q: 'migraine', status: 'RECRUITING', phase: 'PHASE3', limit: 2 },
      price: merchantPrice(cents('10')),
      merchant: paid,
      request: (input) => get('/trials', input),
      reply: anyObject,
      outcome: ({ body }) => found(body, rowsOf(body)),
      openSource: {
        vendor: clinicalTrials,
        request: ({ q, status, phase, limit }) =>
          get('/studies', {
            'query.term': q,
            'filter.overallStatus': status,
            'filter.advanced': phase === undefined ? undefined : `AREA[Phase]${phase}`,
            pageSize: limit,
            countTotal: true,
          }),
        reply: Type.Object({ studies: Type.Array(Type.Unknown()) }),
        outcome: ({ body }) => foundInOpenSource(body, body.studies),
      },
    }),
    get: call({
      ...shared,
      title: 'Clinical trial',
      summary: 'Read one clinical trial by its NCT number.',
      keywords: ['nct number', 'study protocol', 'eligibility criteria'],
      input: params({
        id: text('Id of the trial, such as "NCT04368728".', 30, { pattern: '^[A-Za-z0-9_-]+$' }),
      }),
      example: { id: 'NCT04368728' },
      price: merchantPrice(cents('2.5')),
      merchant: paid,
      request: ({ id }) => get(`/trials/${id}`),
      reply: anyObject,
      outcome: recordFound,
      openSource: {
        vendor: clinicalTrials,
        request: ({ id }) => get(`/studies/${id.toUpperCase()}`),
        reply: Type.Object({ protocolSection: Type.Object({}) }),
        outcome: ({ body }) => foundInOpenSource(body, [body]),
      },
    }),
  },
})
