/** The search composites of `core`. */
import { checkDomains, onesearchInput } from '../../../core/onesearch/search-input.ts'
import { searchServices } from '../../../core/onesearch/search-services.ts'
import { cents } from '../../../lib/money.ts'
import { local } from '../../define.ts'
import { flat } from '../../tariff.ts'

const uses = [...new Set(searchServices.map(({ service, action }) => `${service}/${action}`))]

export const searchActions = {
  onesearch: local({
    summary: 'Search the web with several search services at once, fused into one list without duplicates.',
    description:
      'Every row names the services that found it. `topic` searches news, papers or code instead. Filters hold for all services alike: what a service cannot filter is filtered here. No row, no charge.',
    keywords: ['multi-source search', 'metasearch', 'web search', 'google', 'search engine', 'news search', 'compare search results'],
    input: onesearchInput,
    example: { query: 'how do heat pumps work in winter', limit: 5 },
    price: flat(cents('5')),
    priceSource: 'Own price, 2026-11.',
    timeoutMs: 15_000,
    untrustedContent: true,
    check: checkDomains,
    handler: 'core.onesearch',
    uses,
  }),
}
