import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { get, noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const proPublica: Vendor = {
  baseUrl: 'https://projects.propublica.org/nonprofits/api/v2',
  auth: noAuth,
  limits: { perSecond: 1 },
  docsUrl: 'https://projects.propublica.org/nonprofits/api',
}

/** The vendor's ten groups, by the first letter of an NTEE code. */
const NTEE_GROUPS = ['A', 'B', 'CD', 'EFGH', 'IJKLMNOP', 'Q', 'RSTUVW', 'X', 'Y', 'Z']

function nteeGroup(ntee: string | undefined): number | undefined {
  if (ntee === undefined) return undefined
  return /^\d/.test(ntee)
    ? Number(ntee)
    : NTEE_GROUPS.findIndex((letters) => letters.includes(ntee.charAt(0).toUpperCase())) + 1
}

const shared = {
  price: flat(cents('1')),
  priceSource: 'Own price; the source is free, 2026-11.',
  timeoutMs: 20_000,
}

export const service = defineService({
  id: 'nonprofit',
  title: 'Nonprofit organizations of the United States',
  category: 'public records',
  vendor: proPublica,
  returns,
  actions: {
    nonprofit_search: call({
      ...shared,
      title: 'Search US nonprofits',
      summary: 'Find nonprofit organizations by name, state and field of work, 25 per page.',
      description:
        'The source allows about one request per second: plan for about three pages per answer.',
      keywords: ['charity', '501c3', 'foundation', 'tax exempt', 'ngo'],
      input: params({
        q: optional(text('Words in the name or city.', 200)),
        state: optional(
          text('Two-letter state, or ZZ for foreign organizations.', 2, {
            pattern: '^[A-Za-z]{2}$',
          }),
        ),
        ntee: optional(
          text(
            'Field of work: a group from 1 (arts) to 10, or an NTEE letter such as "B" (education).',
            4,
            { pattern: '^(10|[1-9]|[A-Za-z][0-9]{0,3})$' },
          ),
        ),
        page: whole('Page number, from 0.', 0, 10_000, { default: 0 }),
      }),
      example: { q: 'food bank', state: 'CA', ntee: 'K' },
      // A search without results has status 404 and the usual body.
      request: ({ q, state, ntee, page }) => ({
        ...get('/search.json', {
          q,
          'state[id]': state?.toUpperCase(),
          'ntee[id]': nteeGroup(ntee),
          page,
        }),
        acceptedStatuses: [404],
      }),
      reply: Type.Object({
        total_results: Type.Integer(),
        organizations: Type.Array(Type.Unknown()),
      }),
      outcome: ({ body }) => found(body, body.organizations),
    }),
    nonprofit: call({
      ...shared,
      title: 'Nonprofit with tax filings',
      summary: 'Read one nonprofit organization with its yearly tax filings, by EIN.',
      description:
        'The source allows about one request per second: plan for about four organizations per answer.',
      keywords: ['form 990', 'charity finances', 'executive compensation'],
      input: params({
        ein: text('Employer Identification Number, such as "14-2007220".', 10, {
          pattern: '^[0-9]{2}-?[0-9]{7}$',
        }),
      }),
      example: { ein: '14-2007220' },
      request: ({ ein }) => get(`/organizations/${Number(ein.replace('-', ''))}.json`),
      reply: Type.Object({ organization: Type.Object({}) }),
      outcome: ({ body }) => found(body, [body.organization]),
    }),
  },
})
