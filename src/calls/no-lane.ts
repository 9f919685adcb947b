import type { Entry } from '../catalog/index.ts'
import { failed, type Data, type Failed } from '../catalog/outcome.ts'
import { bearer, settingsOf } from '../catalog/wire.ts'

/** The failure of an action that nothing on this gateway can carry out: what its operator would set. */
export function noLane({ service, name, action }: Entry, input: Data = {}): Failed {
  // A path of a passthrough may have a vendor of its own.
  const vendor = (action.kind === 'endpoint' ? action.entryFor(input)?.vendor : undefined) ?? service.vendor
  const isSold = (action.kind === 'call' || action.kind === 'endpoint') && action.merchant !== undefined
  const settings = settingsOf(vendor?.label ?? service.id, vendor ?? { auth: bearer() }).join(' and ')
  return {
    ...failed('upstream_not_configured', `"${service.id}/${name}" is not set up on this gateway: it has no key of the vendor. Nothing was charged.`),
    fix: `Try it with a test key, which reaches a simulation. For real answers the operator of this gateway sets ${settings}${isSold ? ', or a wallet that pays by the call' : ''}.`,
  }
}
