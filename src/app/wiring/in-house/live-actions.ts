import { createLanes } from '../../../calls/lanes/lanes.ts'
import type { LaneSources } from '../../../calls/lanes/lane-parts.ts'
import { createCatalog } from '../../../catalog/index.ts'
import type { Service } from '../../../catalog/vocabulary/define.ts'
import { invariant } from '../../../errors/app-error.ts'
import type { Dispatches } from '../../../upstream/http1/plain-dispatcher.ts'
import type { Config } from '../../settings/config.ts'
import { machinesSold } from './boxes.ts'
import { supportedHandlers, type HandlerMeans } from './supported-handlers.ts'

/** Names as "service/action". */
export type LiveActions = { readonly live: readonly string[]; readonly off: readonly string[] }

export type LiveMeans = HandlerMeans &
  Pick<LaneSources, 'payments'> & {
    /** Whether programs can run on a kernel of their own. */
    readonly hasOwnKernel?: boolean
    /** All services, also those of the operator. Those of the gateway by default. */
    readonly services?: readonly Service[]
  }

/** Which actions a gateway with this configuration can perform. Sends no request. */
export function listLiveActions(
  { upstreams, userAgent, inHouse }: Pick<Config, 'upstreams' | 'userAgent' | 'inHouse'>,
  means: LiveMeans,
): LiveActions {
  const catalog = createCatalog(means.services)
  const unused: Dispatches = {
    dispatch: () => invariant(false, 'the list of live actions sends no request'),
  }
  const { statusOf } = createLanes({
    catalog,
    upstreams,
    userAgent,
    guardedDispatcher: unused,
    operatorDispatcher: unused,
    simulatorUrl: 'http://127.0.0.1:9',
    inHouse: supportedHandlers(catalog, means),
    inHouseMachines: means.parts.has('sessions')
      ? machinesSold(inHouse.parts !== null, means.hasOwnKernel ?? false)
      : new Set(),
    payments: means.payments ?? [],
  })
  const names = catalog.allActions().map(({ service, name }) => ({
    name: `${service.id}/${name}`,
    isLive: statusOf(service.id, name).live !== null,
  }))
  return {
    live: names.filter(({ isLive }) => isLive).map(({ name }) => name),
    off: names.filter(({ isLive }) => !isLive).map(({ name }) => name),
  }
}
