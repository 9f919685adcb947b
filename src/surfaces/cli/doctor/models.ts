import type { Clock } from '../../../lib/clock.ts'
import type { Config } from '../../../app/settings/config.ts'
import { checkOffer } from '../../../app/wiring/router.ts'
import type { RouterUpstream } from '../../../app/settings/router-settings.ts'
import { broken, missing, ok, type Check } from './check.ts'

const NAME = 'language models'

/** Checks the upstreams of the language-model router, in their order, and whether they offer the models of its tiers. */
export async function checkModels(router: Config['router'], now: Clock): Promise<Check> {
  if (router.upstreams.length === 0)
    return missing(
      NAME,
      'not set up: live calls return 503',
      'Set UPSTREAM_LLM_KEY for the aggregator, or UPSTREAM_LLM_URL for your own endpoint.',
    )
  const { upstreams, tiers } = await checkOffer(router, now)
  const reports = new Map(upstreams.map((report) => [report.name, report]))
  const descriptions = router.upstreams.map(({ name, url, key, rates }) => {
    const { modelCount = null, server = null, models = [] } = reports.get(name) ?? {}
    const host = url === null ? 'the aggregator' : new URL(url).host
    const place = server === null ? host : `${server} at ${host}`
    const count = modelCount === null ? 'no list of models' : `${modelCount} models`
    const names = server === null || models.length === 0 ? '' : `: ${models.join(', ')}`
    return `${name} (${[place, `${count}${names}`, ...(key === null ? ['without a key'] : []), ...(rates === null ? [] : [isZero(rates) ? 'free' : 'prices set here'])].join(', ')})`
  })
  const found = descriptions.join('; ')
  const unreachable = upstreams.filter(({ modelCount }) => modelCount === null)
  if (unreachable.length > 0)
    return broken(NAME, found, 'Check the address and the key, and that GET …/models works there.')
  const unpriced = upstreams
    .filter(({ hasPrices }) => !hasPrices)
    .map(({ name }) =>
      name === 'llm'
        ? 'UPSTREAM_LLM_PRICE'
        : `UPSTREAM_LLM_${name.toUpperCase().replaceAll('-', '_')}_PRICE`,
    )
  if (unpriced.length > 0)
    return missing(
      NAME,
      `${found}; models without a price cannot be called`,
      `Set ${unpriced.join(', ')}, such as 0.15/0.60, or 0/0 for your own machine.`,
    )
  const gaps = tiers.filter((tier) => tier.missing.length > 0)
  if (gaps.length === 0) return ok(NAME, found)
  return missing(
    NAME,
    `${found}; not offered: ${gaps.map((gap) => `${gap.missing.join(', ')} of ${gap.tier}`).join('; ')}`,
    'Choose models of the upstream for the tiers in ROUTER_CONFIG (docs/router.md).',
  )
}

function isZero({ prompt, completion }: NonNullable<RouterUpstream['rates']>): boolean {
  return prompt === 0n && completion === 0n
}
