/** Calls an own action without an account: the gateway holds, charges and stores nothing. */
import { createLanes } from '../../calls/lanes/lanes.ts'
import { createCatalog, type Entry } from '../../catalog/index.ts'
import type { OwnFile } from '../../catalog/own/own-file.ts'
import { billable, worstCase } from '../../catalog/prices/price.ts'
import type { CallAction } from '../../catalog/vocabulary/define.ts'
import type { Data, Outcome } from '../../catalog/vocabulary/outcome.ts'
import type { WireRequest } from '../../catalog/vocabulary/wire.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { Deadline } from '../../lib/deadline.ts'
import { newId, type Id } from '../../lib/ids.ts'
import { ownVendor } from '../../simulators/own-vendor.ts'
import { startSimulators } from '../../simulators/start.ts'
import { createGuard } from '../../upstream/guard.ts'
import { createPlainDispatcher } from '../../upstream/http1/plain-dispatcher.ts'
import { send } from '../../upstream/send.ts'
import type { Target } from '../../upstream/target.ts'
import { bodyOf, headersOf, pathOf } from '../../upstream/vendor-request.ts'
import type { Config } from '../settings/config.ts'

type Trial = {
  readonly config: Pick<Config, 'upstreams' | 'userAgent' | 'allowPrivateNetworks'>
  readonly now: Clock
  /** Of the same folder as the action. */
  readonly files: readonly OwnFile[]
  readonly entry: Entry
  /** Validated and checked. */
  readonly input: Data
  /** Calls the API instead of its simulated answers. */
  readonly isLive: boolean
}

/** Throws AppError upstream_not_configured for a live call without credentials. */
export async function tryOwnAction({ config, now, files, entry, input, isLive }: Trial) {
  const { upstreams, userAgent, allowPrivateNetworks } = config
  const guard = createGuard({ allowPrivateNetworks })
  const dispatcher = createPlainDispatcher()
  const vendors = Object.fromEntries(files.map((file) => [file.service, ownVendor(file)]))
  const simulators = await startSimulators({ now, vendors })
  const action = entry.action as CallAction
  const deadline = new Deadline(action.timeoutMs)
  try {
    const lanes = createLanes({
      catalog: createCatalog([entry.service]),
      upstreams,
      userAgent,
      guardedDispatcher: guard.vendors,
      operatorDispatcher: dispatcher,
      simulatorUrl: simulators.url,
      inHouse: new Set(),
    })
    const lane = lanes.laneFor(entry, isLive ? 'live' : 'test', input)
    if (lane === null || !('target' in lane))
      throw new AppError('upstream_not_configured', `${entry.service.id} has no credentials.`, {
        fix: 'See "./tollgate actions list" for the missing settings.',
      })
    const held = worstCase(action, input)
    const wire = action.request(input, held)
    const vendorKey = newId(now())
    const sent = await send(lane.target, wire, { deadline, vendorKey, now })
    const outcome: Outcome = sent.ok
      ? action.outcome(sent.reply, input)
      : { kind: 'failed', ...sent.failure }
    return {
      request: shownRequest(lane.target, wire, { vendorKey, now, deadline }),
      outcome,
      held,
      charged: billable(action, input, outcome),
    }
  } finally {
    deadline.end()
    await Promise.all([guard.close(), dispatcher.close(), simulators.close()])
  }
}

/** The request as sent, with the names of the credentials instead of their values. */
function shownRequest(
  target: Target,
  wire: WireRequest,
  options: { readonly vendorKey: Id; readonly now: Clock; readonly deadline: Deadline },
) {
  const names = Object.keys(target.credentials).map((name) => [name, `$${name}`] as const)
  const shown: Target = { ...target, credentials: Object.fromEntries(names) }
  const path = pathOf(shown, wire)
  // A simulated request shows the address of the API.
  const url =
    target.isSimulated === true
      ? `${target.vendor.baseUrl}${path.slice(target.basePath.length)}`
      : `${target.origin}${path}`
  return {
    method: wire.method,
    url,
    headers: headersOf(shown, wire, options),
    body: bodyOf(shown, wire),
  }
}
