/** The records of `core/onefind` and `core/onefind-deep`. */
import { Type } from '../../lib/schema.ts'
import { deepBudgetField, deepPrice, rowsAddUp } from '../shared/deep-budget.ts'
import { checkOnefindDeep, onefindBudget, onefindNeeds } from './onefind-deep.ts'
import { rejectIdentifiers } from './onefind.ts'
import { cents } from '../../lib/money.ts'
import { local, localJob, params } from '../../catalog/vocabulary/define.ts'
import {
  exactlyOneByCheck,
  list,
  NOT_BLANK,
  optional,
  text,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'

const MOST_PEOPLE = 25
const MOST_ROWS = 50
const QUERY =
  'A description by role, industry, place or kind of company, such as "CTOs of fintech startups in Lyon"; or one person, such as "Ana Example at Acme".'

const KEYWORDS = [
  'find people',
  'people search',
  'prospects',
  'prospecting',
  'lead list',
  'linkedin search',
  'decision makers',
  'who works at',
  'find a person',
  'candidates',
]

export const actions = {
  onefind: local({
    title: 'Find people',
    summary:
      'Find people by description, or one person by name and company: names, titles, companies and LinkedIn profiles.',
    description:
      'Rows have no contact data; core/onefind-deep looks it up. If the query names one person, `person` is true and there is exactly one row. Email addresses, LinkedIn addresses and phone numbers are rejected and not charged. A search without results is free.',
    keywords: KEYWORDS,
    input: params({
      query: text(QUERY, 1_000, NOT_BLANK),
      limit: whole('Maximum number of people, 1 to 25. The price is the same.', 1, MOST_PEOPLE, {
        default: 15,
      }),
    }),
    example: { query: 'heads of logistics at furniture makers in northern Italy', limit: 10 },
    price: flat(cents('2')),
    priceSource: 'Own price, 2026-11.',
    timeoutMs: 100_000,
    untrustedContent: true,
    check: ({ query }) => rejectIdentifiers(query),
    handler: 'core.onefind',
    uses: ['semantic/search'],
  }),
  'onefind-deep': localJob({
    title: 'Find people with their emails',
    summary:
      'Find people, or take those you know, and look up their email addresses and company facts. Runs as a job.',
    description: `Looks up an email address with contactfind (10¢), then emailintel (4¢, not for private mailboxes). Looks up a LinkedIn profile with contactfind (10¢), then emailintel (5¢), and a name with company by a search (1¢), then by the profile found. The second lookup runs only while fields are missing; lookups that fill no field are free. Returns a \`job_id\`: poll core/result until the status is \`succeeded\` or \`failed\`. If \`email\` is null, \`enriched\` false means not looked up; \`enriched\` true means that no supplier has it. Rows beyond the budget have the error "over budget". ${rowsAddUp()} A job without results is free.`,
    keywords: [
      ...KEYWORDS,
      'enrich',
      'find email',
      'contact data',
      'email of a person',
      'email from linkedin',
      'reverse email lookup',
      'lead enrichment',
    ],
    input: params(
      {
        query: optional(text(`${QUERY} Use instead of "rows".`, 1_000, NOT_BLANK)),
        rows: optional(
          list(
            '1 to 50 people: email address, LinkedIn profile, or name with company such as "Ana Example, Acme". Use instead of "query".',
            Type.String({ minLength: 1, maxLength: 300, ...NOT_BLANK }),
            MOST_ROWS,
          ),
        ),
        limit: whole('Maximum number of people that a query returns, 1 to 25.', 1, MOST_PEOPLE, {
          default: 15,
        }),
        budgetCents: optional(deepBudgetField('Default: 16 a row.')),
      },
      exactlyOneByCheck(['query'], ['rows']),
    ),
    example: {
      rows: [
        'ana.example@example.com',
        'https://www.linkedin.com/in/ben-sample',
        'Carla Testa, Example Robotics',
      ],
    },
    price: deepPrice(onefindBudget),
    // A search that finds people, without any successful lookup.
    leastCharge: cents('1'),
    priceSource: 'List prices of the lookups, 2026-11.',
    timeoutMs: 600_000,
    untrustedContent: true,
    check: checkOnefindDeep,
    handler: 'core.onefind-deep',
    uses: [
      'semantic/search',
      'contactfind/linkedin-contacts',
      'contactfind/person-from-email',
      'emailintel/linkedin-finder',
      'emailintel/enrich',
    ],
    needs: onefindNeeds,
    running: 'deep',
  }),
}
