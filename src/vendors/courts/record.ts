import { Type, type Static } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { choice, optional, text } from '../../catalog/vocabulary/fields.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { get, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const courtListener: Vendor = {
  baseUrl: 'https://www.courtlistener.com/api/rest/v4',
  auth: {
    in: 'header',
    name: 'authorization',
    prefix: 'Token ',
    credential: 'KEY',
    optional: true,
  },
  // Answering a question takes an agent about three calls in quick succession.
  limits: { perDay: 100, perMinute: 5 },
  limitsWithKey: { perDay: 125, perMinute: 5 },
  docsUrl: 'https://www.courtlistener.com/help/api/rest/search/',
  readFailure: (reply) =>
    vendorFailure(reply, {
      message:
        field(reply.body, 'detail') ??
        (reply.status === 400 ? JSON.stringify(reply.body) : undefined),
    }),
}

const search = {
  q: optional(text('Words in the text. Matches documents, not litigants.', 500)),
  case_name: optional(text('Name of the case, such as "Smith v. Jones".', 300)),
  docket_number: optional(text('Docket number, such as "1:21-cv-01234".', 100)),
  court: optional(
    text('Ids of courts, separated by spaces, such as "cand nysd".', 200, {
      pattern: '^[a-z0-9]+( [a-z0-9]+)*$',
    }),
  ),
  cursor: optional(text('Cursor of the next page, from `next` of the previous page.', 500)),
}
const isGiven = (words: string | undefined) => words !== undefined
const anyOf = (...names: string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) })
const searchReply = Type.Object({ count: Type.Unknown(), results: Type.Array(Type.Unknown()) })

const docketsInput = params(
  {
    ...search,
    party_name: optional(text('Name of a litigant.', 300)),
    order_by: optional(
      choice('Order of the results.', [
        'score desc',
        'dateFiled desc',
        'dateFiled asc',
        'entry_date_filed desc',
        'entry_date_filed asc',
      ]),
    ),
  },
  anyOf('q', 'case_name', 'docket_number', 'court', 'party_name'),
)
const casesInput = params(
  {
    ...search,
    party_name: optional(text('Name of a litigant, matched against the case names.', 200)),
    order_by: optional(
      choice('Order of the results.', [
        'score desc',
        'dateFiled desc',
        'dateFiled asc',
        'citeCount desc',
        'citeCount asc',
      ]),
    ),
  },
  anyOf('q', 'case_name', 'docket_number', 'court', 'party_name'),
)

const shared = {
  price: flat(cents('1')),
  priceSource: 'Own price; the source is free, 2026-11.',
  timeoutMs: 30_000,
  untrustedContent: true,
  reply: searchReply,
  outcome: ({ body }: { body: Static<typeof searchReply> }) => found(body, body.results),
}

export const service = defineService({
  id: 'courts',
  title: 'Court dockets and opinions',
  category: 'public records',
  vendor: courtListener,
  returns,
  actions: {
    dockets: call({
      ...shared,
      title: 'Federal court dockets',
      summary: 'Find dockets of US federal courts, with up to three filings each.',
      description:
        'The source allows few calls: plan for about three per answer. Counts above 2,000 are estimates.',
      keywords: [
        'lawsuit',
        'litigation',
        'pacer',
        'recap',
        'docket by party name',
        'litigant',
        'court filing',
      ],
      input: docketsInput,
      example: { party_name: 'Apple Inc', court: 'cand', order_by: 'dateFiled desc' },
      request: (input) => get('/search/', { type: 'r', ...input }),
    }),
    cases: call({
      ...shared,
      title: 'US court opinions',
      summary: 'Find US court opinions by text, name, docket number or court.',
      description:
        'Published opinions only. The source allows few calls: plan for about three per answer. Dockets list every litigant (courts/dockets); opinions only those in the case name.',
      keywords: ['case law', 'judgment', 'precedent', 'ruling', 'legal opinion'],
      input: casesInput,
      example: { q: '"fair use" transformative', order_by: 'citeCount desc' },
      // The source ignores party_name for opinions, but captions contain the litigants.
      request: ({ party_name: party, case_name: caption, ...input }) =>
        get('/search/', {
          type: 'o',
          ...input,
          case_name: party === undefined ? caption : [caption, party].filter(isGiven).join(' '),
        }),
    }),
  },
})
