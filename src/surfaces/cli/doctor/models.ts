import type { Clock } from '../../../lib/clock.ts'
import type { Config } from '../../../app/settings/config.ts'
import { checkOffer } from '../../../app/wiring/router.ts'
import { broken, missing, ok, type Check } from './check.ts'

const NAME = 'language models'

/** The language-model router: its upstreams, in the order in which they are asked, and what of its tiers they offer. */
export async function checkModels(router: Config['router'], now: Clock): Promise<Check> {
  if (router.upstreams.length === 0)
    return missing(
      NAME,
      'not set up: live calls answer 503',
      'Set UPSTREAM_LLM_KEY for the aggregator, or UPSTREAM_LLM_URL for an endpoint of your own.',
    )
  const { upstreams, tiers } = await checkOffer(router, now)
  const counts = new Map(upstreams.map(({ name, modelCount }) => [name, modelCount]))
  const told = router.upstreams.map(({ name, url, key, rates }) => {
    const count = counts.get(name) ?? null
    return `${name} (${[url === null ? 'the aggregator' : new URL(url).host, count === null ? 'no list of models came' : `${count} models`, ...(key === null ? ['without a key'] : []), ...(rates === null ? [] : ['priced here'])].join(', ')})`
  })
  const found = told.join('; ')
  const silent = upstreams.filter(({ modelCount }) => modelCount === null)
  if (silent.length > 0)
    return broken(
      NAME,
      found,
      'See that the address and the key are right, and that GET …/models answers there.',
    )
  const priceless = upstreams
    .filter(({ hasPrices }) => !hasPrices)
    .map(({ name }) =>
      name === 'llm'
        ? 'UPSTREAM_LLM_PRICE'
        : `UPSTREAM_LLM_${name.toUpperCase().replaceAll('-', '_')}_PRICE`,
    )
  if (priceless.length > 0)
    return missing(
      NAME,
      `${found}; models without a price cannot be called`,
      `Set ${priceless.join(', ')}, such as 0.15/0.60; 0/0 for a machine of your own.`,
    )
  const gaps = tiers.filter((tier) => tier.missing.length > 0)
  if (gaps.length === 0) return ok(NAME, found)
  return missing(
    NAME,
    `${found}; not on offer: ${gaps.map((gap) => `${gap.missing.join(', ')} of ${gap.tier}`).join('; ')}`,
    'Name models of the upstream in the tiers of ROUTER_CONFIG (docs/router.md).',
  )
}
