import { findBelowCost } from '../../../app/notices/below-cost.ts'
import type { Config } from '../../../app/settings/config.ts'
import { capCounts } from '../../../app/wiring/cap-counts.ts'
import { StartError } from '../../../errors/start-error.ts'
import type { Service } from '../../../catalog/vocabulary/define.ts'
import { services as builtIn } from '../../../vendors/index.ts'
import { broken, warning, type Check } from './check.ts'

/** Reports actions whose price is below the vendor's list price, and invalid COUNT_CAPS. */
export function checkBelowCost(
  { upstreams, countCaps }: Pick<Config, 'upstreams' | 'countCaps'>,
  services: readonly Service[] = builtIn,
): Check[] {
  try {
    return findBelowCost(capCounts(services, countCaps), upstreams).map(
      ({ action, price, vendorPrice, count, basis, source }) =>
        warning(
          `price of ${action}`,
          `${price} per call; the vendor's list price is up to ${vendorPrice}${count === null ? '' : ` with ${count}`} (${basis}; ${source})`,
          count === null
            ? 'Accept the difference, or remove the key.'
            : `Accept the difference, or lower the maximum: COUNT_CAPS=${action}.${count.replace(/ \d+$/, '')}=<count>.`,
        ),
    )
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return [broken('count caps', error.message, 'Correct COUNT_CAPS (docs/reference/settings.md).')]
  }
}
