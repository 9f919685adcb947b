import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import { invariant } from '../../errors/app-error.ts'
import type { SiteProbe } from './check.ts'
import { checks } from './checks.ts'
import { createPublicNames, type DomainNames } from '../shared/public-names.ts'

/** The price of an in-house check. */
const PRICE_USD = 0.01

/** Does the checks that need only computation, DNS or a website. Returns the vendor's reply format. */
export function createCompliance(deps: {
  readonly names: DomainNames
  readonly site: SiteProbe
}): InHouseHandler {
  return async ({ endpoint, ...parameters }, { now, signal }) => {
    const check = checks[String(endpoint).replace('/x402/', '')]
    invariant(check !== undefined, `${String(endpoint)} is an in-house check`)
    const fields = await check(parameters, {
      site: deps.site,
      names: createPublicNames(deps.names),
      now,
      signal,
    })
    return {
      ...fields,
      _meta: { provenance: { source: 'in-house' }, payment: { price_usd: PRICE_USD } },
    }
  }
}
