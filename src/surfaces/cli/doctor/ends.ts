import { ANNOUNCED_ENDS } from '../../../app/notices/announced-ends.ts'
import { findEnds } from '../../../app/notices/find-ends.ts'
import type { Config } from '../../../app/settings/config.ts'
import { toRfc3339, type Clock } from '../../../lib/clock.ts'
import { services } from '../../../vendors/index.ts'
import { ok, warning, type Check } from './check.ts'

/** Reports the announced ends of vendors, with the days left. Those without a key here are `ok`. */
export function checkEnds(
  { router, upstreams }: Config,
  now: Clock,
  announced = ANNOUNCED_ENDS,
): Check[] {
  return findEnds({ services, tiers: router.tiers, upstreams }, now(), announced).map((end) => {
    const name = `announced end ${end.vendor}: ${end.ends}`
    const when = end.isOver
      ? `ended ${toRfc3339(end.atMs)}`
      : `ends ${toRfc3339(end.atMs)}, days left: ${end.daysLeft}`
    const found = `${when}; used by ${end.usedBy.join(', ')}`
    return end.isInUse
      ? warning(name, found, `Successor: ${end.successor} (${end.source}). Update the gateway.`)
      : ok(name, `${found}; no key of the vendor is set`)
  })
}
