/** The records of `core/onesearch` and `core/onesearch-deep`. */
import { deepPrice, rowsAddUp } from '../shared/deep-budget.ts'
import { onesearchBudget, onesearchDeepInput } from './deep-input.ts'
import { checkDomains, onesearchInput } from './search-input.ts'
import { servicesFor } from './search-services.ts'
import type { Topic } from './search-request.ts'
import { cents } from '../../lib/money.ts'
import { local, localJob } from '../../catalog/vocabulary/define.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'

const servingTopic = (topic: Topic): string[] =>
  servicesFor(topic).map(({ service, action }) => `${service}/${action}`)

// The action is live if a service for the default topic is live. Public sources for papers and news do not suffice.
const suppliers = {
  uses: servingTopic('web'),
  needs: ({ topic }: { readonly topic: Topic }) => servingTopic(topic),
}

export const actions = {
  onesearch: local({
    title: 'Search the web with several engines',
    summary:
      'Search the web with several search services in parallel, fused into one list without duplicates.',
    description:
      'Every row names the services that found it. `topic` searches news, papers or code instead. Filters apply to all services: the gateway filters where a service cannot. A search without rows is free.',
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
    title: 'Research a question',
    summary:
      'Research a question: search with several services, read the best pages and answer with citations. Runs as a job.',
    description: `Each search costs 5¢ and each page read 2¢; unreadable pages are free and replaced by the next ones. Returns a \`job_id\`: poll core/result until the status is \`succeeded\` or \`failed\`. Every row states whether its page was read, with its text and the most relevant passages. Without a language model on the gateway \`answer\` is null and \`answer_note\` gives the reason. Pages beyond the budget have the error "over budget". ${rowsAddUp(' and the searches')} A job that finds nothing is free.`,
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
    // A search without a readable page.
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
