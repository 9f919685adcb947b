/** Checks each vendor key that the operator set, with a request that costs nothing. */
import { findPlaces, type PlaceSources } from '../../calls/lanes/endpoints.ts'
import type { Service } from '../../catalog/vocabulary/define.ts'
import type { Clock } from '../../lib/clock.ts'
import { Deadline } from '../../lib/deadline.ts'
import { newId } from '../../lib/ids.ts'
import { createGuard } from '../../upstream/guard.ts'
import { createPlainDispatcher } from '../../upstream/http1/plain-dispatcher.ts'
import { send } from '../../upstream/send.ts'
import type { KeyVerdict } from '../../operate/vendors/key-tests.ts'
import type { Config } from '../settings/config.ts'
import { FREE_REQUESTS } from './free-requests.ts'

const TIMEOUT_MS = 6_000
const AT_ONCE = 8

/** A service, or a vendor of single actions. Its settings have the vendor's label or the id. */
type Keyed = Pick<Service, 'id' | 'vendor'>

type Settings = Pick<Config, 'upstreams' | 'userAgent' | 'allowPrivateNetworks'>

/** By service id, for the services with a key. Sends a few requests at a time, each with a deadline. */
export async function tryVendorKeys(
  services: readonly Keyed[],
  config: Settings,
  { now, timeoutMs = TIMEOUT_MS }: { readonly now: Clock; readonly timeoutMs?: number },
): Promise<ReadonlyMap<string, KeyVerdict>> {
  const guard = createGuard({ allowPrivateNetworks: config.allowPrivateNetworks })
  const operatorDispatcher = createPlainDispatcher({ connections: AT_ONCE })
  const sources: PlaceSources = {
    upstreams: config.upstreams,
    guardedDispatcher: guard.vendors,
    operatorDispatcher,
    simulatorUrl: 'http://simulators.invalid',
    userAgent: config.userAgent,
  }
  const waiting = services.filter(
    ({ id, vendor }) =>
      Object.keys(config.upstreams.get(vendor?.label ?? id)?.credentials ?? {}).length > 0,
  )
  const verdicts = new Map<string, KeyVerdict>()
  const work = async (): Promise<void> => {
    for (let service = waiting.shift(); service !== undefined; service = waiting.shift())
      verdicts.set(service.id, await verdictOf(service, sources, now, timeoutMs))
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    await Promise.all([guard.close(), operatorDispatcher.close()])
  }
  return verdicts
}

async function verdictOf(
  { id, vendor }: Keyed,
  sources: PlaceSources,
  now: Clock,
  timeoutMs: number,
): Promise<KeyVerdict> {
  const free = FREE_REQUESTS[id]
  const target =
    vendor === undefined ? undefined : findPlaces(sources, vendor.label ?? id, vendor).live?.target
  if (free === undefined || target === undefined) return { kind: 'no-free-request' }
  const deadline = new Deadline(timeoutMs)
  const sent = await send(target, free.wire, {
    deadline,
    vendorKey: newId(now()),
    now,
  }).finally(() => deadline.end())
  if (sent.ok)
    return free.refuses?.(sent.reply.body) === true
      ? { kind: 'refused', status: sent.reply.status }
      : { kind: 'accepted' }
  const { status } = sent.failure.details.upstream
  if (status === null || status >= 500)
    return { kind: 'unreachable', status, origin: target.origin }
  if (status === 401 || status === 403) return { kind: 'refused', status }
  if (free.accepts?.includes(status) === true) return { kind: 'accepted' }
  return { kind: status === 402 ? 'unpaid' : 'unclear', status }
}
