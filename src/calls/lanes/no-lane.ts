import type { Entry } from '../../catalog/index.ts'
import { paidTimeOf } from '../../catalog/vocabulary/define.ts'
import { failed, type Data, type Failed } from '../../catalog/vocabulary/outcome.ts'
import { bearer, settingsOf } from '../../catalog/vocabulary/wire.ts'
import { IN_HOUSE_MACHINES } from './lanes.ts'
import type { Lane } from './lane-parts.ts'
import { toAppError } from '../perform/outcome-error.ts'

const TRY_TEST_KEY =
  'Try it with a test key, which returns a simulated answer. For real answers, the operator of this gateway'

const MODEL_SETTINGS = 'UPSTREAM_LLM_KEY or UPSTREAM_LLM_URL'

/** The failure of an action that is not set up. It names the settings for the operator. */
export function noLane({ service, name, action }: Entry, input: Data = {}): Failed {
  if (action.kind === 'local' && !action.atVendor)
    return missingServices(`${service.id}/${name}`, action.needs(input))
  const own = action.kind === 'job' ? action.inHouse : undefined
  if (own?.handlerFor(input) !== undefined) return missingPart(`${service.id}/${name}`, own.part)
  // A path of a passthrough may have its own vendor.
  const vendor =
    (action.kind === 'endpoint' ? action.entryFor(input)?.vendor : undefined) ?? service.vendor
  const isSold =
    (action.kind === 'call' || action.kind === 'endpoint') && action.merchant !== undefined
  const isPaidOnly = vendor?.isPaidOnly === true
  const settings = isPaidOnly
    ? []
    : [settingsOf(vendor?.label ?? service.id, vendor ?? { auth: bearer() }).join(' and ')]
  const needsModel = action.kind === 'call' && action.inHouseNeedsModel === true
  const part =
    action.kind === 'call'
      ? action.inHousePart
      : IN_HOUSE_MACHINES.has(service.id)
        ? 'sessions'
        : undefined
  const needsProxy = action.kind === 'call' && action.inHouseNeedsProxy !== undefined
  const missing = isPaidOnly ? 'wallet that pays its merchant' : 'key of the vendor'
  return {
    ...failed(
      'upstream_not_configured',
      `${own === undefined ? `"${service.id}/${name}"` : `This input of "${service.id}/${name}"`} is not set up on this gateway: it has no ${missing}${needsModel ? ' and no language model to extract data itself' : ''}. Nothing was charged.`,
    ),
    fix: `${TRY_TEST_KEY} sets ${[...settings, ...(isSold ? ['a wallet that pays by the call'] : []), ...(needsModel ? [MODEL_SETTINGS] : []), ...(part === undefined ? [] : [part === 'search' ? 'SEARXNG_URL, the address of its own search engine' : `IN_HOUSE with "${part}"${needsProxy ? ' and EGRESS_PROXIES' : ''}`])].join(', or ')}.`,
  }
}

/**
 * Throws AppError upstream_not_configured for an action that is not set up. Reading and releasing an open
 * browser session needs no lane: the gateway stores the session itself.
 */
export function requireLane(
  entry: Entry,
  { input, lane }: { readonly input: Data; readonly lane: Lane | null },
): void {
  const paidTime = paidTimeOf(entry.action)
  if (lane === null && paidTime !== 'inspect' && paidTime !== 'release')
    throw toAppError(noLane(entry, input))
}

/** Input that only this machine performs, and not here. */
function missingPart(action: string, part: string): Failed {
  return {
    ...failed(
      'upstream_not_configured',
      `This input of "${action}" runs on the gateway's own machine, which does not offer it. Nothing was charged.`,
    ),
    fix: `${TRY_TEST_KEY} sets IN_HOUSE with "${part}" and installs its programs; ./tollgate doctor lists them.`,
  }
}

function missingServices(composite: string, needed: readonly string[]): Failed {
  const services = [...new Set(needed.map((one) => one.split('/')[0]))].join(' or ')
  return {
    ...failed(
      'upstream_not_configured',
      `"${composite}" is not set up on this gateway, because every service that it uses is not. Nothing was charged.`,
    ),
    fix: `${TRY_TEST_KEY} sets up ${services}.`,
  }
}
