/** The composites of `core` that find people. */
import { refuseIdentifier } from '../../../core/onefind/onefind.ts'
import { cents } from '../../../lib/money.ts'
import { local, params } from '../../define.ts'
import { text, whole } from '../../fields.ts'
import { flat } from '../../tariff.ts'

export const MOST_PEOPLE = 25

const KEYWORDS = ['people search', 'prospecting', 'lead list', 'linkedin search', 'decision makers', 'who works at', 'find a person', 'candidates']

export const peopleActions = {
  onefind: local({
    summary: 'Find people by description, or one person by name and company; names, titles, companies and LinkedIn profiles.',
    description:
      'Rows carry no contact data: core/onefind-deep looks that up. `person` is true when the query names one person; then there is exactly one row. E-mail addresses, LinkedIn addresses and phone numbers are refused, free of charge, and so is a search that finds nobody.',
    keywords: KEYWORDS,
    input: params({
      query: text('Who: role, industry, place or kind of company, such as "CTOs of fintech startups in Lyon"; or one person, such as "Ana Example at Acme".', 1_000, { pattern: '\\S' }),
      limit: whole('Most people, 1 to 25. The price is the same.', 1, MOST_PEOPLE, { default: 15 }),
    }),
    example: { query: 'heads of logistics at furniture makers in northern Italy', limit: 10 },
    price: flat(cents('2')),
    priceSource: 'Own price, 2026-11.',
    timeoutMs: 100_000,
    untrustedContent: true,
    check: ({ query }) => refuseIdentifier(query),
    handler: 'core.onefind',
    uses: ['semantic/search'],
  }),
}
