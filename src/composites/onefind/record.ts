/** The records of `core/onefind` and `core/onefind-deep`. */
import { Type } from 'typebox'
import { deepBudgetField, deepPrice, rowsAddUp } from '../shared/deep-budget.ts'
import { checkOnefindDeep, onefindBudget, onefindNeeds } from './onefind-deep.ts'
import { refuseIdentifier } from './onefind.ts'
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
  'Who: role, industry, place or kind of company, such as "CTOs of fintech startups in Lyon"; or one person, such as "Ana Example at Acme".'

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
    summary:
      'Find people by description, or one person by name and company; names, titles, companies and LinkedIn profiles.',
    description:
      'Rows carry no contact data: core/onefind-deep looks that up. `person` is true when the query names one person; then there is exactly one row. E-mail addresses, LinkedIn addresses and phone numbers are refused, free of charge, and so is a search that finds nobody.',
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
    check: ({ query }) => refuseIdentifier(query),
    handler: 'core.onefind',
    uses: ['semantic/search'],
  }),
  'onefind-deep': localJob({
    summary:
      'Find people, or take those you know, and look up their e-mail addresses and company facts. Runs as a job.',
    description: `An e-mail address is looked up with contactfind (10¢), then emailintel (4¢, not for private mailboxes); a LinkedIn profile with contactfind (10¢), then emailintel (5¢); a name and company by a search (1¢), then as the profile found. The second supplier is asked only for what is still unknown, and lookups that bring nothing are free. Answers with a \`job_id\`; ask core/result until the status is \`succeeded\` or \`failed\`. \`email\` null with \`enriched\` false: not looked up; with \`enriched\` true: nobody has it. Rows beyond the budget say "over budget". ${rowsAddUp()} A job that finds nobody is free.`,
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
        query: optional(text(`${QUERY} Instead of "rows".`, 1_000, NOT_BLANK)),
        rows: optional(
          list(
            '1 to 50 people: e-mail address, LinkedIn profile, or name with company such as "Ana Example, Acme". Instead of "query".',
            Type.String({ minLength: 1, maxLength: 300, ...NOT_BLANK }),
            MOST_ROWS,
          ),
        ),
        limit: whole('Maximum number of people that a query brings, 1 to 25.', 1, MOST_PEOPLE, {
          default: 15,
        }),
        budgetCents: optional(deepBudgetField('Left out: 16 a row.')),
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
    // A search that finds people, of whom no supplier has more.
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
