import type { Config } from '../../../start/config.ts'
import { missing, ok, type Check } from './check.ts'

/** The language-model router: its upstreams, in the order in which they are asked. */
export function checkModels({ upstreams }: Config['router']): Check {
  const name = 'language models'
  if (upstreams.length === 0) return missing(name, 'not set up: live calls answer 503', 'Set UPSTREAM_LLM_KEY for the aggregator, or UPSTREAM_LLM_URL for an endpoint of your own.')
  const told = upstreams.map((one) => `${one.name} (${one.url === null ? 'the aggregator' : new URL(one.url).host}${one.key === null ? ', without a key' : ''}${one.rates === null ? '' : ', priced here'})`)
  return ok(name, told.join(', '))
}
