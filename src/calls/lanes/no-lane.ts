import type { Entry } from '../../catalog/index.ts'
import { paidTimeOf } from '../../catalog/vocabulary/define.ts'
import { failed, type Data, type Failed } from '../../catalog/vocabulary/outcome.ts'
import { bearer, settingsOf } from '../../catalog/vocabulary/wire.ts'
import type { Lane } from './lanes.ts'
import { errorOf } from '../perform/outcome-error.ts'

const TRY_TEST_KEY =
  'Try it with a test key, which reaches a simulation. For real answers the operator of this gateway'

/** The failure of an action that nothing on this gateway can carry out: what its operator would set. */
export function noLane({ service, name, action }: Entry, input: Data = {}): Failed {
  if (action.kind === 'local' && !action.atVendor)
    return noneOf(`${service.id}/${name}`, action.needs(input))
  // A path of a passthrough may have a vendor of its own.
  const vendor =
    (action.kind === 'endpoint' ? action.entryFor(input)?.vendor : undefined) ?? service.vendor
  const isSold =
    (action.kind === 'call' || action.kind === 'endpoint') && action.merchant !== undefined
  const isPaidOnly = vendor?.isPaidOnly === true
  const settings = isPaidOnly
    ? []
    : [settingsOf(vendor?.label ?? service.id, vendor ?? { auth: bearer() }).join(' and ')]
  return {
    ...failed(
      'upstream_not_configured',
      `"${service.id}/${name}" is not set up on this gateway: it has no ${isPaidOnly ? 'wallet that pays its merchant' : 'key of the vendor'}. Nothing was charged.`,
    ),
    fix: `${TRY_TEST_KEY} sets ${[...settings, ...(isSold ? ['a wallet that pays by the call'] : [])].join(', or ')}.`,
  }
}

/**
 * Throws AppError upstream_not_configured where nothing can carry the action out. A browser session that is open may be
 * asked about and released even then: the gateway knows it.
 */
export function requireLane(
  entry: Entry,
  { input, lane }: { readonly input: Data; readonly lane: Lane | null },
): void {
  const paidTime = paidTimeOf(entry.action)
  if (lane === null && paidTime !== 'inspect' && paidTime !== 'release')
    throw errorOf(noLane(entry, input))
}

function noneOf(composite: string, needed: readonly string[]): Failed {
  const services = [...new Set(needed.map((one) => one.split('/')[0]))].join(' or ')
  return {
    ...failed(
      'upstream_not_configured',
      `"${composite}" is not set up on this gateway: none of the services that it would ask is. Nothing was charged.`,
    ),
    fix: `${TRY_TEST_KEY} sets up ${services}.`,
  }
}
