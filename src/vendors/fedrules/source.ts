/** The Federal Register and its search, shared with the records of other vendors. */
import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, params } from '../../catalog/vocabulary/define.ts'
import { choice, isoDate, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { get, noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'

export const federalRegister: Vendor = {
  label: 'fedrules',
  baseUrl: 'https://www.federalregister.gov/api/v1',
  auth: noAuth,
  limits: { perSecond: 5 },
  docsUrl: 'https://www.federalregister.gov/developers/documentation/api/v1',
  readFailure: (reply) => {
    const errors = field(reply.body, 'errors')
    return vendorFailure(reply, {
      message: errors === undefined ? field(reply.body, 'message') : JSON.stringify(errors),
    })
  },
}

const kinds = Type.Enum(['RULE', 'PRORULE', 'NOTICE', 'PRESDOCU'])

export const shared = {
  price: flat(cents('1')),
  priceSource: 'Own price; the source is free, 2026-11.',
  timeoutMs: 20_000,
}

export const search = call({
  ...shared,
  title: 'Search the Federal Register',
  summary: 'Search rules, proposed rules, notices and presidential documents of the United States.',
  description: 'Only the first 2,000 hits are accessible.',
  keywords: ['regulation', 'rulemaking', 'federal agency', 'executive order', 'proposed rule'],
  input: params({
    term: optional(text('Words to search for.', 500)),
    type: optional(
      Type.Union([kinds, Type.Array(kinds, { minItems: 1, maxItems: 4 })], {
        description: 'Type of document, or a list of types.',
      }),
    ),
    agency: optional(
      text('Slug of the agency, such as "environmental-protection-agency".', 200, {
        pattern: '^[a-z0-9-]+$',
      }),
    ),
    date_gte: optional(isoDate('Published on or after this day.')),
    date_lte: optional(isoDate('Published on or before this day.')),
    per_page: whole('Results per page.', 1, 1000, { default: 20 }),
    page: whole('Page number, from 1.', 1, 2000, { default: 1 }),
    order: optional(choice('Order of the results.', ['relevance', 'newest', 'oldest'])),
  }),
  example: {
    term: 'drinking water',
    type: 'RULE',
    agency: 'environmental-protection-agency',
    date_gte: '2026-01-01',
  },
  request: ({ term, type, agency, date_gte: from, date_lte: to, ...paging }) =>
    get('/documents.json', {
      'conditions[term]': term,
      'conditions[type][]': type,
      'conditions[agencies][]': agency,
      'conditions[publication_date][gte]': from,
      'conditions[publication_date][lte]': to,
      ...paging,
    }),
  reply: Type.Object({
    count: Type.Integer(),
    results: Type.Optional(Type.Array(Type.Unknown())),
  }),
  outcome: ({ body }) => found(body, body.results ?? []),
})
