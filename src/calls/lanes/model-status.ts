import type { JobInHouse } from '../../catalog/vocabulary/define.ts'
import type { LaneStatus } from '../../catalog/published/lane.ts'

type Means = {
  /** Names of the in-house handlers that this machine supports. */
  readonly inHouse: ReadonlySet<string>
  /** The operator has set the vendor's key. */
  readonly hasVendor: boolean
  readonly model: string | undefined
}

/** The status of one model, which the vendor or this machine runs; without one, of any. */
export function statusOfModels(
  { examples, handlerFor }: JobInHouse,
  { inHouse, hasVendor, model }: Means,
): LaneStatus {
  const handler = model === undefined ? undefined : handlerFor({ model })
  if (handler !== undefined)
    return { live: inHouse.has(handler) ? 'in-house' : null, lanes: ['in-house'] }
  const ofVendor = hasVendor ? 'vendor' : null
  if (model !== undefined) return { live: ofVendor, lanes: ['vendor'] }
  const isAnyLive = Object.keys(examples).some((name) => inHouse.has(name))
  return { live: ofVendor ?? (isAnyLive ? 'in-house' : null), lanes: ['vendor', 'in-house'] }
}
