/** The searches of companyfind that answer immediately. */
import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, params } from '../../catalog/vocabulary/define.ts'
import {
  atLeastOne,
  domainName,
  flag,
  optional,
  text,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { done, empty, failed } from '../../catalog/vocabulary/outcome.ts'
import { filledRows, isFilled } from '../../catalog/answers/filled.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'
import { get, post } from '../../catalog/vocabulary/wire.ts'
import { lookalikeFilters, techFilters } from './vendor.ts'

export const lookalikes = call({
  title: 'Find similar companies',
  summary:
    'Find up to 100 companies that match a description or resemble given ones. About 1¢ per company.',
  keywords: [
    'similar companies',
    'competitors',
    'prospect list',
    'ideal customer profile',
    'account list',
  ],
  input: params(
    {
      ...lookalikeFilters,
      limit: whole('Maximum number of companies, 1 to 100. Each is charged.', 1, 100, {
        default: 10,
      }),
    },
    atLeastOne('query', 'seed_domains'),
  ),
  example: { query: 'payroll software for restaurants', limit: 3, locations: ['FRA'] },
  price: {
    kind: 'unit',
    rate: cents('1'),
    unit: 'company',
    atMost: ({ limit }) => limit,
    counted: { by: 'number', field: 'limit' },
  },
  priceSource: 'List price of this gateway, 2026-11; the vendor bills one credit per company.',
  timeoutMs: 120_000,
  untrustedContent: true,
  request: (input) => get('/api/v1/account/search-lookalikes', input),
  reply: Type.Object({
    results: Type.Array(Type.Unknown()),
    credits_consumed: Type.Optional(Type.Number()),
  }),
  outcome: ({ body }) =>
    isFilled(body.results)
      ? {
          kind: 'done',
          data: body,
          units: body.credits_consumed ?? filledRows(body.results).length,
        }
      : empty(body),
})

export const techCompanies = call({
  title: 'Companies that use a technology',
  summary: 'List companies whose job postings mention a technology. 40¢ per page of 50.',
  keywords: ['companies using a technology', 'search by technology', 'users of a product'],
  input: params({
    ...techFilters,
    include_evidence: optional(flag('Adds the postings that mention it.')),
    page: whole('Page number, from 1.', 1, 1_000, { default: 1 }),
  }),
  example: { tech: 'PostgreSQL', variations: ['Postgres'], lookback_days: 90 },
  price: flat(cents('40')),
  priceSource: 'List price of this gateway, 2026-11.',
  timeoutMs: 120_000,
  untrustedContent: true,
  request: (input) => get('/api/v2/tech/companies', input),
  reply: Type.Object({ companies: Type.Array(Type.Unknown()) }),
  outcome: ({ body }) => found(body, body.companies),
})

/** Whether a block has an answer and no error. A verdict counts as an answer. */
const answers = (block: unknown): boolean =>
  !isFilled(field(block, 'error')) &&
  (isFilled(field(block, 'answer')) || typeof field(block, 'qualified') === 'boolean')

export const deepResearch = call({
  title: 'Questions about a company',
  summary:
    'Answer up to two questions about a company: what it is working on, and whether it fits.',
  description:
    "activity_question is answered from job postings, qualifier_question from the company's people and pages. Free if neither could be answered.",
  keywords: ['research a company', 'company research', 'qualify a lead', 'account research'],
  input: params(
    {
      domain: domainName('Domain of the company.'),
      activity_question: optional(text("Question about the company's activities or plans.", 500)),
      qualifier_question: optional(text('Question whether the company fits.', 500)),
      timeframe_days: whole('Number of days to look back.', 1, 365, { default: 90 }),
      max_jobs_to_check: whole('Maximum number of job postings to read.', 1, 100, { default: 25 }),
    },
    atLeastOne('activity_question', 'qualifier_question'),
  ),
  example: { domain: 'example.com', activity_question: 'Are they moving to PostgreSQL?' },
  price: flat(cents('20')),
  priceSource: 'List price of this gateway, 2026-11.',
  timeoutMs: 240_000,
  untrustedContent: true,
  request: (input) => post('/api/v2/research/deep', input),
  reply: Type.Object({
    activity: Type.Optional(Type.Unknown()),
    qualifier: Type.Optional(Type.Unknown()),
  }),
  outcome: ({ body }, input) => {
    const answered = [
      input.activity_question !== undefined && answers(body.activity),
      input.qualifier_question !== undefined && answers(body.qualifier),
    ]
    return answered.includes(true)
      ? done(body)
      : failed('no_results', 'Neither question could be answered.')
  },
})
