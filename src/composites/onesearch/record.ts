/** The records of `core/onesearch` and `core/onesearch-deep`. */
import { deepPrice, rowsAddUp } from '../shared/deep-budget.ts'
import { onesearchBudget, onesearchDeepInput } from './deep-input.ts'
import { checkDomains, onesearchInput } from './search-input.ts'
import { servicesOf } from './search-services.ts'
import type { Topic } from './wish.ts'
import { cents } from '../../lib/money.ts'
import { local, localJob } from '../../catalog/vocabulary/define.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'

const servingTopic = (topic: Topic): string[] =>
  servicesOf(topic).map(({ service, action }) => `${service}/${action}`)

// Live is what searches the web, the default topic: public sources of papers and news alone do not make it so.
const suppliers = {
  uses: servingTopic('web'),
  needs: ({ topic }: { readonly topic: Topic }) => servingTopic(topic),
}

export const actions = {
  onesearch: local({
    summary:
      'Search the web with several search services at once, fused into one list without duplicates.',
    description:
      'Every row names the services that found it. `topic` searches news, papers or code instead. Filters hold for all services alike: what a service cannot filter is filtered here. No row, no charge.',
    keywords: [
      'multi-source search',
      'metasearch',
      'web search',
      'google',
      'search engine',
      'news search',
      'compare search results',
    ],
    input: onesearchInput,
    example: { query: 'how do heat pumps work in winter', limit: 5 },
    price: flat(cents('5')),
    priceSource: 'Own price, 2026-11.',
    timeoutMs: 15_000,
    untrustedContent: true,
    check: checkDomains,
    handler: 'core.onesearch',
    ...suppliers,
  }),
  'onesearch-deep': localJob({
    summary:
      'Research a question: search for it with several services, read the best pages and answer with citations. Runs as a job.',
    description: `Each search costs 5¢ and each page that was read 2¢; pages that could not be read are free and make room for the next ones. Answers with a \`job_id\`; ask core/result until the status is \`succeeded\` or \`failed\`. Every row says whether its page was read, and carries its text and the passages that fit best. Without a language model on the gateway \`answer\` is null and \`answer_note\` says so. Pages beyond the budget say "over budget". ${rowsAddUp(' and the searches')} A job that finds nothing is free.`,
    keywords: [
      'deep research',
      'research report',
      'answer with sources',
      'citations',
      'read search results',
      'multi-source search',
      'investigate',
    ],
    input: onesearchDeepInput,
    example: {
      query: 'heat pump efficiency in cold climates',
      questions: ['Which models work below -20 °C?'],
      read_pages: 3,
      budgetCents: 40,
    },
    price: deepPrice(onesearchBudget),
    // A search, and no page that could be read.
    leastCharge: cents('5'),
    priceSource: 'Prices of core/onesearch and core/onescrape, 2026-11.',
    timeoutMs: 300_000,
    untrustedContent: true,
    check: checkDomains,
    handler: 'core.onesearch-deep',
    ...suppliers,
    running: 'deep',
  }),
}
