import { ROUTER_PREFIX } from '../../../catalog/own/read-prices.ts'
import { readMargin } from '../../../catalog/prices/margin.ts'
import { nextChangeMs, termsFor, type PriceRules } from '../../../catalog/prices/price-rules.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Margins } from '../../../llm/lists/directory.ts'

export type RouterMargins = Margins & { use(rules: PriceRules): void }

/** The operator's margins on language models, by the rules of the moment. */
export function createRouterMargins(first: PriceRules, now: Clock): RouterMargins {
  let rules = first
  let version = 0
  let changesMs = nextChangeMs(first, now())
  return {
    of(id) {
      const terms = termsFor(rules, `${ROUTER_PREFIX}${id}`, now())
      return terms === null || 'cents' in terms ? undefined : readMargin(terms.margin_percent)
    },
    version() {
      const nextMs = nextChangeMs(rules, now())
      if (nextMs !== changesMs) version += 1
      changesMs = nextMs
      return version
    },
    use(next) {
      if (next !== rules) version += 1
      rules = next
      changesMs = nextChangeMs(next, now())
    },
  }
}
