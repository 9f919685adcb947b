import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import { invariant } from '../../errors/app-error.ts'
import type { DomainNames, SiteProbe } from './check.ts'
import { checks } from './checks.ts'
import { publicNames } from './public-names.ts'

/** What a check of our own costs: computing it takes next to nothing. */
const PRICE_USD = 0.01

/** Does in-house what can be computed or read from the names of the internet; answers in the vendor's form. */
export function createCompliance(parts: {
  readonly names: DomainNames
  readonly site: SiteProbe
}): InHouseHandler {
  return async ({ endpoint, ...parameters }, { now, signal }) => {
    const check = checks[String(endpoint).replace('/x402/', '')]
    invariant(check !== undefined, `${String(endpoint)} is a check of our own`)
    const fields = await check(parameters, {
      site: parts.site,
      names: publicNames(parts.names),
      now,
      signal,
    })
    return {
      ...fields,
      _meta: { provenance: { source: 'in-house' }, payment: { price_usd: PRICE_USD } },
    }
  }
}
